import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  Function as CloudFrontFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  PriceClass,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import type { Construct } from 'constructs'
import { sandboxHeaders, sandboxPage } from './app-sandbox-page.ts'
import { acknowledge } from './acknowledge.ts'
import type { Config } from './config.ts'

/**
 * The code of the CloudFront function that answers every request with the sandbox, so that nothing is stored behind its origin.
 * @param domainName the site's own address. Without one the site's address is CloudFront's. This distribution cannot refer to it, because
 *   the site's headers already refer to this one, so it allows all of CloudFront's. Another site that embeds the sandbox gets an empty frame.
 */
export function appSandboxCode(domainName?: string): string {
  const frameAncestors = domainName === undefined ? 'https://*.cloudfront.net' : `https://${domainName}`
  const headers = Object.fromEntries(
    Object.entries(sandboxHeaders({ frameAncestors, https: true })).map(([name, value]) => [name, { value }]),
  )
  const response = {
    statusCode: 200,
    statusDescription: 'OK',
    headers,
    body: { encoding: 'text', data: sandboxPage },
  }
  return `var response = ${JSON.stringify(response)}
function handler() {
  return response
}
`
}

/** Adds the second origin, which shows apps of MCP servers: an address below cloudfront.net, a public suffix, so a different site. */
export function addAppSandbox(
  scope: Construct,
  {
    config: { prefix, domain },
    siteBucket,
    logBucket,
  }: {
    config: Pick<Config, 'prefix' | 'domain'>
    siteBucket: IBucket
    logBucket: IBucket | undefined
  },
): Distribution {
  const respond = new CloudFrontFunction(scope, 'AppSandboxResponse', {
    comment: 'The document that shows apps of MCP servers',
    runtime: FunctionRuntime.JS_2_0,
    code: FunctionCode.fromInline(appSandboxCode(domain?.name)),
  })
  const sandbox = new Distribution(scope, 'AppSandbox', {
    comment: `${prefix}: apps of MCP servers`,
    ...(logBucket && { logBucket, logFilePrefix: 'app-sandbox/' }),
    httpVersion: HttpVersion.HTTP2_AND_3,
    priceClass: PriceClass.PRICE_CLASS_100,
    defaultBehavior: {
      // a distribution needs an origin: this one is never requested, and would refuse
      origin: S3BucketOrigin.withBucketDefaults(siteBucket),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      functionAssociations: [{ function: respond, eventType: FunctionEventType.VIEWER_REQUEST }],
    },
  })
  acknowledge(sandbox, {
    CFR1: 'It serves one public document without content.',
    CFR2: 'A function at the edge answers every request with one document without content: there is nothing behind it to protect.',
    ...(!logBucket && { CFR3: 'The operator of the stage has switched its access logs off (accessLogs).' }),
    CFR4: 'It has CloudFront’s address and certificate on purpose: an origin that shares no site with the page, whatever the page’s domain is.',
    CFR7: 'Its origin is never asked: a function at the edge answers every request. Without access control the bucket, which is private, would refuse.',
  })
  return sandbox
}
