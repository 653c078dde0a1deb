import { Annotations, Aws, Duration } from 'aws-cdk-lib'
import type { RestApi } from 'aws-cdk-lib/aws-apigateway'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import {
  AccessLevel,
  AllowedMethods,
  CachePolicy,
  Distribution,
  Function as CloudFrontFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  OriginRequestPolicy,
  PriceClass,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
  type BehaviorOptions,
} from 'aws-cdk-lib/aws-cloudfront'
import { RestApiOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import type { Construct } from 'constructs'
import { diagramFramePath } from '#shared/diagram-frame.ts'
import { sharedPath } from '#shared/share-link.ts'
import { acknowledge } from './acknowledge.ts'
import type { Config } from './config.ts'
import type { EdgeStack } from './edge-stack.ts'
import { responseHeaders } from './response-headers.ts'
import { diagramFrameHeaders, sharedPageHeaders } from './security-headers.ts'
import { spaFallbackCode } from './spa-fallback.ts'

export interface DistributionInput {
  readonly config: Pick<Config, 'prefix' | 'domain'>
  readonly siteBucket: IBucket
  /** undefined: no access log */
  readonly logBucket: IBucket | undefined
  readonly api: RestApi
  readonly edge: Pick<EdgeStack, 'certificateArn' | 'webAclArn'> | undefined
  /** the built site, `web/dist` */
  readonly siteFolder: string
  /** the security headers of every response */
  readonly headers: Record<string, string>
}

/** Adds the browser's only origin: the site, with the API under the same host name. */
export function addDistribution(scope: Construct, input: DistributionInput): Distribution {
  const {
    config: { prefix, domain },
    logBucket,
    edge,
  } = input
  const certificateArn = domain?.certificateArn ?? edge?.certificateArn
  const { api, site, shared, diagram } = addBehaviours(scope, input)
  const distribution = new Distribution(scope, 'Distribution', {
    comment: prefix,
    ...(domain &&
      certificateArn && {
        domainNames: [domain.name],
        certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificateArn),
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      }),
    ...(edge?.webAclArn && { webAclId: edge.webAclArn }),
    ...(logBucket && { logBucket, logFilePrefix: 'distribution/' }),
    defaultRootObject: 'index.html',
    httpVersion: HttpVersion.HTTP2_AND_3,
    priceClass: PriceClass.PRICE_CLASS_100,
    defaultBehavior: site,
    additionalBehaviors: {
      '/api/*': api,
      '/functions/*': api,
      [`${sharedPath}*`]: shared,
      [`${diagramFramePath}*`]: diagram,
    },
  })
  acknowledge(distribution, {
    CFR1: 'Nothing here depends on the country of a user; an operator who wants that adds a rule to the web ACL.',
    ...(!edge?.webAclArn && {
      CFR2: 'The operator of the stage has not asked for a web ACL (waf), which costs money even without traffic; the gateway’s throttle and the budgets of each person hold without it.',
    }),
    ...(!logBucket && { CFR3: 'The operator of the stage has switched its access logs off (accessLogs).' }),
    ...(!(domain && certificateArn) && {
      CFR4: 'Without a domain of its own the site has CloudFront’s certificate, whose TLS versions nobody can choose; with one they begin at TLS 1.2.',
    }),
  })
  Annotations.of(distribution).acknowledgeWarning(
    '@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk',
    'The default root object is set, and the query that lists a bucket is not passed on.',
  )
  return distribution
}

function addBehaviours(
  scope: Construct,
  { siteBucket, api: restApi, siteFolder, config: { prefix, domain }, headers }: DistributionInput,
): Record<'api' | 'site' | 'shared' | 'diagram', BehaviorOptions> {
  // these names are global in an account, and a stage may be deployed in two regions
  const regional = (name: string) => `${prefix}-${Aws.REGION}-${name}`
  const addHeaders = (id: string, values: Record<string, string>) =>
    new ResponseHeadersPolicy(scope, id, {
      responseHeadersPolicyName: regional(id),
      ...responseHeaders(values),
    })
  const responseHeadersPolicy = addHeaders('Headers', headers)
  const spaFallback = new CloudFrontFunction(scope, 'SpaFallback', {
    comment: 'The page for every address of the page',
    runtime: FunctionRuntime.JS_2_0,
    code: FunctionCode.fromInline(spaFallbackCode(siteFolder, domain?.name)),
  })
  const api: BehaviorOptions = {
    // without a raised quota CloudFront waits at most 60 s for the next byte; replies send a heartbeat more often
    origin: new RestApiOrigin(restApi, { readTimeout: Duration.seconds(60) }),
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    allowedMethods: AllowedMethods.ALLOW_ALL,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    responseHeadersPolicy,
    // compressing buffers a response, and replies have to stream
    compress: false,
  }
  const site: BehaviorOptions = {
    // LIST makes a missing file a 404 instead of a 403
    origin: S3BucketOrigin.withOriginAccessControl(siteBucket, {
      originAccessControl: new S3OriginAccessControl(scope, 'SiteAccess', {
        originAccessControlName: regional('site'),
      }),
      originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
    }),
    viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
    cachePolicy: CachePolicy.CACHING_OPTIMIZED,
    responseHeadersPolicy,
    compress: true,
    functionAssociations: [{ function: spaFallback, eventType: FunctionEventType.VIEWER_REQUEST }],
  }
  const shared: BehaviorOptions = {
    ...site,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    responseHeadersPolicy: addHeaders('SharedHeaders', sharedPageHeaders(headers)),
  }
  const diagram: BehaviorOptions = {
    ...site,
    responseHeadersPolicy: addHeaders('DiagramHeaders', diagramFrameHeaders(headers)),
  }
  return { api, site, shared, diagram }
}
