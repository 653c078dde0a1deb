import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { ownPasswordLength } from '#shared/limits.ts'
import { securityHeaders } from '#shared/security-headers.ts'
import { signUpText } from '#shared/sign-up-policy.ts'
import { openTable } from '../../functions/platform/dynamodb/table.ts'
import { type DemoModel, demoImageModelName, demoModelName, startDemoModel } from './doubles/model/server.ts'
import { startCognitoEmulator } from './emulators/cognito/start-cognito-emulator.ts'
import { startDynamoDbEmulator } from './emulators/dynamodb.ts'
import { startS3Emulator } from './emulators/s3/start-s3-emulator.ts'
import { startLambdaEmulator } from './emulators/lambda-invoke.ts'
import { startSecretsEmulator } from './emulators/secrets.ts'
import { documentParserName, invokedFunctions, loadHandlers, triggers } from './function-modules.ts'
import { credentialVariables, generateCredentials } from './credentials.ts'
import { writeEndpoints } from './endpoints.ts'
import { createGateway } from './gateway.ts'
import { installLambdaRuntime } from './lambda.ts'
import { listen } from './listen.ts'
import { mailboxPath } from './mail-page.ts'
import { createMailbox, type Mailbox } from './mailbox.ts'
import { createLocalServer, type Site } from './server.ts'
import type { LocalSettings } from './settings.ts'
import { startDailySync } from './daily-sync.ts'
import { arrangeProviders } from './provider-doubles.ts'
import { keepSecret, storeSecret, writeSiteRow } from './provision.ts'
import type { Page } from './static-page.ts'

const region = 'us-east-1'
const tableName = 'juno-local'
const uploadsBucket = 'juno-local-uploads'
const modelKeySecret = 'juno/local/model-key'
const githubTokenSecret = 'juno/local/github-token'
const sealingKeySecret = 'juno/local/sealing-key'
const vaultPrefix = 'juno/local/vault'
const defaultModel = 'gpt-5.6-terra'
/** what OpenAI knows; another server has names of its own */
const defaultImageModel = 'gpt-image-2'
/** as in a deployment; what lies on a laptop has no backups of its own */
const recoveryDays = 35

export interface LocalProduct {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  readonly mailbox: Mailbox
  /** undefined when another model is configured */
  readonly model: DemoModel | undefined
  /** write units charged since the start, by DynamoDB's documented rule */
  writeUnits(): number
  /** requests whose function has not ended yet */
  running(): number
  /** Stops taking requests, gives running replies the time to end, then ends everything. */
  close(): Promise<void>
}

export interface LocalOptions {
  /** how the page is served; gets the server for what shares its port */
  page: (server: Server) => Promise<Page>
  /** extra sources of scripts and connections that a development server needs */
  relaxHeaders?: (headers: Record<string, string>) => Record<string, string>
  /** how long `close` waits for running replies */
  graceMs?: number
}

/**
 * Starts the whole product in this process: emulators on free ports, the very handlers of Lambda, one server in front. Handlers
 * read the environment once, when they load, so a process can hold one product.
 * @throws DataFolderInUse, or the system's error when the port is taken (`code` EADDRINUSE)
 */
