import { App } from 'aws-cdk-lib'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { securityHeaders } from '../../infra/aws/security-headers.ts'
import { addStacks } from '../../infra/aws/stacks.ts'
import { certificateArn, variants, configurations, otherValues } from './configurations.ts'
import { createSite, contextWith, synthesise, temporaryFolder, type Synthesised } from './synthesised.ts'

const app = synthesise()
const withGoogle = synthesise(variants.google)
const withOtherValues = synthesise(otherValues)
const withoutLogsAndApps = synthesise(variants['no access logs, no apps'])

const cognitoOrigin = 'https://cognito-idp.<Region>.<URLSuffix>'
const uploadsOrigin = 'https://data/Uploads.RegionalDomainName'
const hostedSignInOrigin = 'https://juno-dev-<AccountId>.auth.<Region>.amazoncognito.com'

interface Behaviour {
  readonly PathPattern: string
  readonly TargetOriginId: string
  readonly [property: string]: unknown
}
interface DistributionConfig {
  readonly DefaultCacheBehavior: Behaviour
  readonly CacheBehaviors: readonly Behaviour[]
  readonly Origins: readonly { readonly Id: string; readonly [property: string]: unknown }[]
  readonly [property: string]: unknown
}

const distribution = (synthesised: Synthesised) =>
  synthesised.named('web', 'AWS::CloudFront::Distribution', 'Distribution').Properties[
    'DistributionConfig'
  ] as DistributionConfig

const encryption = {
  ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
}
const noPublicAccess = {
  BlockPublicAcls: true,
  BlockPublicPolicy: true,
  IgnorePublicAcls: true,
  RestrictPublicBuckets: true,
}

interface Statement {
  readonly Effect: string
  readonly Principal: string | { readonly AWS?: string; readonly Service?: string }
}
const listPolicyStatements = (synthesised: Synthesised, policy: string) =>
  (
    synthesised.named('web', 'AWS::S3::BucketPolicy', policy).Properties['PolicyDocument'] as {
      Statement: readonly Statement[]
    }
  ).Statement
/** Who may do what with a bucket, besides the CDK's function that empties it before it is deleted. */
const listPermissions = (synthesised: Synthesised, policy: string) =>
  listPolicyStatements(synthesised, policy).filter(
    ({ Effect, Principal }) =>
      Effect !== 'Deny' &&
      !(
        typeof Principal === 'object' &&
        Principal.AWS === 'web/CustomS3AutoDeleteObjectsCustomResourceProviderRole.Arn'
      ),
  )

const config = distribution(app)
const findOrigin = ({ TargetOriginId }: Behaviour) => config.Origins.find(({ Id }) => Id === TargetOriginId)

