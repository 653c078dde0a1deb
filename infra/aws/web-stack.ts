import { Annotations, CfnOutput, Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib'
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
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
  type BehaviorOptions,
} from 'aws-cdk-lib/aws-cloudfront'
import { RestApiOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import { OAuthScope, UserPoolClient, UserPoolClientIdentityProvider } from 'aws-cdk-lib/aws-cognito'
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import { AaaaRecord, ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53'
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets'
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  ObjectOwnership,
  type IBucket,
} from 'aws-cdk-lib/aws-s3'
import { BucketDeployment, CacheControl, type ISource, Source } from 'aws-cdk-lib/aws-s3-deployment'
import type { Construct } from 'constructs'
import { ownPasswordLength } from '#shared/limits.ts'
import { diagramFrameHeaders, diagramFramePath } from '#shared/diagram-frame.ts'
import { clientDocument, clientDocumentPath } from '#shared/oauth-client.ts'
import { securityHeaders } from '#shared/security-headers.ts'
import { sharedPageHeaders, sharedPath } from '#shared/share-link.ts'
import { webManifest, webManifestPath } from '#shared/web-manifest.ts'
import { acknowledge, acknowledgeStar } from './acknowledge.ts'
import type { AuthStack } from './auth-stack.ts'
import type { Config } from './config.ts'
import type { DataStack } from './data-stack.ts'
import type { EdgeStack } from './edge-stack.ts'
import { helperRole, narrowEmptying } from './helper-role.ts'
import { productVersion } from './product-version.ts'
import { responseHeaders } from './response-headers.ts'
import { writeSiteFacts } from './site-facts.ts'
import { spaFallbackCode } from './spa-fallback.ts'

export interface WebStackProps extends StackProps {
  readonly config: Config
  readonly data: Pick<DataStack, 'table' | 'uploads'>
  readonly auth: Pick<AuthStack, 'userPool' | 'oauthOrigin'>
  readonly api: RestApi
  readonly edge: Pick<EdgeStack, 'certificateArn' | 'webAclArn'> | undefined
  /** the built site, `web/dist` */
  readonly siteFolder: string
}

const diagramAssets = `${diagramFramePath.slice(1)}assets/*`

/** For what a deployment writes again, and what only tells of it. */
const privateAndTemporary = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
  removalPolicy: RemovalPolicy.DESTROY,
  autoDeleteObjects: true,
}