export async function startLocal(settings: LocalSettings, options: LocalOptions): Promise<LocalProduct> {
  const { page, relaxHeaders = (headers) => headers, graceMs = 5_000 } = options
  const { dataDir } = settings
  const credentials = generateCredentials()
  const ready = Promise.withResolvers<Site>()
  ready.promise.catch(() => undefined)
  const server = createLocalServer(ready.promise)
  // The port first: whoever starts a second copy is told about the port rather than about the data folder.
  const listening = await listen(server, settings.port)
  const origin = listening.url
  const closing: (() => Promise<void> | void)[] = [() => listening.close()]
  const closeAll = async () => {
    for (const close of closing) await close()
  }
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    const dynamodb = await startDynamoDbEmulator({ dataDir, tableName, credentials, region })
    closing.push(() => dynamodb.close())
    const secrets = await startSecretsEmulator({ dataDir, region, credentials })
    closing.push(() => secrets.close())
    const s3 = await startS3Emulator({
      dataDir,
      bucket: uploadsBucket,
      credentials,
      region,
      corsOrigins: [origin, origin.replace('127.0.0.1', 'localhost')],
      expiring: ['incoming/', 'exports/'].map((prefix) => ({ prefix, afterMs: 86_400_000 })),
    })
    closing.push(() => s3.close())
    const lambda = await startLambdaEmulator({
      functions: invokedFunctions,
      credentials,
      region,
    })
    closing.push(() => lambda.close())
    const mailbox = createMailbox({ dataDir })
    const cognito = await startCognitoEmulator({
      dataDir,
      region,
      credentials,
      triggers,
      mailbox,
      emailSendingAccount: settings.mailMode === 'link' ? 'DEVELOPER' : 'COGNITO_DEFAULT',
      keepOriginalEmail: true,
      minPasswordCharacters: settings.minPasswordCharacters,
      siteOrigins: [origin, origin.replace('127.0.0.1', 'localhost')],
    })
    closing.push(
      () => cognito.close(),
      () => mailbox.close(),
    )
    const model = settings.model
      ? undefined
      : await startDemoModel({ tokensPerSecond: settings.demoTokensPerSecond })
    if (model) closing.push(() => model.close())
    const providers = await arrangeProviders(settings)
    if (providers.doubles) closing.push(() => providers.doubles?.close())

    setEnvironment({
      AWS_REGION: region,
      ...credentialVariables(credentials),
      // a profile of the machine would win over the keys above
      AWS_PROFILE: undefined,
      AWS_ENDPOINT_URL: undefined,
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
      AWS_ENDPOINT_URL_S3: s3.url,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
      AWS_ENDPOINT_URL_LAMBDA: lambda.url,
      AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: cognito.url,
      TABLE_NAME: tableName,
      UPLOADS_BUCKET: uploadsBucket,
      BUCKET_ORIGIN: s3.url,
      DOCUMENT_PARSER_FUNCTION: documentParserName,
      TOKEN_ISSUER: cognito.issuer,
      JWKS_URI: cognito.jwksUri,
      USER_POOL_ID: cognito.userPoolId,
      ASSISTANT_NAME: settings.assistantName,
      BRAND_NAME: settings.brandName,
      MAIL_TEXTS: settings.mailMode === 'link' ? 'own' : 'cognito',
      PRODUCT_VERSION: settings.version,
      RECOVERY_DAYS: String(recoveryDays),
      SIGN_UP: signUpText(settings.signUp),
      SHARING: settings.sharing ? 'on' : 'off',
      METRICS_NAMESPACE: 'juno-local',
      RATE_LIMIT_FACTOR: String(settings.rateLimitFactor),
      REPLIES_AT_ONCE: settings.repliesAtOnce?.toString(),
      TOKENS_PER_DAY: settings.tokensPerDay?.toString(),
      IMAGES_PER_DAY: settings.imagesPerDay?.toString(),
      SITE_TOKENS_PER_DAY: settings.siteTokensPerDay?.toString(),
      STORAGE_GB_PER_USER: settings.storageGbPerUser?.toString(),
      OPENAI_API_KEY: undefined,
      OPENAI_BASE_URL: model?.baseUrl ?? settings.model?.baseUrl,
      OPENAI_MODEL: settings.model ? (settings.model.name ?? defaultModel) : demoModelName,
      OPENAI_IMAGE_MODEL: settings.model
        ? (settings.model.imageName ?? (settings.model.baseUrl ? undefined : defaultImageModel))
        : demoImageModelName,
      MODEL_KEY_SECRET: modelKeySecret,
      SEALING_KEY_SECRET: sealingKeySecret,
      VAULT: settings.vault,
      VAULT_PREFIX: vaultPrefix,
      PROVIDER_OVERRIDES: providers.overridesFile,
      PROVIDER_APPS_SECRET: undefined,
      OUTBOUND_ALLOW: providers.outboundAllow,
      MCP_REGISTRY_URL: settings.mcpRegistryUrl,
      GITHUB_API_URL: settings.github.apiUrl,
      GITHUB_TOKEN: undefined,
      GITHUB_TOKEN_SECRET: settings.github.token ? githubTokenSecret : undefined,
    })
    installLambdaRuntime()
    await Promise.all([
      storeSecret(modelKeySecret, model?.apiKey ?? settings.model?.key ?? 'none'),
      keepSecret(sealingKeySecret, () => randomBytes(48).toString('base64url')),
      settings.github.token ? storeSecret(githubTokenSecret, settings.github.token) : undefined,
      writeSiteRow(openTable(tableName), {
        origin,
        clientId: cognito.clientId,
        bucketOrigin: s3.url,
      }),
      writeEndpoints(dataDir, {
        dynamodb: dynamodb.url,
        s3: s3.url,
        secrets: secrets.url,
        lambda: lambda.url,
        cognito: cognito.url,
        model: model?.baseUrl,
        modelKey: model?.apiKey,
        providers: providers.doubles?.url,
        credentials,
        // what `npm run vault -- --local` has to know
        table: tableName,
        sealingKey: sealingKeySecret,
        vaultPrefix,
        vault: settings.vault,
      }),
    ])
    const gateway = createGateway(await loadHandlers(), reportFailure)
    closing.unshift(() => waitForReplies(server, gateway, graceMs))
    ready.resolve({
      gateway,
      page: await page(server),
      mailbox,
      origin,
      config: {
        region: cognito.userPoolId.split('_')[0],
        userPoolId: cognito.userPoolId,
        userPoolClientId: cognito.clientId,
        userPoolEndpoint: cognito.url,
        oauthDomain: cognito.url,
        assistantName: settings.assistantName,
        brandName: settings.brandName,
        ...ownPasswordLength(settings),
        signUp: settings.signUp.mode,
        ...(!settings.sharing && { sharing: false }),
        mailbox: mailboxPath,
        demo: { model: model !== undefined, providers: settings.providers === 'local' },
        version: settings.version,
      },
      headers: relaxHeaders(
        securityHeaders({ connectOrigins: [cognito.url, s3.url], imageOrigins: [s3.url] }),
      ),
    })
    startDailySync()
    return {
      origin,
      mailbox,
      model,
      writeUnits: () => dynamodb.writeUnits(),
      running: () => gateway.running(),
      close: closeAll,
    }
  } catch (error) {
    ready.reject(error)
    await closeAll()
    throw error
  }
}

function setEnvironment(variables: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(variables))
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
}

async function waitForReplies(
  server: Server,
  gateway: { running(): number },
  graceMs: number,
): Promise<void> {
  server.close()
  server.closeIdleConnections()
  const endsAt = performance.now() + graceMs
  while (gateway.running() > 0 && performance.now() < endsAt) await sleep(20)
}

function reportFailure(error: unknown): void {
  const { message, cause } = error as Error
  const reason = cause instanceof Error ? (cause.stack ?? cause.message) : ''
  process.stderr.write(`function failed: ${message}${reason && `\n${reason}`}\n`)
}