describe('distribution', () => {
  it('INFRA-10 serves the site from a private bucket, over https, also HTTP/3', () => {
    expect(config).toMatchObject({
      DefaultRootObject: 'index.html',
      HttpVersion: 'http2and3',
      PriceClass: 'PriceClass_100',
      Enabled: true,
      DefaultCacheBehavior: {
        AllowedMethods: ['GET', 'HEAD'],
        // CachingOptimized: honours each file's Cache-Control
        CachePolicyId: '658327ea-f89d-4fab-a63d-7e88639e58f6',
        Compress: true,
        ResponseHeadersPolicyId: 'web/Headers',
        ViewerProtocolPolicy: 'redirect-to-https',
      },
    })
    expect(findOrigin(config.DefaultCacheBehavior)).toMatchObject({
      DomainName: 'web/SiteBucket.RegionalDomainName',
      OriginAccessControlId: 'web/SiteAccess.Id',
    })
    expect(app.named('web', 'AWS::S3::Bucket', 'SiteBucket')).toMatchObject({
      Properties: {
        BucketEncryption: encryption,
        PublicAccessBlockConfiguration: noPublicAccess,
      },
      DeletionPolicy: 'Delete',
    })
  })

  it('INFRA-10 only this distribution reads the site’s files, and a missing one is a 404', () => {
    expect(listPermissions(app, 'SiteBucketPolicy')).toEqual([
      {
        Action: ['s3:GetObject', 's3:ListBucket'],
        Condition: {
          StringEquals: {
            'AWS:SourceArn': 'arn:<Partition>:cloudfront::<AccountId>:distribution/web/Distribution',
          },
        },
        Effect: 'Allow',
        Principal: { Service: 'cloudfront.amazonaws.com' },
        Resource: ['web/SiteBucket.Arn', 'web/SiteBucket.Arn/*'],
      },
    ])
  })

  it.each(['/api/*', '/functions/*'])(
    'INFRA-10 %s is the API on the same origin, never cached, never compressed',
    (path) => {
      const behaviour = config.CacheBehaviors.find(({ PathPattern }) => PathPattern === path)
      expect(behaviour).toEqual({
        PathPattern: path,
        TargetOriginId: expect.any(String),
        AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
        // CachingDisabled, AllViewerExceptHostHeader
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
        Compress: false,
        ResponseHeadersPolicyId: 'web/Headers',
        ViewerProtocolPolicy: 'https-only',
      })
      const origin = behaviour && findOrigin(behaviour)
      expect(origin).toMatchObject({
        CustomOriginConfig: {
          OriginProtocolPolicy: 'https-only',
          OriginReadTimeout: 60,
          OriginSSLProtocols: ['TLSv1.2'],
        },
      })
      expect(JSON.stringify(origin)).toContain('api/ApiDeploymentStagelive')
    },
  )

  it('serves the page of shared conversations uncached and hidden from search engines', () => {
    const behaviour = config.CacheBehaviors.find(({ PathPattern }) => PathPattern === '/shared*')
    expect(behaviour).toEqual({
      ...config.DefaultCacheBehavior,
      PathPattern: '/shared*',
      // CachingDisabled
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      ResponseHeadersPolicyId: 'web/SharedHeaders',
    })
    const policy = (id: string) =>
      app.named('web', 'AWS::CloudFront::ResponseHeadersPolicy', id).Properties[
        'ResponseHeadersPolicyConfig'
      ] as {
        CustomHeadersConfig: { Items: readonly object[] }
        SecurityHeadersConfig: object
      }
    const [usual, shared] = [policy('Headers'), policy('SharedHeaders')]
    expect(shared.SecurityHeadersConfig).toEqual(usual.SecurityHeadersConfig)
    expect(shared.SecurityHeadersConfig).toMatchObject({ ReferrerPolicy: { ReferrerPolicy: 'no-referrer' } })
    expect(shared.CustomHeadersConfig.Items).toEqual([
      ...usual.CustomHeadersConfig.Items,
      { Header: 'x-robots-tag', Value: 'noindex, nofollow, noarchive', Override: true },
    ])
  })

  it('serves the frame that draws diagrams with its own headers, and its scripts to a document without an origin', () => {
    const behaviour = config.CacheBehaviors.find(({ PathPattern }) => PathPattern === '/diagram/*')
    expect(behaviour).toEqual({
      ...config.DefaultCacheBehavior,
      PathPattern: '/diagram/*',
      ResponseHeadersPolicyId: 'web/DiagramHeaders',
    })
    const { ResponseHeadersPolicyConfig } = app.named(
      'web',
      'AWS::CloudFront::ResponseHeadersPolicy',
      'DiagramHeaders',
    ).Properties
    expect(ResponseHeadersPolicyConfig).toMatchObject({
      CorsConfig: { AccessControlAllowOrigins: { Items: ['*'] }, AccessControlAllowCredentials: false },
      SecurityHeadersConfig: {
        FrameOptions: { FrameOption: 'SAMEORIGIN' },
        ContentSecurityPolicy: {
          ContentSecurityPolicy: expect.stringMatching(
            /^sandbox allow-scripts; default-src 'none'; script-src 'self'; worker-src blob:;/,
          ),
        },
      },
    })
  })

  it('DEC-185 serves apps of MCP servers from a second distribution, whose address the page’s policy names', () => {
    const { DistributionConfig } = app.named('web', 'AWS::CloudFront::Distribution', 'AppSandbox').Properties
    expect(DistributionConfig).toMatchObject({
      DefaultCacheBehavior: {
        AllowedMethods: ['GET', 'HEAD'],
        FunctionAssociations: [
          { EventType: 'viewer-request', FunctionARN: 'web/AppSandboxResponse.FunctionARN' },
        ],
        ViewerProtocolPolicy: 'redirect-to-https',
      },
    })
    // CloudFront's own address, even if the page has a domain
    expect(DistributionConfig).not.toHaveProperty('Aliases')
    // the bucket grants it nothing
    expect(JSON.stringify(listPermissions(app, 'SiteBucketPolicy'))).not.toContain('AppSandbox')
    const policy = (synthesised: Synthesised) =>
      JSON.stringify(synthesised.named('web', 'AWS::CloudFront::ResponseHeadersPolicy', 'Headers').Properties)
    expect(policy(app)).toContain("frame-src 'self' https://web/AppSandbox.DomainName;")
    expect(policy(withoutLogsAndApps)).not.toContain('frame-src')
    expect(withoutLogsAndApps.resources('web', 'AWS::CloudFront::Distribution').map(({ id }) => id)).toEqual([
      'Distribution',
    ])
    expect(readDeployedFile(withoutLogsAndApps)).not.toHaveProperty('appsOrigin')
  })

  it('INFRA-10 keeps the API’s errors: only the site has the fallback, and none is distribution-wide', () => {
    expect(config.CacheBehaviors.map(({ PathPattern }) => PathPattern)).toEqual([
      '/api/*',
      '/functions/*',
      '/shared*',
      '/diagram/*',
    ])
    expect(config).not.toHaveProperty('CustomErrorResponses')
    expect(config.DefaultCacheBehavior['FunctionAssociations']).toEqual([
      { EventType: 'viewer-request', FunctionARN: 'web/SpaFallback.FunctionARN' },
    ])
    expect(app.named('web', 'AWS::CloudFront::Function', 'SpaFallback').Properties).toMatchObject({
      AutoPublish: true,
      FunctionConfig: { Runtime: 'cloudfront-js-2.0' },
      FunctionCode: expect.stringContaining(
        'var files = ["/config.json","/favicon.svg","/index.html","/manifest.json","/oauth-client.json"]\nvar folders = ["/assets/"]',
      ),
    })
  })
})

