import { CfnOutput, type CfnResource, Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib'
import type { RestApi } from 'aws-cdk-lib/aws-apigateway'
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront'
import { AaaaRecord, ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53'
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets'
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  ObjectOwnership,
  type IBucket,
} from 'aws-cdk-lib/aws-s3'
import { Source, type ISource } from 'aws-cdk-lib/aws-s3-deployment'
import type { Construct } from 'constructs'
import { toPublicProviders } from '#shared/identity-providers.ts'
import { toPasswordLengthField } from './sign-in-settings.ts'
import { hasPricedModel, toPublicModels } from '#shared/models.ts'
import { buildClientDocument, clientDocumentPath } from '#shared/oauth-client.ts'
import { securityHeaders } from './security-headers.ts'
import { buildWebManifest, webManifestPath } from './web-manifest.ts'
import { acknowledge } from './acknowledge.ts'
import { addAppSandbox } from './app-sandbox.ts'
import { addAppClient } from './app-client.ts'
import type { AuthStack } from './auth-stack.ts'
import type { Config } from './config.ts'
import type { DataStack } from './data-stack.ts'
import { formatSettings } from './deployed-settings.ts'
import { addDistribution } from './distribution.ts'
import type { EdgeStack } from './edge-stack.ts'
import { restrictAutoDeleteHelper } from './helper-role.ts'
import { productVersion } from './product-version.ts'
import { deploySite } from './site-deployment.ts'
import { writeSiteConfig } from './site-config-row.ts'

export interface WebStackProps extends StackProps {
  readonly config: Config
  readonly data: Pick<DataStack, 'table' | 'uploads'>
  readonly auth: Pick<AuthStack, 'userPool' | 'oauthOrigin'>
  readonly api: RestApi
  readonly edge: Pick<EdgeStack, 'certificateArn' | 'webAclArn'> | undefined
  /** the built site, `web/dist` */
  readonly siteFolder: string
}

/** For buckets whose content a deployment or CloudFront can write again. */
const temporaryBucketProps = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
  removalPolicy: RemovalPolicy.DESTROY,
  autoDeleteObjects: true,
}

/**
 * Has the CDK's helper empty the bucket of logs when no distribution writes into it any more. A deletion goes against the order of dependencies,
 * and takes distributions minutes, in which logs would arrive in the emptied bucket: it could not be deleted then.
 */
function emptyLast(logBucket: IBucket, distributions: readonly Distribution[]) {
  const emptying = logBucket.node.findChild('AutoDeleteObjectsCustomResource').node.defaultChild
  for (const { node } of distributions)
    (node.defaultChild as CfnResource).addResourceDependency(emptying as CfnResource)
}