/** One origin for the browser: the site, and the API behind the same host name. Last to be deployed, it tells the others where. */
export class WebStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { config, data, auth, api, edge, siteFolder, ...props }: WebStackProps,
  ) {
    super(scope, id, props)
    const { table, uploads } = data
    const bucketOrigin = `https://${uploads.bucketRegionalDomainName}`

    const logBucket = config.accessLogs ? this.addLogBucket(config.logRetentionDays) : undefined
    // the library's own types disagree about optional properties
    const siteBucket = new Bucket(this, 'SiteBucket', {
      ...privateAndTemporary,
      ...(logBucket && { serverAccessLogsBucket: logBucket, serverAccessLogsPrefix: 'bucket/' }),
    }) as IBucket
    if (!logBucket)
      acknowledge(siteBucket, {
        S1: 'Whoever deploys the stage has switched its access logs off (accessLogs).',
      })
    const distribution = this.addDistribution({
      siteBucket,
      logBucket,
      api,
      edge,
      siteFolder,
      config,
      headers: securityHeaders({
        connectOrigins: [
          `https://cognito-idp.${this.region}.${this.urlSuffix}`,
          ...(auth.oauthOrigin ? [auth.oauthOrigin] : []),
          bucketOrigin,
        ],
        imageOrigins: [bucketOrigin],
        https: true,
      }),
    })
    const origin = `https://${config.domain?.name ?? distribution.distributionDomainName}`
    if (config.domain) this.addAddress(config.domain, distribution)
    const client = this.addClient(auth, origin, config.google !== undefined)

    writeSiteFacts(this, {
      table,
      facts: { origin, clientId: client.userPoolClientId, bucketOrigin },
      logRetentionDays: config.logRetentionDays,
    })
    this.deploySite(siteBucket, siteFolder, config.logRetentionDays, [
      Source.jsonData('config.json', {
        region: this.region,
        userPoolId: auth.userPool.userPoolId,
        userPoolClientId: client.userPoolClientId,
        ...(auth.oauthOrigin && { oauthDomain: auth.oauthOrigin }),
        assistantName: config.assistantName,
        brandName: config.brandName,
        ...ownPasswordLength(config),
        signUp: config.signUp.mode,
        ...(!config.sharing && { sharing: false }),
        demo: { model: false, providers: false },
        version: productVersion,
      }),
      Source.jsonData(clientDocumentPath.slice(1), clientDocument({ origin, name: config.brandName })),
      Source.jsonData(webManifestPath.slice(1), webManifest(config.brandName)),
    ])

    narrowEmptying(this, config.logRetentionDays)

    new CfnOutput(this, 'SiteUrl', { value: origin })
  }

  /** For the distribution's log, which CloudFront writes by an access control list, and for the site bucket's. */
  private addLogBucket(retentionDays: number): IBucket {
    return new Bucket(this, 'SiteLogs', {
      ...privateAndTemporary,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_PREFERRED,
      lifecycleRules: [{ id: 'retention', expiration: Duration.days(retentionDays) }],
    }) as IBucket
  }

  /** Leads the site's own address to the distribution, or tells where to lead it by hand. */
  private addAddress({ name, hostedZoneId }: NonNullable<Config['domain']>, distribution: Distribution) {
    if (!hostedZoneId) {
      new CfnOutput(this, 'AddressTarget', { value: distribution.distributionDomainName })
      return
    }
    const record = {
      zone: HostedZone.fromHostedZoneId(this, 'Zone', hostedZoneId),
      // whole, as the dot says: the zone's own name is not known here
      recordName: `${name}.`,
      target: RecordTarget.fromAlias(new CloudFrontTarget(distribution)),
    }
    new ARecord(this, 'Address', record)
    new AaaaRecord(this, 'Address6', record)
  }

  private addDistribution({
    siteBucket,
    logBucket,
    api,
    edge,
    siteFolder,
    config: { prefix, domain },
    headers,
  }: Pick<WebStackProps, 'config' | 'api' | 'edge' | 'siteFolder'> & {
    siteBucket: IBucket
    logBucket: IBucket | undefined
    headers: Record<string, string>
  }): Distribution {
    const certificateArn = domain?.certificateArn ?? edge?.certificateArn
    const responseHeadersPolicy = new ResponseHeadersPolicy(this, 'Headers', responseHeaders(headers))
    const spaFallback = new CloudFrontFunction(this, 'SpaFallback', {
      comment: 'The page for every address of the page',
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(spaFallbackCode(siteFolder, domain?.name)),
    })
    const apiBehaviour: BehaviorOptions = {
      // without a raised quota CloudFront waits at most 60 s for the next byte; replies send a heartbeat more often
      origin: new RestApiOrigin(api, { readTimeout: Duration.seconds(60) }),
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      responseHeadersPolicy,
      // compressing means collecting, and replies have to stream
      compress: false,
    }
    const siteBehaviour: BehaviorOptions = {
      // LIST makes a missing file a 404 instead of a 403
      origin: S3BucketOrigin.withOriginAccessControl(siteBucket, {
        originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
      }),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      responseHeadersPolicy,
      compress: true,
      functionAssociations: [{ function: spaFallback, eventType: FunctionEventType.VIEWER_REQUEST }],
    }
    const sharedBehaviour: BehaviorOptions = {
      ...siteBehaviour,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      responseHeadersPolicy: new ResponseHeadersPolicy(
        this,
        'SharedHeaders',
        responseHeaders(sharedPageHeaders(headers)),
      ),
    }
    const diagramBehaviour: BehaviorOptions = {
      ...siteBehaviour,
      responseHeadersPolicy: new ResponseHeadersPolicy(
        this,
        'DiagramHeaders',
        responseHeaders(diagramFrameHeaders(headers)),
      ),
    }
    const distribution = new Distribution(this, 'Distribution', {
      comment: prefix,
      ...(domain &&
        certificateArn && {
          domainNames: [domain.name],
          certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
          minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
        }),
      ...(edge?.webAclArn && { webAclId: edge.webAclArn }),
      ...(logBucket && { logBucket, logFilePrefix: 'distribution/' }),
      defaultRootObject: 'index.html',
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_100,
      defaultBehavior: siteBehaviour,
      additionalBehaviors: {
        '/api/*': apiBehaviour,
        '/functions/*': apiBehaviour,
        [`${sharedPath}*`]: sharedBehaviour,
        [`${diagramFramePath}*`]: diagramBehaviour,
      },
    })
    acknowledge(distribution, {
      CFR1: 'Who may sign up is not a question of the country they are in; an operator who sees that otherwise adds a rule to the web ACL.',
      ...(!edge?.webAclArn && {
        CFR2: 'Whoever deploys the stage has not asked for a web ACL (waf), which costs money while it stands still; the gateway’s throttle and the budgets of each person hold without it.',
      }),
      ...(!logBucket && { CFR3: 'Whoever deploys the stage has switched its access logs off (accessLogs).' }),
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

  private addClient({ userPool }: WebStackProps['auth'], origin: string, google: boolean): UserPoolClient {
    return new UserPoolClient(this, 'AppClient', {
      userPool,
      generateSecret: false,
      authFlows: { userSrp: true },
      // rotation excludes the older refresh flow; the longest grace forgives two tabs that refresh at once
      refreshTokenRotationGracePeriod: Duration.seconds(60),
      accessTokenValidity: Duration.minutes(15),
      idTokenValidity: Duration.minutes(15),
      refreshTokenValidity: Duration.days(30),
      // a person with two factors may have to look for a backup code
      authSessionValidity: Duration.minutes(15),
      preventUserExistenceErrors: true,
      enableTokenRevocation: true,
      supportedIdentityProviders: [
        UserPoolClientIdentityProvider.COGNITO,
        ...(google ? [UserPoolClientIdentityProvider.GOOGLE] : []),
      ],
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.PROFILE, OAuthScope.COGNITO_ADMIN],
        callbackUrls: [`${origin}/auth`],
        logoutUrls: [`${origin}/auth`],
      },
    })
  }

  /** Files with a hash in their name first and for ever, then what only the deployment knows, and last the page that names them. Old ones stay for open tabs. */
  private deploySite(bucket: IBucket, siteFolder: string, logRetentionDays: number, facts: ISource[]) {
    const logGroup = new LogGroup(this, 'DeploymentLogs', {
      retention: logRetentionDays as RetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const role = helperRole(this, 'DeploymentRole', logGroup)
    writesSite(role, bucket)
    const shared = {
      destinationBucket: bucket,
      prune: false,
      memoryLimit: 256,
      logGroup,
      // the library would let it delete, and read and change more than it does
      role: role.withoutPolicyUpdates(),
    }
    const siteFiles = readableBy(role, Source.asset(siteFolder))
    const assets = new BucketDeployment(this, 'Assets', {
      ...shared,
      sources: [siteFiles],
      exclude: ['*'],
      include: ['assets/*', diagramAssets],
      cacheControl: [CacheControl.fromString('public, max-age=31536000, immutable')],
    })
    const settings = new BucketDeployment(this, 'Settings', {
      ...shared,
      sources: facts.map((source) => readableBy(role, source)),
      cacheControl: [CacheControl.noStore()],
    })
    const pages = new BucketDeployment(this, 'Pages', {
      ...shared,
      sources: [siteFiles],
      exclude: [
        'assets/*',
        diagramAssets,
        '.*',
        'config.json',
        clientDocumentPath.slice(1),
        webManifestPath.slice(1),
      ],
      cacheControl: [CacheControl.noCache()],
    })
    settings.node.addDependency(assets)
    pages.node.addDependency(settings)
    const helper = this.node.children.find(({ node }) => node.id.startsWith('Custom::CDKBucketDeployment'))
    if (helper)
      acknowledge(helper, {
        L1: 'The helper is the library’s, in the runtime that the library tests it with; it works only while the stack is deployed, and changes with the library’s version.',
      })
  }
}

/** Lets the helper that deploys the site write it: what `aws s3 sync` calls that deletes nothing. */
function writesSite(role: Role, bucket: IBucket) {
  role.addToPolicy(new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }))
  role.addToPolicy(
    new PolicyStatement({
      actions: ['s3:AbortMultipartUpload', 's3:PutObject'],
      resources: [bucket.arnForObjects('*')],
    }),
  )
  acknowledgeStar(
    role,
    bucket.arnForObjects('*'),
    'The helper writes the site, whose file names change with every build, into a bucket that holds nothing else; it may neither read nor delete there.',
  )
}

/** The same files, whose archive the helper may read. */
function readableBy(role: Role, source: ISource): ISource {
  return {
    bind(scope, context) {
      const bound = source.bind(scope, context)
      const archives = bound.bucket.arnForObjects('*.zip')
      role.addToPolicy(new PolicyStatement({ actions: ['s3:GetObject'], resources: [archives] }))
      acknowledgeStar(
        role,
        archives,
        'The archives of a deployment are named by a hash of what is in them. Naming each would change the policy a moment before it is needed, and IAM’s changes take a while to be known everywhere: deployments would fail now and then.',
      )
      return bound
    },
  }
}