describe('access logs', () => {
  it('of the distribution and of its bucket are stored in a private bucket, encrypted, for the retention time of logs', () => {
    const logBucket = withOtherValues.named('web', 'AWS::S3::Bucket', 'SiteLogs')
    expect(logBucket.Properties).toMatchObject({
      BucketEncryption: encryption,
      PublicAccessBlockConfiguration: noPublicAccess,
      // CloudFront writes with an access control list, which the stricter setting would refuse
      OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerPreferred' }] },
      LifecycleConfiguration: { Rules: [{ Id: 'retention', ExpirationInDays: 7, Status: 'Enabled' }] },
    })
    expect(logBucket.DeletionPolicy).toBe('Delete')
    // without IncludeCookies
    expect(distribution(withOtherValues)['Logging']).toEqual({
      Bucket: 'web/SiteLogs.RegionalDomainName',
      Prefix: 'distribution/',
    })
    expect(
      withOtherValues.named('web', 'AWS::S3::Bucket', 'SiteBucket').Properties['LoggingConfiguration'],
    ).toEqual({
      DestinationBucketName: 'web/SiteLogs',
      LogFilePrefix: 'bucket/',
    })
  })

  // logs that arrive after the bucket was emptied keep it, and the stack, from being deleted: awslabs/green-boost#207, aws/aws-cdk#21776
  it('are emptied when no distribution writes any more, as a stack is deleted in the opposite order', () => {
    const distributions = app.resources('web', 'AWS::CloudFront::Distribution')
    expect(distributions.map(({ id }) => id)).toEqual(['AppSandbox', 'Distribution'])
    for (const { DependsOn } of distributions)
      expect(DependsOn?.map((id) => id.replace(/[0-9A-F]{8}$/, ''))).toContain(
        'SiteLogsAutoDeleteObjectsCustomResource',
      )
  })

  it('are written over https by the site’s own bucket and nobody else’s', () => {
    expect(listPermissions(app, 'SiteLogsPolicy')).toEqual([
      {
        Action: 's3:PutObject',
        Condition: {
          ArnLike: { 'aws:SourceArn': 'web/SiteBucket.Arn' },
          StringEquals: { 'aws:SourceAccount': '<AccountId>' },
        },
        Effect: 'Allow',
        Principal: { Service: 'logging.s3.amazonaws.com' },
        Resource: 'web/SiteLogs.Arn/bucket/*',
      },
    ])
    for (const policy of ['SiteLogsPolicy', 'SiteBucketPolicy'])
      expect(listPolicyStatements(app, policy)).toContainEqual(
        expect.objectContaining({
          Action: 's3:*',
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          Effect: 'Deny',
          Principal: { AWS: '*' },
        }),
      )
  })

  it('can be left out', () => {
    expect(withoutLogsAndApps.resources('web', 'AWS::S3::Bucket').map(({ id }) => id)).toEqual(['SiteBucket'])
    expect(withoutLogsAndApps.only('web', 'AWS::S3::Bucket').Properties).not.toHaveProperty(
      'LoggingConfiguration',
    )
    expect(distribution(withoutLogsAndApps)).not.toHaveProperty('Logging')
  })

  it('are refused in regions where CloudFront cannot deliver them', () => {
    const addStacksIn = (region: string, context = {}) =>
      addStacks(new App({ context: contextWith(context), outdir: temporaryFolder() }), {
        siteFolder: createSite(),
        region,
      })
    expect(() => addStacksIn('eu-south-1')).toThrow('Context accessLogs must be off in eu-south-1')
    expect(() => addStacksIn('eu-south-1', { accessLogs: 'off' })).not.toThrow()
    expect(() => addStacksIn('eu-central-1')).not.toThrow()
  })
})

