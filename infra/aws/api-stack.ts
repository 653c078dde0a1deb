import { CfnOutput, Duration, RemovalPolicy, Stack, TimeZone, type StackProps } from 'aws-cdk-lib'
import {
  AccessLogFormat,
  CognitoUserPoolsAuthorizer,
  EndpointType,
  LogGroupLogDestination,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway'
import type { IUserPool } from 'aws-cdk-lib/aws-cognito'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import { Schedule, ScheduleExpression } from 'aws-cdk-lib/aws-scheduler'
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { acknowledge } from './acknowledge.ts'
import { ApiFunction } from './api-function.ts'
import type { Config } from './config.ts'
import type { DataStack } from './data-stack.ts'
import { reshapeGatewayAnswers } from './gateway-answers.ts'
import { mountRoutes } from './mount-routes.ts'
import { Monitoring } from './monitoring.ts'
import {
  chats,
  connectsIntegrations,
  managesAccounts,
  managesFiles,
  managesSessions,
  managesTwoFactor,
  readsDocuments,
  readsRegistry,
  tellsTools,
  readsSecret,
  showsShares,
  syncsByHand,
  syncsRegistry,
} from './permissions.ts'
import { productVersion } from './product-version.ts'
import { existingSecret, ownSecret } from './secret-reference.ts'

export interface ApiStackProps extends StackProps {
  readonly config: Config
  readonly data: Pick<DataStack, 'table' | 'uploads' | 'modelKey' | 'sealingKey'>
  readonly userPool: IUserPool
}

/** What answers and what works by itself: the functions, the gateway in front of them, the daily sync, and what watches over them. */
export class ApiStack extends Stack {
  readonly api: RestApi

  constructor(scope: Construct, id: string, { config, data, userPool, ...props }: ApiStackProps) {
    super(scope, id, props)

    const functions = {
      ...this.addFunctions(config, data, userPool),
      ...this.addIntegrations(config, data, userPool),
    }
    const failed = this.addDailySync(config, data)

    // what `npm run vault` has to know
    new CfnOutput(this, 'Vault', { value: config.vault })
    new CfnOutput(this, 'VaultPrefix', { value: vaultPrefixOf(config.prefix) })

    this.api = this.addGateway(config)
    reshapeGatewayAnswers(this.api)
    mountRoutes(this.api, {
      functions,
      authorizer: new CognitoUserPoolsAuthorizer(this, 'SignedIn', { cognitoUserPools: [userPool] }),
    })
    if (config.monitoring)
      new Monitoring(this, 'Monitoring', {
        config,
        api: this.api,
        functions: Object.fromEntries(
          this.node.children
            .filter((child) => child instanceof ApiFunction)
            .map((one) => [one.node.id, one] as const),
        ),
        table: data.table,
        failedSyncs: failed,
      })
  }

  private addFunctions(
    {
      vault,
      assistantName,
      brandName,
      openaiBaseUrl,
      openaiModel,
      openaiImageModel,
      rateLimitFactor,
      tokensPerDay,
      repliesAtOnce,
      imagesPerDay,
      siteTokensPerDay,
      storageGbPerUser,
      chatConcurrency,
      outboundAllow,
      logRetentionDays,
      recoveryDays,
      sharing,
      providerAppsSecretName,
      prefix,
      monitoring,
    }: Config,
    { table, uploads, modelKey, sealingKey }: ApiStackProps['data'],
    userPool: IUserPool,
  ): Record<
    'chat' | 'sessions' | 'shared' | 'files' | 'documents' | 'account' | 'mfa' | 'health',
    ApiFunction
  > {
    const signedIn = signedInEnvironment({ table, userPool, rateLimitFactor })
    const withFiles = { ...signedIn, UPLOADS_BUCKET: uploads.bucketName }
    const vaultPrefix = vaultPrefixOf(prefix)
    const common = usual({ prefix, monitoring, logRetentionDays })
    const chat = new ApiFunction(this, 'Chat', {
      ...common,
      entry: 'chat/handlers.ts',
      description: 'Replies: asks the model, streams and keeps the conversation',
      timeout: Duration.seconds(300),
      reservedConcurrency: chatConcurrency,
      environment: {
        ...withFiles,
        TOKENS_PER_DAY: tokensPerDay?.toString(),
        REPLIES_AT_ONCE: repliesAtOnce?.toString(),
        IMAGES_PER_DAY: imagesPerDay?.toString(),
        SITE_TOKENS_PER_DAY: siteTokensPerDay.toString(),
        STORAGE_GB_PER_USER: storageGbPerUser?.toString(),
        ASSISTANT_NAME: assistantName,
        OPENAI_BASE_URL: openaiBaseUrl,
        OPENAI_MODEL: openaiModel,
        OPENAI_IMAGE_MODEL: openaiImageModel,
        MODEL_KEY_SECRET: modelKey.secretId,
        ...vaultIn(vault),
        SEALING_KEY_SECRET: sealingKey.secretArn,
        PROVIDER_APPS_SECRET: providerAppsSecretName,
        OUTBOUND_ALLOW: outboundAllow,
      },
    })
    chats(chat, { table, uploads, modelKey, vaultPrefix, sealingKey })

    const sessions = new ApiFunction(this, 'Sessions', {
      ...common,
      entry: 'conversations/handlers.ts',
      description: 'Conversations: list, read, name, search, export, delete',
      environment: { ...withFiles, ...sharingIn(sharing) },
    })
    managesSessions(sessions, { table, uploads })

    const shared = new ApiFunction(this, 'Shared', {
      ...common,
      entry: 'shares/handlers.ts',
      description: 'Shared conversations: shows snapshots to whoever has a link',
      environment: {
        TABLE_NAME: table.tableName,
        RATE_LIMIT_FACTOR: String(rateLimitFactor),
        ...sharingIn(sharing),
      },
    })
    showsShares(shared, table)

    const files = new ApiFunction(this, 'Files', {
      ...common,
      entry: 'files/handlers.ts',
      description: 'Files of users: lets uploads in, checks them, gives links, deletes',
      environment: { ...withFiles, STORAGE_GB_PER_USER: storageGbPerUser?.toString() },
    })
    managesFiles(files, { table, uploads })

    // untrusted bytes are read without a right to anything: its role is never granted more than its own log
    const documentParser = new ApiFunction(this, 'DocumentParser', {
      ...common,
      entry: 'documents/document-parser.ts',
      workers: ['documents/extract-worker.ts'],
      description: 'Reads the text of one document that it is handed, and may do nothing else',
      memoryMb: 1_024,
      // it ends before the function that waits for it
      timeout: Duration.seconds(27),
      environment: { BUCKET_ORIGIN: `https://${uploads.bucketRegionalDomainName}` },
    })
    const documents = new ApiFunction(this, 'Documents', {
      ...common,
      entry: 'documents/handlers.ts',
      description: 'Has documents read, and stores their text beside them',
      environment: { ...withFiles, DOCUMENT_PARSER_FUNCTION: documentParser.functionName },
    })
    readsDocuments(documents, { table, uploads, parser: documentParser })

    const account = new ApiFunction(this, 'Account', {
      ...common,
      entry: 'account/handlers.ts',
      description: 'What belongs to a person: profile, settings, export, erasure',
      // an export reads and writes every byte that a person stores
      timeout: Duration.minutes(15),
      environment: {
        ...withFiles,
        ASSISTANT_NAME: assistantName,
        USER_POOL_ID: userPool.userPoolId,
        RECOVERY_DAYS: String(recoveryDays),
        ...vaultIn(vault),
        SEALING_KEY_SECRET: sealingKey.secretArn,
        PROVIDER_APPS_SECRET: providerAppsSecretName,
        OUTBOUND_ALLOW: outboundAllow,
      },
    })
    managesAccounts(account, { table, uploads, userPool, vaultPrefix, sealingKey })
    // an erasure takes back what was granted through the operator's apps, too
    if (providerAppsSecretName) readsSecret(account, existingSecret(this, providerAppsSecretName))

    const mfa = new ApiFunction(this, 'Mfa', {
      ...common,
      entry: 'mfa/handlers.ts',
      description: 'Two-factor: set-up, backup codes, status',
      // hashing a code takes memory and a share of a processor, and memory is what buys both
      memoryMb: 1024,
      environment: {
        ...signedIn,
        BRAND_NAME: brandName,
        USER_POOL_ID: userPool.userPoolId,
        SEALING_KEY_SECRET: ownSecret(sealingKey).secretId,
      },
    })
    managesTwoFactor(mfa, { table, sealingKey: ownSecret(sealingKey), userPool })

    const health = new ApiFunction(this, 'Health', {
      ...common,
      entry: 'health/handlers.ts',
      description: 'Tells that the product answers, and which version',
      memoryMb: 256,
      timeout: Duration.seconds(10),
      environment: { PRODUCT_VERSION: productVersion },
    })
    return { chat, sessions, shared, files, documents, account, mfa, health }
  }

  private addIntegrations(
    {
      vault,
      prefix,
      monitoring,
      brandName,
      rateLimitFactor,
      outboundAllow,
      logRetentionDays,
      githubTokenSecretName,
      providerAppsSecretName,
    }: Config,
    { table, sealingKey }: ApiStackProps['data'],
    userPool: IUserPool,
  ): Record<'integrations' | 'oauth' | 'registry' | 'manualSync' | 'tools', ApiFunction> {
    const signedIn = signedInEnvironment({ table, userPool, rateLimitFactor })
    const vaultPrefix = vaultPrefixOf(prefix)
    const connecting = {
      ...signedIn,
      ...vaultIn(vault),
      VAULT_PREFIX: vaultPrefix,
      SEALING_KEY_SECRET: sealingKey.secretArn,
      PROVIDER_APPS_SECRET: providerAppsSecretName,
      OUTBOUND_ALLOW: outboundAllow,
    }
    const common = usual({ prefix, monitoring, logRetentionDays })
    const integrations = new ApiFunction(this, 'Integrations', {
      ...common,
      entry: 'integrations/handlers.ts',
      description: 'Integrations and custom tools: connect, disconnect, refresh, credentials',
      environment: connecting,
    })
    const oauth = new ApiFunction(this, 'Oauth', {
      ...common,
      entry: 'integrations/oauth-handlers.ts',
      description: 'Sign-ins at providers: begin, redeem, renew',
      environment: { ...connecting, BRAND_NAME: brandName },
    })
    const registry = new ApiFunction(this, 'Registry', {
      ...common,
      entry: 'registry/handlers.ts',
      description: 'The catalogue of integrations: page, search, status',
      environment: { ...signedIn, PROVIDER_APPS_SECRET: providerAppsSecretName },
    })
    const manualSync = new ApiFunction(this, 'ManualSync', {
      ...common,
      entry: 'registry/manual-sync.ts',
      description: 'Refreshes the registry of integrations when somebody asks for it',
      timeout: Duration.seconds(300),
      environment: {
        ...signedIn,
        GITHUB_TOKEN_SECRET: githubTokenSecretName,
        OUTBOUND_ALLOW: outboundAllow,
      },
    })
    const tools = new ApiFunction(this, 'Tools', {
      ...common,
      entry: 'tools/handlers.ts',
      description: 'What connections can do, and what the assistant did with them',
      environment: {
        ...signedIn,
        ...vaultIn(vault),
        SEALING_KEY_SECRET: sealingKey.secretArn,
        PROVIDER_APPS_SECRET: providerAppsSecretName,
        OUTBOUND_ALLOW: outboundAllow,
      },
    })
    tellsTools(tools, { table, vaultPrefix, sealingKey })
    connectsIntegrations(integrations, { table, vault, vaultPrefix, sealingKey })
    connectsIntegrations(oauth, { table, vault, vaultPrefix, sealingKey })
    readsRegistry(registry, table)
    syncsByHand(manualSync, table)
    if (providerAppsSecretName) {
      const apps = existingSecret(this, providerAppsSecretName)
      for (const fn of [integrations, oauth, registry, tools]) readsSecret(fn, apps)
    }
    if (githubTokenSecretName) readsSecret(manualSync, existingSecret(this, githubTokenSecretName))
    return { integrations, oauth, registry, manualSync, tools }
  }

  private addGateway({ prefix, logRetentionDays }: Config): RestApi {
    const accessLogs = new LogGroup(this, 'AccessLogs', {
      retention: logRetentionDays as RetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const api = new RestApi(this, 'Api', {
      restApiName: prefix,
      // an edge-optimised gateway would cut a stream after 30 quiet seconds, and the site has its own distribution
      endpointTypes: [EndpointType.REGIONAL],
      cloudWatchRole: true,
      deployOptions: {
        stageName: 'live',
        throttlingRateLimit: 200,
        throttlingBurstLimit: 400,
        accessLogDestination: new LogGroupLogDestination(accessLogs),
        // the route, never the path: paths hold ids
        accessLogFormat: AccessLogFormat.custom(
          JSON.stringify({
            requestId: '$context.requestId',
            time: '$context.requestTime',
            method: '$context.httpMethod',
            route: '$context.resourcePath',
            status: '$context.status',
            responseType: '$context.error.responseType',
            latencyMs: '$context.responseLatency',
            bytes: '$context.responseLength',
          }),
        ),
      },
    })
    acknowledge(api, {
      APIG2:
        'Functions check every path, query and body against the contract in shared/ and answer in the product’s own words; a second check here would answer first, in others.',
    })
    acknowledge(api.node.findChild('CloudWatchRole'), {
      'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
        'The role becomes a setting of the whole account in this region, with which every gateway there writes its logs; only API Gateway may take it. A narrower one would silence the others.',
    })
    acknowledge(api.deploymentStage, {
      APIG3:
        'The web ACL (context waf) stands before the distribution. Here it would see the addresses of CloudFront for those of people; who calls the gateway directly meets its throttle, the authorizer and the budgets of each person.',
      APIG6:
        'The access log above and the functions’ own logs tell what happened. Execution logs would write paths and values of requests, with ids of users’ things, into a log group that no stack owns and that keeps them for ever.',
    })
    return api
  }

  /** INFRA-09: what the scheduler could not start and what failed after its retries both end in one queue. */
  private addDailySync(
    { githubTokenSecretName, outboundAllow, logRetentionDays, prefix, monitoring }: Config,
    { table }: ApiStackProps['data'],
  ) {
    const failed = new Queue(this, 'FailedSyncs', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    })
    acknowledge(failed, { SQS3: 'This is the queue of what failed for good: nothing reads it but people.' })
    const sync = new ApiFunction(this, 'RegistrySync', {
      entry: 'registry/daily-sync.ts',
      description: 'Refreshes the registry of integrations once a day and records the result',
      memoryMb: 512,
      timeout: Duration.seconds(900),
      logRetentionDays,
      metricsNamespace: namespaceOf({ prefix, monitoring }),
      environment: {
        TABLE_NAME: table.tableName,
        GITHUB_TOKEN_SECRET: githubTokenSecretName,
        OUTBOUND_ALLOW: outboundAllow,
      },
    })
    syncsRegistry(sync, table)
    if (githubTokenSecretName) readsSecret(sync, existingSecret(this, githubTokenSecretName))
    // the scheduler only hands the event over: a sync that fails is repeated, and given up, by Lambda
    sync.configureAsyncInvoke({
      retryAttempts: 2,
      maxEventAge: Duration.hours(6),
      onFailure: new SqsDestination(failed),
    })
    const scheduler = new Role(this, 'DailySyncRole', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: {
          StringEquals: {
            'aws:SourceAccount': this.account,
            'aws:SourceArn': this.formatArn({
              service: 'scheduler',
              resource: 'schedule-group',
              resourceName: 'default',
            }),
          },
        },
      }),
      description: 'Starts the daily refresh of the registry',
    })
    for (const [action, resource] of [
      ['lambda:InvokeFunction', sync.functionArn],
      ['sqs:SendMessage', failed.queueArn],
    ] as const)
      scheduler.addToPolicy(new PolicyStatement({ actions: [action], resources: [resource] }))
    const schedule = new Schedule(this, 'DailySync', {
      description: 'The daily refresh of the registry',
      schedule: ScheduleExpression.cron({ minute: '17', hour: '3', timeZone: TimeZone.ETC_UTC }),
      target: new LambdaInvoke(sync, {
        retryAttempts: 3,
        maxEventAge: Duration.hours(6),
        deadLetterQueue: failed,
        // the library would let it start every version of the function, too
        role: scheduler.withoutPolicyUpdates(),
      }),
    })
    // it refuses a role that may not do its work yet
    schedule.node.addDependency(scheduler)
    return failed
  }
}