/** The site, its distribution and its app client. Deployed last, it writes its address into the table for the other stacks. */
export class WebStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { config, data, auth, api, edge, siteFolder, ...props }: WebStackProps,
  ) {
    super(scope, id, props)
    const { table, uploads } = data
    const { logRetentionDays } = config
    const bucketOrigin = `https://${uploads.bucketRegionalDomainName}`

    const logBucket = config.accessLogs ? this.addLogBucket(logRetentionDays) : undefined
    const siteBucket = this.addSiteBucket(logBucket)
    const sandbox = config.mcpApps ? addAppSandbox(this, { config, siteBucket, logBucket }) : undefined
    const appsOrigin = sandbox && `https://${sandbox.distributionDomainName}`
    const distribution = addDistribution(this, {
      config,
      siteBucket,
      logBucket,
      api,
      edge,
      siteFolder,
      headers: securityHeaders({
        connectOrigins: [
          `https://cognito-idp.${this.region}.${this.urlSuffix}`,
          ...(auth.oauthOrigin ? [auth.oauthOrigin] : []),
          bucketOrigin,
        ],
        imageOrigins: [bucketOrigin],
        appsOrigin,
        dictation: config.transcriptionModel !== undefined,
        https: true,
      }),
    })
    if (logBucket) emptyLast(logBucket, [distribution, ...(sandbox ? [sandbox] : [])])
    const origin = `https://${config.domain?.name ?? distribution.distributionDomainName}`
    if (config.domain) this.addAddress(config.domain, distribution)
    const { userPoolClientId: clientId } = addAppClient(this, {
      userPool: auth.userPool,
      origin,
      config,
    })

    writeSiteConfig(this, { table, siteConfig: { origin, clientId, bucketOrigin }, logRetentionDays })
    deploySite(this, {
      bucket: siteBucket,
      siteFolder,
      logRetentionDays,
      settings: this.siteSettings({ config, auth, origin, clientId, appsOrigin }),
    })
    restrictAutoDeleteHelper(this, logRetentionDays)

    new CfnOutput(this, 'SiteUrl', { value: origin })
    // this stack is the last one, so that these settings are in force when it is deployed
    new CfnOutput(this, 'DeployedSettings', { value: formatSettings(config.settings) })
  }

  /** For the logs of the distribution, which CloudFront writes with an access control list, and of the site bucket. */
  private addLogBucket(retentionDays: number): IBucket {
    return new Bucket(this, 'SiteLogs', {
      ...temporaryBucketProps,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_PREFERRED,
      lifecycleRules: [{ id: 'retention', expiration: Duration.days(retentionDays) }],
    }) as IBucket
  }

  private addSiteBucket(logBucket: IBucket | undefined): IBucket {
    // the CDK's types for IBucket and Bucket disagree about optional properties
    const siteBucket = new Bucket(this, 'SiteBucket', {
      ...temporaryBucketProps,
      ...(logBucket && { serverAccessLogsBucket: logBucket, serverAccessLogsPrefix: 'bucket/' }),
    }) as IBucket
    if (!logBucket)
      acknowledge(siteBucket, {
        S1: 'The operator of the stage has switched its access logs off (accessLogs).',
      })
    return siteBucket
  }

  /** Points the site's domain to the distribution, or outputs the target for a DNS record made by hand. */
  private addAddress({ name, hostedZoneId }: NonNullable<Config['domain']>, distribution: Distribution) {
    if (!hostedZoneId) {
      new CfnOutput(this, 'AddressTarget', { value: distribution.distributionDomainName })
      return
    }
    const record = {
      zone: HostedZone.fromHostedZoneId(this, 'Zone', hostedZoneId),
      // fully qualified, as the dot says: the zone's own name is not known here
      recordName: `${name}.`,
      target: RecordTarget.fromAlias(new CloudFrontTarget(distribution)),
    }
    new ARecord(this, 'Address', record)
    new AaaaRecord(this, 'Address6', record)
  }

  /** The files of the site that depend on the deployment. */
  private siteSettings({
    config,
    auth,
    origin,
    clientId,
    appsOrigin,
  }: Pick<WebStackProps, 'config' | 'auth'> & {
    origin: string
    clientId: string
    appsOrigin: string | undefined
  }): ISource[] {
    return [
      Source.jsonData('config.json', {
        region: this.region,
        userPoolId: auth.userPool.userPoolId,
        userPoolClientId: clientId,
        ...(auth.oauthOrigin && { oauthDomain: auth.oauthOrigin }),
        // oauthDomain alone means Google
        ...(auth.oauthOrigin && !config.google && { googleSignIn: false }),
        ...(config.identityProviders.length > 0 && {
          identityProviders: toPublicProviders(config.identityProviders),
        }),
        ...(!config.passwordSignIn && { passwordSignIn: false }),
        assistantName: config.assistantName,
        brandName: config.brandName,
        ...toPasswordLengthField(config),
        signUp: config.signUp.mode,
        ...(!config.sharing && { sharing: false }),
        ...(appsOrigin !== undefined && { appsOrigin }),
        ...(config.transcriptionModel !== undefined && { dictation: true }),
        ...(config.conversationTitles && hasPricedModel(config.models) && { writesTitles: true }),
        // without them the page asks the functions
        ...(config.openaiModel !== undefined && {
          models: toPublicModels({ models: config.models, defaultId: config.openaiModel }),
        }),
        demo: { model: false, providers: false },
        version: productVersion,
      }),
      Source.jsonData(clientDocumentPath.slice(1), buildClientDocument({ origin, name: config.brandName })),
      Source.jsonData(webManifestPath.slice(1), buildWebManifest(config.brandName)),
    ]
  }
}