describe('domain', () => {
  const withOwnCertificate = synthesise(variants['a certificate of one’s own'])
  const { domainName, hostedZoneId } = variants['a certificate that the stack creates']
  const withZone = synthesise({ domainName, hostedZoneId, certificateArn })

  it('INFRA-10 is an alias of the distribution, with its certificate and TLS 1.2 or newer', () => {
    for (const synthesised of [withOwnCertificate, withZone])
      expect(distribution(synthesised)).toMatchObject({
        Aliases: ['chat.example.org'],
        ViewerCertificate: {
          AcmCertificateArn: certificateArn,
          MinimumProtocolVersion: 'TLSv1.2_2021',
          SslSupportMethod: 'sni-only',
        },
      })
    expect(config).not.toHaveProperty('Aliases')
    expect(config).not.toHaveProperty('ViewerCertificate')
  })

  it('has a record for IPv4 and one for IPv6 in its zone', () => {
    const records = withZone.resources('web', 'AWS::Route53::RecordSet').map(({ Properties }) => Properties)
    expect(records).toEqual(
      ['A', 'AAAA'].map((Type) => ({
        AliasTarget: { DNSName: 'web/Distribution.DomainName', HostedZoneId: expect.anything() },
        HostedZoneId: hostedZoneId,
        Name: 'chat.example.org.',
        Type,
      })),
    )
    expect(withZone.outputs('web')).not.toHaveProperty('AddressTarget')
  })

  it('has its target of DNS records in an output if there is no zone', () => {
    expect(withOwnCertificate.resources('web', 'AWS::Route53::RecordSet')).toEqual([])
    expect(withOwnCertificate.outputs('web')['AddressTarget']).toBe('web/Distribution.DomainName')
    expect(app.outputs('web')).not.toHaveProperty('AddressTarget')
  })

  it('is the site’s address everywhere', () => {
    const origin = 'https://chat.example.org'
    expect(withOwnCertificate.outputs('web')['SiteUrl']).toBe(origin)
    expect(withOwnCertificate.only('web', 'AWS::Cognito::UserPoolClient').Properties).toMatchObject({
      CallbackURLs: [`${origin}/auth`],
      LogoutURLs: [`${origin}/auth`],
    })
    expect(readDeployedFile(withOwnCertificate, 'oauth-client.json')['client_uri']).toBe(origin)
    expect(withOwnCertificate.only('web', 'Custom::SiteFacts').Properties['Create']).toContain(
      `"origin":{"S":"${origin}"}`,
    )
  })

  it('INFRA-10 redirects the page from CloudFront’s address to the site', () => {
    const code = (synthesised: Synthesised) =>
      synthesised.named('web', 'AWS::CloudFront::Function', 'SpaFallback').Properties['FunctionCode']
    expect(code(withOwnCertificate)).toContain('"https://chat.example.org" + request.uri')
    expect(code(app)).not.toContain('request.headers.host')
  })
})

