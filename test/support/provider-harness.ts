import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exchangeCode } from '../../functions/integrations/oauth/exchange.ts'
import { connect } from '../../functions/integrations/connect.ts'
import { openDeps, type IntegrationDeps } from '../../functions/integrations/deps.ts'
import { openTable } from '../../functions/platform/dynamodb/table.ts'
import { findProvider } from '../../functions/providers/built-in.ts'
import type { ConnectedApi } from '../../functions/providers/api.ts'
import { listCapabilities } from '../../functions/providers/capabilities.ts'
import { connectedApi } from '../../functions/tools/calls/connected-api.ts'
import { credentialVariables } from '../../infra/local/credentials.ts'
import type { ProviderRequest } from '../../infra/local/doubles/providers/http.ts'
import { startProviderDoubles, writeOverrides } from './provider-contracts/doubles.ts'
import { startDynamoDbEmulator } from '../../infra/local/emulators/dynamodb.ts'
import { startSecretsEmulator } from '../../infra/local/emulators/secrets.ts'
import { listen } from '../../infra/local/listen.ts'
import { saveSecret, writeSiteConfig } from '../../infra/local/provision.ts'
import { testCredentials } from './credentials.ts'
import { waitLimitMs } from './time-limits.ts'
import { decideConsent } from './provider-consent.ts'
import { parametersFor, credentialsFor } from './provider-values.ts'
import { initiate } from '../../functions/integrations/oauth/authorize.ts'

/** A request that went out to a provider. */
export interface SentRequest {
  method: string
  url: URL
  headers: Record<string, string>
  body: string
}

/** A request as received by a provider's double. */
export type ReceivedRequest = ProviderRequest & { provider: string }

/**
 * A response to be sent once instead of the double's, to a call whose path ends with `at`. `null` closes the connection. `together`:
 * the response waits until that many calls wait for one.
 */
export type CannedResponse = {
  status: number
  headers?: Record<string, string>
  body?: string | Uint8Array
  at?: string
  together?: number
} | null

export type ProviderHarness = Awaited<ReturnType<typeof startProviderHarness>>

const redirectUri = 'http://127.0.0.1:4000/oauth/callback'
const sub = 'user-1'

/**
 * The code that connects and calls providers, in this process, over the real SDK and real HTTP, with emulators for its stores and
 * doubles of the providers.
 * @param options `clientId`: app client id whose tokens the handlers accept
 */
export async function startProviderHarness({ clientId = 'test' } = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'juno-providers-'))
  const region = 'eu-central-1'
  const database = await startDynamoDbEmulator({
    dataDir,
    tableName: 'test',
    credentials: testCredentials,
    region,
  })
  const secrets = await startSecretsEmulator({ dataDir, region, credentials: testCredentials })
  const received: ReceivedRequest[] = []
  const doubles = await startProviderDoubles({
    dataDir,
    onRequest: (provider, asked) => received.push({ provider, ...asked }),
  })
  const canned: CannedResponse[] = []
  const findCanned = (path: string) => canned.findIndex((one) => path.endsWith(one?.at ?? ''))
  const waitingResponses: (() => void)[] = []
  const cannedServer = await listen(
    createServer((request, response) => {
      const at = findCanned(request.url ?? '')
      const [cannedResponse] = at < 0 ? [] : canned.splice(at, 1)
      request.resume()
      if (!cannedResponse) return void response.destroy()
      waitingResponses.push(() =>
        response.writeHead(cannedResponse.status, cannedResponse.headers).end(cannedResponse.body ?? ''),
      )
      if (waitingResponses.length >= (cannedResponse.together ?? 1))
        for (const send of waitingResponses.splice(0)) send()
    }),
  )
  const overrides = join(dataDir, 'overrides.json')
  await writeOverrides(overrides, doubles.overrides())
  Object.assign(process.env, {
    AWS_REGION: region,
    ...credentialVariables(testCredentials),
    AWS_ENDPOINT_URL_DYNAMODB: database.url,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    BRAND_NAME: 'Juno',
    TABLE_NAME: 'test',
    UPLOADS_BUCKET: 'uploads',
    DOCUMENT_READER_FUNCTION: 'reader',
    DOCUMENT_PARSER_FUNCTION: 'parser',
    // nobody has documents read
    AWS_ENDPOINT_URL_LAMBDA: 'http://127.0.0.1:1',
    VAULT_PREFIX: 'test/vault',
    SEALING_KEY_SECRET: 'test/sealing-key',
    PROVIDER_OVERRIDES: overrides,
    OUTBOUND_ALLOW: `${doubles.host},127.0.0.1:${cannedServer.port}`,
  })
  await saveSecret('test/sealing-key', 'a sealing key for tests, at least 48 characters long')
  await writeSiteConfig(openTable('test'), {
    origin: 'http://127.0.0.1:4000',
    clientId,
    bucketOrigin: 'http://127.0.0.1:1',
  })

  const sent: SentRequest[] = []
  const opened = openDeps()
  const stores: IntegrationDeps = {
    ...opened,
    http: {
      ...opened.http,
      async bytes(address, init = {}) {
        const url = new URL(address)
        const { method = 'GET', headers = {}, body = '' } = init
        sent.push({ method, url, headers, body })
        const isApi = url.pathname.split('/')[2] === 'api'
        return opened.http.bytes(
          isApi && findCanned(url.pathname) >= 0 ? new URL(url.pathname, cannedServer.url) : url,
          init,
        )
      },
      async text(address, init) {
        const { body, ...head } = await stores.http.bytes(address, init)
        return { ...head, text: new TextDecoder().decode(body) }
      },
    },
  }

  async function connectApi(mcpId: string): Promise<ConnectedApi> {
    const [row, provider] = [await stores.integrations.find(sub, mcpId), findProvider(mcpId)]
    if (!row || !provider) throw new Error(`${mcpId} is not connected`)
    return connectedApi(stores, { sub, row, provider })
  }

  return {
    sub,
    stores,
    doubles,
    /** all sent requests, in order */
    sent,
    /** all requests that the doubles received, in order */
    received,
    /** the API's next responses, in order; afterwards the double responds again */
    canned,
    connectApi,
    /** Connects as a user would: with credentials, or a click at the provider. @param clientId selects the double's behaviour */
    async connect(mcpId: string, clientId = 'demo'): Promise<ConnectedApi> {
      const options = { mcpId, environment: 'production' as const, parameters: parametersFor(mcpId) }
      if (findProvider(mcpId)?.apiKey)
        await connect(stores, sub, { ...options, credentials: credentialsFor(mcpId) })
      else {
        const initiated = await initiate(stores, sub, { ...options, clientId, redirectUri })
        const back = await decideConsent('authUrl' in initiated ? initiated.authUrl : '', 'allow')
        await exchangeCode(stores, sub, {
          code: back.searchParams.get('code') ?? '',
          state: back.searchParams.get('state') ?? '',
          redirectUri,
          iss: back.searchParams.get('iss') ?? undefined,
        })
      }
      return connectApi(mcpId)
    },
    /** Runs a capability with arguments as a model writes them. */
    async run(
      mcpId: string,
      id: string,
      input: Record<string, unknown> = {},
      signal = AbortSignal.timeout(waitLimitMs),
    ) {
      const capability = listCapabilities(mcpId).find((one) => one.id === id)
      if (!capability) throw new Error(`${mcpId} has no ${id}`)
      return capability.run(await connectApi(mcpId), capability.parameters.parse(input), signal)
    },
    async close() {
      await opened.http.close()
      await Promise.all([doubles.close(), cannedServer.close(), secrets.close(), database.close()])
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
