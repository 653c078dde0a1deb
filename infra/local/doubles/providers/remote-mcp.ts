import { randomBytes } from 'node:crypto'
import { builtInProviders, findProvider } from '../../../../functions/providers/built-in.ts'
import { type ProviderResponse, type ProviderRequest, json } from './http.ts'
import { respondMcp } from './mcp-server.ts'
import { parseBearer, type oauthDouble, type OAuthRules } from './oauth.ts'
import type { ProviderStore } from './store.ts'

/**
 * How servers differ; which one has which habit is made up. All others register any client, without a secret.
 * - `documents`: accepts client metadata documents instead of registrations
 * - `secret`: gives each client a secret
 * - `refuses`: refuses registrations
 * - `silent`: sends no `iss`
 * - `thrifty`: asks for few scopes first, and for more when a call needs them (`insufficient_scope`)
 */
const habits: Record<string, 'documents' | 'secret' | 'refuses' | 'silent' | 'thrifty'> = {
  linear: 'documents',
  paypal: 'secret',
  confluence: 'refuses',
  airtable: 'silent',
  typeform: 'thrifty',
}

const hasServer = (id: string) => findProvider(id)?.remoteMcp?.auth === 'dcr'
export const remoteIds = builtInProviders.map(({ id }) => id).filter(hasServer)

/** The key of a server's grants, beside those of the provider's own API. */
const grantStoreId = (id: string) => `${id}/mcp-auth`

/**
 * Remote MCP servers with an authorization server beside each: metadata of both (RFC 9728, RFC 8414), registration (RFC 7591) or
 * metadata documents, PKCE, resource indicators (RFC 8707) and the issuer in the callback (RFC 9207).
 * @param origin of the doubles, known when the first request comes
 */
export const remoteMcpDoubles = (store: ProviderStore, origin: () => string) => {
  const { state } = store
  const resourceUrl = (id: string) => `${origin()}/${id}/mcp`
  const issuerUrl = (id: string) => `${origin()}/${id}/mcp-auth`

  /** Never throws: an unreadable document allows no redirect URI. */
  async function fetchRedirects(id: string, clientId: string): Promise<readonly string[]> {
    const client = Object.hasOwn(state.clients, clientId) ? state.clients[clientId] : undefined
    if (client) return client.provider === id ? client.redirectUris : []
    if (habits[id] !== 'documents' || !URL.canParse(clientId)) return []
    const document = (await fetch(clientId, { signal: AbortSignal.timeout(3_000) })
      .then((response) => response.json())
      .catch(() => undefined)) as { client_id?: unknown; redirect_uris?: string[] } | undefined
    return document?.client_id === clientId ? (document.redirect_uris ?? []) : []
  }

  async function register(id: string, { body }: ProviderRequest): Promise<ProviderResponse> {
    if (habits[id] === 'documents' || habits[id] === 'refuses') return json(403, { error: 'access_denied' })
    const clientMetadata = JSON.parse(body) as { redirect_uris?: string[]; client_name?: string }
    if (!clientMetadata.redirect_uris?.length) return json(400, { error: 'invalid_redirect_uri' })
    const clientId = `client-${randomBytes(12).toString('hex')}`
    const secret = habits[id] === 'secret' ? randomBytes(24).toString('base64url') : undefined
    state.clients[clientId] = { provider: id, redirectUris: clientMetadata.redirect_uris, secret }
    await store.save()
    return json(201, {
      ...clientMetadata,
      client_id: clientId,
      token_endpoint_auth_method: secret === undefined ? 'none' : 'client_secret_basic',
      ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
    })
  }

  const serverMetadata = (id: string) => ({
    issuer: issuerUrl(id),
    authorization_endpoint: `${issuerUrl(id)}/authorize`,
    token_endpoint: `${issuerUrl(id)}/token`,
    revocation_endpoint: `${issuerUrl(id)}/revoke`,
    ...(habits[id] === 'documents'
      ? { client_id_metadata_document_supported: true }
      : { registration_endpoint: `${issuerUrl(id)}/register` }),
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
    ...(habits[id] !== 'silent' && { authorization_response_iss_parameter_supported: true }),
    scopes_supported: ['read', 'write', 'offline_access'],
  })

  const challenge = (id: string, more = '') => ({
    'www-authenticate': `Bearer resource_metadata="${origin()}/.well-known/oauth-protected-resource/${id}/mcp"${more}`,
  })
  const unauthorized = (id: string) =>
    json(401, { error: 'invalid_token' }, challenge(id, habits[id] === 'thrifty' ? ', scope="read"' : ''))
  /** The scope that a call needs: an item is created with `write` alone. */
  const findMissingScope = (id: string, { body }: ProviderRequest, scopes: readonly string[]) => {
    const { method, params } = JSON.parse(body || '{}') as { method?: string; params?: { name?: string } }
    const needed = method === 'tools/call' && params?.name === 'create_item' ? 'write' : 'read'
    return habits[id] === 'thrifty' && !scopes.includes(needed) ? needed : undefined
  }

  return {
    /** How the authorization server beside a remote server behaves; undefined for other grants. */
    findRules(storeId: string): OAuthRules | undefined {
      const [id = '', part] = storeId.split('/')
      if (part !== 'mcp-auth' || !hasServer(id)) return undefined
      return {
        name: findProvider(id)?.name ?? id,
        requiresPkce: true,
        ...(habits[id] !== 'silent' && { issuer: issuerUrl(id) }),
        resource: resourceUrl(id),
        findAppProblem: async (clientId, redirectUri) =>
          (await fetchRedirects(id, clientId)).includes(redirectUri)
            ? undefined
            : 'The app is not registered, or not with this redirect URI.',
        admitsApp: (clientId, secret) => state.clients[clientId]?.secret === secret,
      }
    },

    /** Answers requests to a remote server, its authorization server, or the metadata of one of them. */
    async respond(
      oauth: ReturnType<typeof oauthDouble>,
      id: string,
      request: ProviderRequest,
    ): Promise<ProviderResponse | undefined> {
      if (id === '.well-known') {
        const [, document, server = '', part] = request.path.split('/')
        if (!hasServer(server)) return json(404, {})
        if (document === 'oauth-authorization-server' && part === 'mcp-auth')
          return json(200, serverMetadata(server))
        if (document === 'oauth-protected-resource' && part === 'mcp')
          return json(200, {
            resource: resourceUrl(server),
            authorization_servers: [issuerUrl(server)],
            scopes_supported: ['read', 'write'],
          })
        return json(404, {})
      }
      if (!hasServer(id)) return undefined
      if (request.path === '/mcp') {
        const token = parseBearer(request)
        const grant = oauth.findGrant(grantStoreId(id), token)
        if (!grant) return unauthorized(id)
        const missing = findMissingScope(id, request, grant.scopes ?? [])
        if (missing === undefined) return respondMcp(store, id, request)
        const refusal = challenge(id, `, error="insufficient_scope", scope="${missing}"`)
        return json(403, { error: 'insufficient_scope' }, refusal)
      }
      if (!request.path.startsWith('/mcp-auth/')) return undefined
      const path = request.path.slice('/mcp-auth'.length)
      if (request.method === 'POST' && path === '/register') return register(id, request)
      return oauth.respond(grantStoreId(id), { ...request, path })
    },
  }
}