describe('security headers', () => {
  const readHeadersPolicy = (synthesised: Synthesised) => {
    const { ResponseHeadersPolicyConfig } = synthesised.named(
      'web',
      'AWS::CloudFront::ResponseHeadersPolicy',
      'Headers',
    ).Properties
    return ResponseHeadersPolicyConfig as Record<string, unknown>
  }

  it('are those of the single definition, with exact hosts', () => {
    const headers = securityHeaders({
      connectOrigins: [cognitoOrigin, uploadsOrigin],
      imageOrigins: [uploadsOrigin],
      appsOrigin: 'https://web/AppSandbox.DomainName',
      https: true,
    })
    const { SecurityHeadersConfig, CustomHeadersConfig } = readHeadersPolicy(app)
    expect(SecurityHeadersConfig).toEqual({
      ContentSecurityPolicy: { ContentSecurityPolicy: headers['content-security-policy'], Override: true },
      ContentTypeOptions: { Override: true },
      FrameOptions: { FrameOption: headers['x-frame-options'], Override: true },
      ReferrerPolicy: { ReferrerPolicy: headers['referrer-policy'], Override: true },
      StrictTransportSecurity: {
        AccessControlMaxAgeSec: 63_072_000,
        IncludeSubdomains: false,
        Override: true,
      },
    })
    expect(CustomHeadersConfig).toEqual({
      Items: ['x-dns-prefetch-control', 'cross-origin-opener-policy', 'permissions-policy'].map((name) => ({
        Header: name,
        Value: headers[name],
        Override: true,
      })),
    })
    // no header of the definition is missing
    expect(Object.keys(headers)).toHaveLength(8)
  })

  it('INFRA-03 allow the page to call the hosted sign-in if there is one', () => {
    const headers = securityHeaders({
      connectOrigins: [cognitoOrigin, hostedSignInOrigin, uploadsOrigin],
      imageOrigins: [uploadsOrigin],
      appsOrigin: 'https://web/AppSandbox.DomainName',
      https: true,
    })
    expect(readHeadersPolicy(withGoogle)['SecurityHeadersConfig']).toMatchObject({
      ContentSecurityPolicy: { ContentSecurityPolicy: headers['content-security-policy'] },
    })
  })
})

