import { createServer, type IncomingMessage } from 'node:http'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { builtInProviders, findProvider } from '../../../../functions/providers/built-in.ts'
import * as allDoubles from '../../../../functions/providers/all/doubles.ts'
import { openJsonFile } from '../../json-file.ts'
import { listen } from '../../listen.ts'
import { readBody } from '../../read-body.ts'
import { added, type ProviderResponse, type ProviderRequest, json } from './http.ts'
import type { Double } from './double.ts'
import { parseBearer, oauthDouble } from './oauth.ts'
import { remoteIds, remoteMcpDoubles } from './remote-mcp.ts'
import { respondFrom } from './router.ts'
import type { ProviderState } from './store.ts'
import { acceptKey, unauthorized } from './unauthorized.ts'

const doubles: Readonly<Record<string, Double>> = allDoubles

const maxBodyBytes = 8 * 1024 * 1024

export interface ProviderDoubles {
  readonly url: string
  /** `host:port`, which the outbound guard has to allow */
  readonly host: string
  /** addresses of all built-in providers here, in the form of PROVIDER_OVERRIDES */
  overrides(): Record<
    string,
    { authUrl?: string; tokenUrl?: string; revokeUrl?: string; apiBase: string; mcpUrl?: string }
  >
  /** Resets rows to the initial ones; connections stay. */
  restoreData(): void
  close(): Promise<void>
}

/**
 * Starts doubles of the providers of the built-in integrations, on a free port of this machine: `/<id>/…` is a provider.
 * @param options `onRequest` gets every request as received; `redirectHost` is a host besides this machine to which users are sent back
 */
export async function startProviderDoubles({
  dataDir,
  onRequest,
  redirectHost = () => undefined,
}: {
  dataDir: string
  redirectHost?: () => string | undefined
  onRequest?: (provider: string, request: ProviderRequest) => void
}): Promise<ProviderDoubles> {
  const store = await openJsonFile<ProviderState>(join(dataDir, 'providers.json'), {
    codes: {},
    grants: {},
    accessTokens: {},
    clients: {},
    notes: {},
    rows: {},
  })
  const remote = remoteMcpDoubles(store, () => listening.url)
  const oauth = oauthDouble(store, (provider) => {
    const builtIn = findProvider(provider)
    return (
      remote.findRules(provider) ?? {
        name: builtIn?.name ?? provider,
        requiresPkce: builtIn?.oauth?.pkce === 'required',
        redirectHost: redirectHost(),
        allowsSubpaths: provider === 'github' || provider === 'slack',
      }
    )
  })

  async function respond(provider: string, request: ProviderRequest): Promise<ProviderResponse> {
    const remoteResponse = await remote.respond(oauth, provider, request)
    if (remoteResponse) return remoteResponse
    const builtIn = findProvider(provider)
    if (!builtIn) return json(404, { error: 'no such provider' })
    const oauthResponse = await oauth.respond(provider, request)
    if (oauthResponse) return oauthResponse
    if (!/^\/api(?:\/|$)/.test(request.path)) return json(404, { error: 'not found' })
    const grant = builtIn.apiKey ? acceptKey(request) : oauth.findGrant(provider, parseBearer(request))
    if (!grant) return unauthorized(doubles[provider])
    const apiRequest = { ...request, path: request.path.slice('/api'.length) }
    const refused = added.rules?.refuseRequest(provider, apiRequest, grant.scopes)
    if (refused) return refused
    const response = await respondFrom(doubles[provider] ?? {}, store, provider, apiRequest)
    added.rules?.checkResponse(provider, apiRequest, response)
    return response
  }

  const server = createServer((request, response) => {
    parseRequest(request)
      .then(({ provider, providerRequest }) => {
        onRequest?.(provider, providerRequest)
        return respond(provider, providerRequest)
      })
      .catch((error: unknown) => json(500, { error: `the double failed: ${String(error)}` }))
      .then(({ status, headers = {}, body = '' }) => {
        response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
        response.end(body)
      })
      .catch(() => response.destroy())
  })
  const listening = await listen(server)
  const { url, port } = listening
  return {
    url,
    host: `127.0.0.1:${port}`,
    overrides: () =>
      Object.fromEntries(
        builtInProviders.map(({ id, oauth: oauthSettings }) => {
          const base = `${url}/${id}`
          const addresses = oauthSettings && {
            authUrl: `${base}/authorize`,
            tokenUrl: `${base}/token`,
            ...(oauthSettings.revokeUrl && { revokeUrl: `${base}/revoke` }),
          }
          const mcp = remoteIds.includes(id) && { mcpUrl: `${base}/mcp` }
          return [id, { ...addresses, ...mcp, apiBase: `${base}/api` }]
        }),
      ),
    restoreData: () => void Object.assign(store.state, { rows: {} }),
    async close() {
      await listening.close()
      await store.save()
    },
  }
}

/** Writes the addresses of the doubles, overridden by the operator's, into the file that functions read. */
export async function writeOverrides(file: string, ...layers: Record<string, object>[]): Promise<void> {
  const ids = new Set(layers.flatMap((layer) => Object.keys(layer)))
  const merged = Object.fromEntries(
    [...ids].map((id) => [id, Object.assign({}, ...layers.map((layer) => layer[id] ?? {})) as object]),
  )
  await writeFile(file, JSON.stringify(merged, null, 1), { mode: 0o600 })
}

async function parseRequest(
  request: IncomingMessage,
): Promise<{ provider: string; providerRequest: ProviderRequest }> {
  const body = await readBody(request, maxBodyBytes, () => new Error('the body is too large'))
  const url = new URL(request.url ?? '/', 'http://localhost')
  const [, provider = '', ...rest] = url.pathname.split('/')
  return {
    provider,
    providerRequest: {
      method: request.method ?? 'GET',
      path: `/${rest.join('/')}`,
      query: url.searchParams,
      headers: request.headers as ProviderRequest['headers'],
      body: body.toString('utf8'),
    },
  }
}