/** What every function that knows its callers gets. */
function signedInEnvironment({
  table,
  userPool,
  rateLimitFactor,
}: {
  table: ApiStackProps['data']['table']
  userPool: IUserPool
  rateLimitFactor: number
}) {
  const issuer = `https://${userPool.userPoolProviderName}`
  return {
    TABLE_NAME: table.tableName,
    TOKEN_ISSUER: issuer,
    JWKS_URI: `${issuer}/.well-known/jwks.json`,
    RATE_LIMIT_FACTOR: String(rateLimitFactor),
  }
}

/** What a function has that needs nothing else: the gateway gives up on it a moment later. */
const usual = ({
  prefix,
  monitoring,
  logRetentionDays,
}: Pick<Config, 'prefix' | 'monitoring' | 'logRetentionDays'>) => ({
  memoryMb: 512,
  timeout: Duration.seconds(29),
  logRetentionDays,
  metricsNamespace: namespaceOf({ prefix, monitoring }),
})

/** Where the metrics of a stage go: without a place nothing is measured. */
const namespaceOf = ({ prefix, monitoring }: Pick<Config, 'prefix' | 'monitoring'>) =>
  monitoring ? prefix : undefined

/** Where the secrets of users lie, by the stage's own name. */
const vaultPrefixOf = (prefix: string) => `${prefix}/vault`

/** Functions that are told nothing keep what is typed in Secrets Manager. */
const vaultIn = (vault: Config['vault']) => (vault === 'table' ? { VAULT: vault } : {})

/** Functions that are told nothing let people share. */
const sharingIn = (sharing: boolean) => (sharing ? {} : { SHARING: 'off' })