describe('files', () => {
  const deployments = app
    .resources('web', 'Custom::CDKBucketDeployment')
    .map(({ id, Properties, DependsOn }) => ({
      id: id.replace(/CustomResource.*/, ''),
      properties: Properties,
      dependsOn: (DependsOn ?? [])
        .filter((name) => name.includes('CustomResource'))
        .map((name) => name.replace(/CustomResource.*/, '')),
    }))
  const deployment = (id: string) => deployments.find((candidate) => candidate.id === id)

  it('INFRA-10 files with a hash in their name are cached for ever, the page and config.json are revalidated each time', () => {
    expect(deployment('Assets')?.properties).toMatchObject({
      Exclude: ['*'],
      Include: ['assets/*', 'diagram/assets/*'],
      SystemMetadata: { 'cache-control': 'public, max-age=31536000, immutable' },
      Prune: false,
    })
    expect(deployment('Settings')?.properties).toMatchObject({
      SystemMetadata: { 'cache-control': 'no-store' },
      Prune: false,
    })
    expect(deployment('Pages')?.properties).toMatchObject({
      Exclude: ['assets/*', 'diagram/assets/*', '.*', 'config.json', 'oauth-client.json', 'manifest.json'],
      SystemMetadata: { 'cache-control': 'no-cache' },
      Prune: false,
    })
    expect(deployments).toHaveLength(3)
  })

  it('INFRA-10 the page is uploaded last, so that it never names missing files', () => {
    expect(deployment('Assets')?.dependsOn).toEqual([])
    expect(deployment('Settings')?.dependsOn).toEqual(['Assets'])
    expect(deployment('Pages')?.dependsOn).toEqual(['Settings'])
  })

  it('config.json gives the browser its configuration, and no secret', () => {
    expect(readDeployedFile(app)).toEqual({
      region: '<Region>',
      userPoolId: 'auth/UserPool',
      userPoolClientId: 'web/AppClient',
      assistantName: 'Juno',
      brandName: 'Juno',
      appsOrigin: 'https://web/AppSandbox.DomainName',
      writesTitles: true,
      signUp: 'closed',
      models: [
        {
          id: 'gpt-6.1-terra',
          name: 'GPT-6.1 Terra',
          isDefault: true,
          vision: true,
          efforts: [],
          contextTokens: 1_050_000,
          price: {
            input: 1,
            cachedInput: 0.05,
            cacheWrite: 1.25,
            output: 5,
            long: { above: 272_000, input: 2, output: 7.5 },
          },
        },
      ],
      demo: { model: false, providers: false },
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    })
    expect(readDeployedFile(withGoogle)['oauthDomain']).toBe(hostedSignInOrigin)
    expect(readDeployedFile(withGoogle)).not.toHaveProperty('googleSignIn')
    expect(readDeployedFile(withOtherValues)).toMatchObject({
      minPasswordCharacters: 12,
      sharing: false,
      signUp: 'domains',
    })
    expect(readDeployedFile(synthesise(configurations.full))['signUp']).toBe('open')
  })

  it('DEC-191 config.json tells the page about identity providers, passwords and Google', () => {
    const withProviders = readDeployedFile(synthesise(variants['identity providers without passwords']))
    expect(withProviders).toMatchObject({
      oauthDomain: hostedSignInOrigin,
      googleSignIn: false,
      passwordSignIn: false,
      identityProviders: [
        { name: 'Okta', label: 'Okta', domains: ['example.org'] },
        { name: 'Adfs', label: 'AD FS', domains: [] },
      ],
    })
    expect(JSON.stringify(withProviders)).not.toMatch(
      /okta-client|team\/okta|example\.okta\.com|assistant-admins/,
    )
  })

  it('DEC-088 oauth-client.json tells authorization servers the product’s name and redirect addresses', () => {
    expect(readDeployedFile(withOtherValues, 'manifest.json')).toMatchObject({ name: 'Acme' })
    const document = readDeployedFile(app, 'oauth-client.json')
    const { client_uri: origin } = document
    expect(document).toMatchObject({
      client_id: `${String(origin)}/oauth-client.json`,
      redirect_uris: [`${String(origin)}/oauth/document-callback`],
      client_name: 'Juno',
      token_endpoint_auth_method: 'none',
    })
    expect(origin).toMatch(/^https:\/\//)
  })
})

/** A file of the deployment's configuration as it will be in the bucket: found among the assets, with the deployment's values filled in. */
function readDeployedFile(synthesised: Synthesised, file = 'config.json'): Record<string, unknown> {
  const folder = synthesised.assembly.directory
  const asset = readdirSync(folder).find(
    (name) => name.startsWith('asset.') && listFilesIn(join(folder, name)).includes(file),
  )
  if (!asset) throw new Error(`no ${file} among the assets`)
  const deployment = synthesised
    .resources('web', 'Custom::CDKBucketDeployment')
    .find(({ id }) => id.startsWith('Settings'))
  const sources = (deployment?.Properties['SourceMarkers'] ?? []) as Record<string, string>[]
  const markers = Object.entries(sources[file === 'config.json' ? 0 : 1] ?? {})
  const content = markers.reduce(
    (text, [marker, value]) => text.replaceAll(marker, value),
    readFileSync(join(folder, asset, file), 'utf8'),
  )
  return JSON.parse(content) as Record<string, unknown>
}

function listFilesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

describe('site configuration', () => {
  it('is written into the table as CONF/SITE, again whenever it changes', () => {
    const { Properties } = app.only('web', 'Custom::SiteFacts')
    const call = {
      service: '@aws-sdk/client-dynamodb',
      action: 'PutItem',
      parameters: {
        TableName: 'data/Table',
        Item: {
          PK: { S: 'CONF' },
          SK: { S: 'SITE' },
          origin: { S: 'https://web/Distribution.DomainName' },
          clientId: { S: 'web/AppClient' },
          bucketOrigin: { S: uploadsOrigin },
        },
      },
      physicalResourceId: { id: 'CONF/SITE' },
    }
    expect(JSON.parse(String(Properties['Create']))).toEqual(call)
    expect(JSON.parse(String(Properties['Update']))).toEqual(call)
    expect(Properties).not.toHaveProperty('Delete')
  })
})
