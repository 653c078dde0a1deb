import { formatProviderConfigs } from '#shared/identity-providers.ts'
import { areListedByServer, defaultImageModel, listModels, type ListedModel } from '#shared/models.ts'
import { formatSignUpPolicy } from '#shared/sign-up-policy.ts'
import { credentialVariables } from './credentials.ts'
import { demoImageModelName, demoModelName } from './doubles/model/server.ts'
import {
  documentEmbedderName,
  documentParserName,
  documentReaderName,
  runQueueName,
  notifierName,
} from './function-modules.ts'
import { pushPath } from './push-service.ts'
import { mailSender, region, tableName, uploadsBucket, type LocalServices } from './services.ts'
import type { LocalSettings } from './settings.ts'

export const modelKeySecret = 'juno/local/model-key'
export const modelHeadersSecret = 'juno/local/model-headers'
export const searchKeySecret = 'juno/local/search-key'
export const githubTokenSecret = 'juno/local/github-token'
export const providerAppsSecret = 'juno/local/provider-apps'
export const sealingKeySecret = 'juno/local/sealing-key'
export const vaultPrefix = 'juno/local/vault'

/**
 * The functions' environment as the stacks define it, for one process.
 * @returns undefined values are variables that must not be set
 */
export function functionEnvironment(
  settings: LocalSettings,
  {
    credentials,
    dynamodb,
    secrets,
    s3,
    lambda,
    sqs,
    cognito,
    identityProviders,
    ses,
    model,
    bedrock,
    providers,
  }: LocalServices,
  origin: string,
): Record<string, string | undefined> {
  return {
    AWS_REGION: region,
    ...credentialVariables(credentials),
    // a profile would take precedence over the keys above
    AWS_PROFILE: undefined,
    AWS_ENDPOINT_URL: undefined,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    AWS_ENDPOINT_URL_S3: s3.url,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    AWS_ENDPOINT_URL_LAMBDA: lambda.url,
    AWS_ENDPOINT_URL_SQS: sqs.url,
    SCHEDULE_QUEUE_URL: sqs.queueUrl(runQueueName),
    // one person's eight o'clock is eight o'clock
    SCHEDULE_SPREAD_MINUTES: '0',
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: cognito.url,
    AWS_ENDPOINT_URL_SESV2: ses.url,
    // with Cognito's own mailer, as with a deployment without a sender, links have to be passed on
    MAIL_SENDER: settings.mailMode === 'link' ? mailSender : undefined,
    TABLE_NAME: tableName,
    UPLOADS_BUCKET: uploadsBucket,
    BUCKET_ORIGIN: s3.url,
    DOCUMENT_PARSER_FUNCTION: documentParserName,
    DOCUMENT_READER_FUNCTION: documentReaderName,
    NOTIFIER_FUNCTION: notifierName,
    DOCUMENT_EMBEDDER_FUNCTION: settings.embeddingModel === undefined ? undefined : documentEmbedderName,
    TOKEN_ISSUER: cognito.issuer,
    JWKS_URI: cognito.jwksUri,
    USER_POOL_ID: cognito.userPoolId,
    ASSISTANT_NAME: settings.assistantName,
    BRAND_NAME: settings.brandName,
    MAIL_TEXTS: settings.mailMode === 'link' ? 'own' : 'cognito',
    PRODUCT_VERSION: settings.version,
    // a laptop has no backups
    RECOVERY_DAYS: undefined,
    SIGN_UP: formatSignUpPolicy(settings.signUp),
    REQUIRE_TWO_FACTOR: settings.requireTwoFactor ? 'on' : 'off',
    IDENTITY_PROVIDERS: formatProviderConfigs(identityProviders, { hasGoogle: true }),
    PASSWORD_SIGN_IN: settings.passwordSignIn ? 'on' : 'off',
    SHARING: settings.sharing ? 'on' : 'off',
    MCP_APPS: settings.mcpApps ? 'on' : 'off',
    METRICS_NAMESPACE: 'juno-local',
    ...limitVariables(settings),
    ...modelVariables(settings, model),
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: bedrock?.url,
    WEB_SEARCH: settings.webSearch,
    WEB_SEARCH_KEY: undefined,
    WEB_SEARCH_URL: settings.webSearchUrl,
    WEB_SEARCH_KEY_SECRET: settings.webSearchKey === undefined ? undefined : searchKeySecret,
    SEALING_KEY_SECRET: sealingKeySecret,
    VAULT: settings.vault,
    VAULT_PREFIX: vaultPrefix,
    PROVIDER_OVERRIDES: providers.overridesFile,
    PROVIDER_APPS_SECRET: settings.providerApps ? providerAppsSecret : undefined,
    // nothing else of the product's own origin may be called
    OUTBOUND_ALLOW: [providers.outboundAllow, new URL(pushPath, origin).href.replace('http://', '')]
      .filter(Boolean)
      .join(','),
    MCP_REGISTRY_URL: settings.mcpRegistryUrl,
    GITHUB_API_URL: settings.github.apiUrl,
    GITHUB_TOKEN: undefined,
    GITHUB_TOKEN_SECRET: settings.github.token ? githubTokenSecret : undefined,
  }
}

