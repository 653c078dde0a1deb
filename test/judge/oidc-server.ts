import { createServer, type IncomingMessage } from 'node:http'
import { Provider } from 'oidc-provider'
import { echoServer, respond } from './echo-server.ts'

/**
 * Server of the judge `mcp`: the protocol's own library behind the certified `oidc-provider`, which registers clients, forgets them when
 * it ends, and issues tokens for the named resource only. `node oidc-server.ts PORT [CALLBACK]`: the address to which a gateway with a
 * client of its own (`gateway`, `secret`) is sent back.
 */
const port = Number(process.argv[2])
const callback = process.argv[3]
const issuer = `http://127.0.0.1:${port}`
const resource = `${issuer}/mcp`

const provider = new Provider(issuer, {
  ...(callback !== undefined && {
    clients: [{ client_id: 'gateway', client_secret: 'secret', redirect_uris: [callback] }],
  }),
  features: {
    introspection: { enabled: true },
    registration: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: () => ({ scope: 'read', audience: resource, accessTokenFormat: 'opaque' }),
      useGrantedResource: () => true,
    },
  },
  scopes: ['openid', 'offline_access', 'read'],
})

/** Whether a request has a token of this provider for this resource. */
async function isAuthorised(request: IncomingMessage): Promise<boolean> {
  const token = await provider.AccessToken.find(
    /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '',
  )
  return token !== undefined && !token.isExpired && [token.aud].flat().includes(resource)
}

const answerOidc = provider.callback()

createServer((request, response) => {
  void (async () => {
    const { pathname } = new URL(request.url ?? '/', issuer)
    if (pathname === '/.well-known/oauth-protected-resource/mcp') {
      const metadata = { resource, authorization_servers: [issuer], scopes_supported: ['read'] }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata))
    } else if (pathname !== '/mcp') await answerOidc(request, response)
    else if (!(await isAuthorised(request))) {
      const challenge = `Bearer resource_metadata="${issuer}/.well-known/oauth-protected-resource/mcp"`
      response.writeHead(401, { 'www-authenticate': challenge }).end()
    } else await respond(request, response, issuer, (mcp) => echoServer.fetch(mcp))
  })().catch(() => response.destroy())
}).listen(port, '127.0.0.1')
