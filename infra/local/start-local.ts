import { randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { isMainThread } from 'node:worker_threads'
import type { Server } from 'node:http'
import { type IdentityProvider, toPublicProviders } from '#shared/identity-providers.ts'
import { wait } from '../../functions/platform/clock.ts'
import { toPasswordLengthField } from '../aws/sign-in-settings.ts'
import { hasPricedModel, toPublicModels } from '#shared/models.ts'
import { parseOperatorApps } from '#shared/provider-apps.ts'
import { securityHeaders } from '../aws/security-headers.ts'
import { openTable } from '../../functions/platform/dynamodb/table.ts'
import { startDailyJobs } from './daily-jobs.ts'
import { startAppSandbox } from './app-sandbox.ts'
import type { DemoModel } from './doubles/model/server.ts'
import { writeEndpoints } from './endpoints.ts'
import {
  functionEnvironment,
  githubTokenSecret,
  listLocalModels,
  modelHeadersSecret,
  modelKeySecret,
  providerAppsSecret,
  searchKeySecret,
  sealingKeySecret,
  setEnvironment,
  vaultPrefix,
} from './function-environment.ts'
import { loadHandlers } from './function-modules.ts'
import { createGateway, type Gateway } from './gateway.ts'
import { installLambdaRuntime } from './lambda.ts'
import { listen } from './listen.ts'
import { mailboxPath } from './mail-page.ts'
import type { Mailbox } from './mailbox.ts'
import { createSecretOnce, saveSecret, writeSiteConfig } from './provision.ts'
import { createLocalServer, type Site } from './server.ts'
import { followLocalModels } from './server-models.ts'
import { startServices, tableName, type LocalServices, uploadsBucket } from './services.ts'
import type { LocalSettings } from './settings.ts'
import type { PageHandler } from './page-handler.ts'
import { createPushService } from './push-service.ts'
import { loadPublicKey, subscribeAccount } from './subscribe-account.ts'

export interface LocalProduct {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  readonly mailbox: Mailbox
  /** undefined when another model is configured */
  readonly model: DemoModel | undefined
  /** address of the demo MCP server, if there is one */
  readonly demoServer: string | undefined
  /** those to try, and how their button calls them */
  readonly identityProviders: readonly IdentityProvider[]
  /** functions that have not ended yet: those of requests, and those in the background */
  countRunning(): number
  /** Begins the next attempt of functions that have failed in the background, which otherwise waits for minutes. */
  retryNow(): void
  /** Stops accepting requests, gives running replies time to end, then stops everything. */
  close(): Promise<void>
}

export interface LocalOptions {
  /** how the page is served; gets the server, for other services on its port */
  page: (server: Server) => Promise<PageHandler>
  /** extra sources of scripts and connections that a development server needs */
  relaxHeaders?: (headers: Record<string, string>) => Record<string, string>
  /** how long `close` waits for running replies */
  graceMs?: number
}

/**
 * Starts the whole product in this process: the services on free ports, the handlers of Lambda, one server in front. Handlers
 * read the environment once, when they load, so a process can run one product.
 * @throws DataFolderInUse, or the system's error when the port is taken (`code` EADDRINUSE)
 */
export async function startLocal(settings: LocalSettings, options: LocalOptions): Promise<LocalProduct> {
  const { page, relaxHeaders = (headers) => headers, graceMs = 5_000 } = options
  const ready = Promise.withResolvers<Site>()
  ready.promise.catch(() => undefined)
  const server = createLocalServer(ready.promise)
  // the port first: starting a second copy should report the port, not the data folder
  const listening = await listen(server, settings.port)
  const origin = listening.url
  const closing: (() => Promise<void> | void)[] = [() => listening.close()]
  const closeAll = async () => {
    for (const close of closing) await close()
  }
  try {
    // the folder may have existed before, open to other users of the machine; a worker has the mask of its process
    if (isMainThread) process.umask(0o077)
    await mkdir(settings.dataDir, { recursive: true, mode: 0o700 })
    const services = await startServices(settings, origin, (close) => closing.push(close))
    setEnvironment(functionEnvironment(settings, services, origin))
    installLambdaRuntime()
    await provision(settings, services, origin)
    const gateway = createGateway(await loadHandlers(), reportFailure, settings.replySeconds)
    closing.unshift(() => waitForReplies(server, gateway, graceMs))
    const { cognito, s3, mailbox, model } = services
    const pushService = createPushService({ dataDir: settings.dataDir, origin, loadPublicKey })
    closing.push(() => pushService.close())
    const readModels = followLocalModels(settings)
    const sandbox = settings.mcpApps ? await startAppSandbox(origin) : undefined
    if (sandbox) closing.push(() => sandbox.close())
    ready.resolve({
      gateway,
      page: await page(server),
      mailbox,
      pushService,
      subscribe: (email) => subscribeAccount(pushService, cognito.userPoolId, email),
      origin,
      config: siteConfig(settings, services, sandbox?.url),
      ...(readModels && {
        async listModels() {
          const models = await readModels()
          return toPublicModels({ models, defaultId: models[0].id })
        },
      }),
      headers: relaxHeaders(
        securityHeaders({
          connectOrigins: [cognito.url, s3.url],
          imageOrigins: [s3.url],
          appsOrigin: sandbox?.url,
          dictation: settings.transcriptionModel !== undefined,
        }),
      ),
    })
    closing.unshift(startDailyJobs())
    return {
      origin,
      mailbox,
      model,
      demoServer: services.providers.demoServer?.url,
      identityProviders: services.identityProviders,
      countRunning: () => gateway.countRunning() + services.lambda.countRunning(),
      retryNow: () => services.lambda.retryNow(),
      close: closeAll,
    }
  } catch (error) {
    ready.reject(error)
    await closeAll()
    throw error
  }
}

/** Writes the data of a deployment (see provision.ts), and the endpoints for commands in other processes. */
async function provision(settings: LocalSettings, services: LocalServices, origin: string): Promise<void> {
  const { credentials, dynamodb, secrets, s3, lambda, cognito, identityProviders, model, providers } =
    services
  await Promise.all([
    saveSecret(modelKeySecret, model?.apiKey ?? settings.model?.key ?? 'none'),
    settings.model?.headers === undefined
      ? undefined
      : saveSecret(modelHeadersSecret, settings.model.headers),
    createSecretOnce(sealingKeySecret, () => randomBytes(48).toString('base64url')),
    settings.webSearchKey === undefined ? undefined : saveSecret(searchKeySecret, settings.webSearchKey),
    settings.github.token ? saveSecret(githubTokenSecret, settings.github.token) : undefined,
    settings.providerApps ? saveProviderApps(settings.providerApps) : undefined,
    writeSiteConfig(openTable(tableName), { origin, clientId: cognito.clientId, bucketOrigin: s3.url }),
    writeEndpoints(settings.dataDir, {
      dynamodb: dynamodb.url,
      s3: s3.url,
      secrets: secrets.url,
      lambda: lambda.url,
      cognito: cognito.url,
      model: model?.baseUrl,
      modelKey: model?.apiKey,
      providers: providers.doubles?.url,
      identityProvider: identityProviders[0]?.issuer,
      credentials,
      // for commands with `--local`
      table: tableName,
      bucket: uploadsBucket,
      sealingKey: sealingKeySecret,
      vaultPrefix,
      vault: settings.vault,
    }),
  ])
}

/** @throws Error when the file cannot be read, or is not valid; it quotes nothing of it */
async function saveProviderApps(file: string): Promise<void> {
  await saveSecret(providerAppsSecret, JSON.stringify(parseOperatorApps(await readFile(file, 'utf8'))))
}

/** The content of `/config.json`. */
function siteConfig(
  settings: LocalSettings,
  { cognito, identityProviders, model }: LocalServices,
  appsOrigin: string | undefined,
): Site['config'] {
  return {
    region: cognito.userPoolId.split('_')[0],
    userPoolId: cognito.userPoolId,
    userPoolClientId: cognito.clientId,
    userPoolEndpoint: cognito.url,
    oauthDomain: cognito.url,
    ...(identityProviders.length > 0 && { identityProviders: toPublicProviders(identityProviders) }),
    ...(!settings.passwordSignIn && { passwordSignIn: false }),
    assistantName: settings.assistantName,
    brandName: settings.brandName,
    ...toPasswordLengthField(settings),
    signUp: settings.signUp.mode,
    ...(!settings.sharing && { sharing: false }),
    ...(appsOrigin !== undefined && { appsOrigin }),
    ...(settings.transcriptionModel !== undefined && { dictation: true }),
    ...(settings.conversationTitles &&
      !model &&
      hasPricedModel(listLocalModels(settings).models) && { writesTitles: true }),
    models: toPublicModels(listLocalModels(settings)),
    mailbox: mailboxPath,
    demo: { model: model !== undefined, providers: settings.providers === 'local' },
    version: settings.version,
  }
}

async function waitForReplies(
  server: Server,
  gateway: Pick<Gateway, 'countRunning'>,
  graceMs: number,
): Promise<void> {
  server.close()
  server.closeIdleConnections()
  const endsAt = performance.now() + graceMs
  while (gateway.countRunning() > 0 && performance.now() < endsAt) await wait(20)
}

function reportFailure(error: unknown): void {
  const { message, cause } = error as Error
  const reason = cause instanceof Error ? (cause.stack ?? cause.message) : ''
  process.stderr.write(`function failed: ${message}${reason && `\n${reason}`}\n`)
}