const limitVariables = (settings: LocalSettings) => ({
  RATE_LIMIT_FACTOR: String(settings.rateLimitFactor),
  REPLIES_AT_ONCE: settings.repliesAtOnce?.toString(),
  TOKENS_PER_DAY: settings.tokensPerDay?.toString(),
  IMAGES_PER_DAY: settings.imagesPerDay?.toString(),
  SITE_TOKENS_PER_DAY: settings.siteTokensPerDay?.toString(),
  STORAGE_GB_PER_USER: settings.storageGbPerUser?.toString(),
})

/** The built-in model; it answers the Responses API alone. */
const demoModel: ListedModel = { id: demoModelName, api: 'responses', contextTokens: 32_000, webSearch: true }

/** The models that the product offers. */
export const listLocalModels = ({ model, models }: Pick<LocalSettings, 'model' | 'models'>) =>
  model
    ? listModels(models, model.name)
    : listModels(
        models?.map((one) => ({ ...one, api: one.api ?? 'responses' })) ?? [demoModel],
        demoModelName,
      )

function modelVariables(settings: LocalSettings, demo: LocalServices['model']) {
  const { model } = settings
  const { models, defaultId } = listLocalModels(settings)
  const isBedrock = model?.server === 'bedrock'
  const areListed = areListedByServer({
    baseUrl: model?.baseUrl,
    models: settings.models,
    defaultId: model?.name,
  })
  return {
    MODEL_SERVER: isBedrock ? model.server : undefined,
    MODEL_API: settings.modelApi,
    MODEL_SILENCE_SECONDS: settings.modelSilenceSeconds?.toString(),
    OPENAI_API_KEY: undefined,
    OPENAI_BASE_URL: demo?.baseUrl ?? model?.baseUrl,
    OPENAI_MODEL: areListed ? undefined : defaultId,
    MODELS: areListed ? undefined : JSON.stringify(models),
    // other servers have other names for theirs
    OPENAI_IMAGE_MODEL: model
      ? (model.imageName ?? (model.baseUrl || isBedrock ? undefined : defaultImageModel))
      : demoImageModelName,
    OPENAI_TRANSCRIPTION_MODEL: settings.transcriptionModel,
    EMBEDDING_MODEL: settings.embeddingModel,
    // the demo model has none to offer
    CONVERSATION_TITLES: model && settings.conversationTitles ? 'on' : 'off',
    MODEL_KEY_SECRET: isBedrock ? undefined : modelKeySecret,
    MODEL_HEADERS: undefined,
    MODEL_HEADERS_SECRET: model?.headers === undefined ? undefined : modelHeadersSecret,
  }
}

/** Sets the variables of this process; undefined ones are removed. */
export function setEnvironment(variables: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(variables))
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
}
