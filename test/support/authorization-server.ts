import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '../../infra/local/listen.ts'

/**
 * An MCP server with an authorization server as strict as RFC 6749, 7591 and 7636: clients register, redirect URIs have to match
 * exactly, a code works once, for its client, redirect URI and verifier. It shows no consent page: the user has allowed everything
 * before. It sends no `iss`, like most servers.
 */
export async function startAuthorizationServer() {
  const clients = new Map<string, string[]>()
  const codes = new Map<string, { clientId: string; redirectUri: string; challenge: string }>()
  const received = {
    /** requests to the token endpoint */
    tokenRequests: [] as URLSearchParams[],
    /** requests to the MCP server */
    bearers: [] as string[],
    /** redirect URIs of the clients that registered */
    registered: [] as string[][],
  }
  const behaviour = {
    /** the authorization server that it names; its own by default */
    issuer: undefined as string | undefined,
    /** further metadata */
    metadata: {} as Record<string, unknown>,
    /** where its token endpoint redirects to */
    tokenMovedTo: undefined as string | undefined,
    /** a script on its page, which then does not redirect */
    script: undefined as string | undefined,
    /** where its page redirects */
    redirectsTo: undefined as ((query: URLSearchParams) => string) | undefined,
  }

  type HttpResponse = { status: number; headers?: Record<string, string>; body?: object | string }
  const json = (status: number, body: object): HttpResponse => ({ status, body })

  function authorize(query: URLSearchParams): HttpResponse {
    if (behaviour.script !== undefined) {
      const headers = { 'content-type': 'text/html' }
      return {
        status: 200,
        headers,
        body: `<!doctype html><title>?</title><script>${behaviour.script}</script>`,
      }
    }
    if (behaviour.redirectsTo) return { status: 302, headers: { location: behaviour.redirectsTo(query) } }
    const clientId = query.get('client_id') ?? ''
    const redirectUri = query.get('redirect_uri') ?? ''
    const challenge = query.get('code_challenge')
    if (!clients.get(clientId)?.includes(redirectUri)) return json(400, { error: 'invalid_request' })
    if (!challenge || query.get('code_challenge_method') !== 'S256') return json(400, { error: 'no PKCE' })
    const code = randomUUID()
    codes.set(code, { clientId, redirectUri, challenge })
    const back = new URL(redirectUri)
    back.searchParams.set('code', code)
    back.searchParams.set('state', query.get('state') ?? '')
    return { status: 302, headers: { location: back.href } }
  }

  function grant(form: URLSearchParams): HttpResponse {
    received.tokenRequests.push(form)
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const verifier = form.get('code_verifier') ?? ''
    const isRight =
      form.get('grant_type') === 'authorization_code' &&
      code?.clientId === form.get('client_id') &&
      code?.redirectUri === form.get('redirect_uri') &&
      code?.challenge === createHash('sha256').update(verifier).digest('base64url')
    return isRight
      ? json(200, { access_token: `token-${randomUUID()}`, token_type: 'Bearer' })
      : json(400, { error: 'invalid_grant' })
  }

  async function respond(request: IncomingMessage): Promise<HttpResponse> {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin)
    const body = await text(request)
    switch (pathname) {
      case '/mcp': {
        const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
        if (bearer === undefined) return { status: 401, headers: { 'www-authenticate': 'Bearer' } }
        received.bearers.push(bearer)
        return json(500, {})
      }
      case '/.well-known/oauth-protected-resource/mcp':
        return json(200, { resource: `${origin}/mcp`, authorization_servers: [behaviour.issuer ?? origin] })
      case '/.well-known/oauth-authorization-server':
        return json(200, {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          ...behaviour.metadata,
        })
      case '/register': {
        const { redirect_uris = [] } = JSON.parse(body) as { redirect_uris?: string[] }
        const clientId = randomUUID()
        clients.set(clientId, redirect_uris)
        received.registered.push(redirect_uris)
        return json(201, { client_id: clientId, redirect_uris, token_endpoint_auth_method: 'none' })
      }
      case '/authorize':
        return authorize(searchParams)
      case '/token':
        if (behaviour.tokenMovedTo) return { status: 307, headers: { location: behaviour.tokenMovedTo } }
        return grant(new URLSearchParams(body))
      default:
        return json(404, {})
    }
  }

  const listening = await listen(
    createServer((request, response) => {
      void respond(request).then(({ status, headers, body }) =>
        response
          .writeHead(status, { 'content-type': 'application/json', ...headers })
          .end(typeof body === 'string' ? body : JSON.stringify(body ?? {})),
      )
    }),
  )
  const origin = listening.url
  return {
    origin,
    host: new URL(origin).host,
    mcpUrl: `${origin}/mcp`,
    received,
    behaviour,
    close: () => listening.close(),
  }
}

export type AuthorizationServer = Awaited<ReturnType<typeof startAuthorizationServer>>

/**
 * Follows redirects as a browser would, up to the product's own address.
 * @returns that address, or the status of a page that does not redirect
 */
export async function followRedirects(productOrigin: string, address: string): Promise<URL | number> {
  let next = new URL(address)
  for (let hop = 0; hop < 5; hop += 1) {
    if (next.origin === productOrigin) return next
    const { status, headers } = await fetch(next, { redirect: 'manual' })
    const location = headers.get('location')
    if (!location) return status
    next = new URL(location, next)
  }
  throw new Error('too many redirects')
}
