import { Duration } from 'aws-cdk-lib'
import type { IUserPool } from 'aws-cdk-lib/aws-cognito'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import type { Config } from './config.ts'
import type { DataStack } from './data-stack.ts'
import { productVersion } from './product-version.ts'

/** The parameters of a stage's functions. */
export interface FunctionInput {
  readonly config: Config
  readonly data: Pick<DataStack, 'table' | 'uploads' | 'modelKey' | 'sealingKey'>
  readonly userPool: IUserPool
}

/** The defaults of a function. Its timeout is the gateway's limit for buffered responses. */
export const functionDefaults = (config: Config) => ({
  memoryMb: 512,
  timeout: Duration.seconds(29),
  logRetentionDays: config.logRetentionDays,
  metricsNamespace: metricsNamespace(config),
})

/** The namespace of a stage's metrics; undefined switches metrics off. */
export const metricsNamespace = ({ prefix, monitoring }: Config) => (monitoring ? prefix : undefined)

/** The common beginning of the names of all users' secrets. */
export const vaultPrefix = ({ prefix }: Config) => `${prefix}/vault`

/** Variables of functions that verify tokens and count calls. */
export function authEnvironment({ config, data, userPool }: FunctionInput) {
  const issuer = `https://${userPool.userPoolProviderName}`
  return {
    TABLE_NAME: data.table.tableName,
    TOKEN_ISSUER: issuer,
    JWKS_URI: `${issuer}/.well-known/jwks.json`,
    RATE_LIMIT_FACTOR: String(config.rateLimitFactor),
  }
}

/** Variables of functions that also read or write users' files. */
export const fileEnvironment = (input: FunctionInput) => ({
  ...authEnvironment(input),
  UPLOADS_BUCKET: input.data.uploads.bucketName,
})

/** Variables of functions that use credentials of integrations. Without VAULT, credentials are stored in Secrets Manager. */
export const credentialEnvironment = ({ config, data }: Pick<FunctionInput, 'config' | 'data'>) => ({
  ...(config.vault === 'table' ? { VAULT: config.vault } : {}),
  SEALING_KEY_SECRET: data.sealingKey.secretArn,
  PROVIDER_APPS_SECRET: config.providerAppsSecretName,
  OUTBOUND_ALLOW: config.outboundAllow,
  // sent to MCP servers
  PRODUCT_VERSION: productVersion,
  // without it, apps are declared to servers
  ...(!config.mcpApps && { MCP_APPS: 'off' }),
})

/** Without SHARING, users may share conversations. */
export const sharingEnvironment = ({ sharing }: Config) => (sharing ? {} : { SHARING: 'off' })

/** Everybody's eight o'clock is spread over so many minutes; the index of what is due is written by it. */
export const spreadEnvironment = { SCHEDULE_SPREAD_MINUTES: '5' } as const

/** Variables of functions that hand over runs. */
export const scheduleEnvironment = (queue: IQueue) => ({
  SCHEDULE_QUEUE_URL: queue.queueUrl,
  ...spreadEnvironment,
})

/** The models that the deployment offers; nothing where its server lists them. */
export const modelEnvironment = (config: Config) => ({
  OPENAI_MODEL: config.openaiModel,
  MODELS: config.openaiModel === undefined ? undefined : JSON.stringify(config.models),
})
