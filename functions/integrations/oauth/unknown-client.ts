import { createHash, randomBytes } from 'node:crypto'
import type { IntegrationDeps } from '../deps.ts'
import { toAuthorizationServer } from '../credentials/authorization-server.ts'
import { requestTokensTolerantly, unknownClientCodes } from '../credentials/tokens.ts'
import { OAuthError } from '../store/errors.ts'
import type { DiscoveredServer } from './discovery.ts'
import type { ClientRegistration } from './registration.ts'

type Http = Pick<IntegrationDeps['http'], 'fetch' | 'text'>

/** What error pages say: with a code, or as Keycloak, Auth0 and Cloudflare's library do. */
const unknownClientWords =
  /\b(?:invalid|unknown|unauthorized)[_ ]client\b|\bclient\b[^<>]{0,100}\bnot (?:found|registered)\b/i

/** Whether a server says that it knows a registered client no longer. */
export async function isUnknownClient(
  http: Http,
  server: DiscoveredServer,
  registration: ClientRegistration,
): Promise<boolean> {
  const verifier = randomBytes(48).toString('base64url')
  return (
    (await isRefusedForTokens(http, server, registration, verifier)) ||
    (await isRefusedBySignIn(http, server, registration, verifier))
  )
}

/** Most servers look at the client before the code, which they have not given. */
async function isRefusedForTokens(
  http: Http,
  { server }: DiscoveredServer,
  { client, clientAuth, redirectUri }: ClientRegistration,
  verifier: string,
): Promise<boolean> {
  const parameters = {
    grant_type: 'authorization_code',
    code: crypto.randomUUID(),
    redirect_uri: redirectUri,
    code_verifier: verifier,
  }
  const authorizationServer = toAuthorizationServer(server.issuer, { ...server, client_auth: clientAuth })
  return requestTokensTolerantly(http, server.token_url, parameters, { authorizationServer, client }).then(
    () => false,
    (error: unknown) => error instanceof OAuthError && unknownClientCodes.has(error.error),
  )
}

/** The others, such as better-auth, refuse it where its users sign in: on an error page, or by a redirect to one (RFC 6749 section 4.1.2.1). */
async function isRefusedBySignIn(
  http: Http,
  { authUrl, server }: DiscoveredServer,
  { client, redirectUri }: ClientRegistration,
  verifier: string,
): Promise<boolean> {
  const url = new URL(authUrl)
  const parameters = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    state: crypto.randomUUID(),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(server.resource !== undefined && { resource: server.resource }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return http.text(url, { headers: { accept: 'text/html' }, redirect: 'manual' }).then(
    ({ status, headers, text }) => {
      const error = URL.parse(headers.get('location') ?? '', url.href)?.searchParams.get('error') ?? ''
      return unknownClientCodes.has(error) || (status >= 400 && status < 500 && unknownClientWords.test(text))
    },
    () => false,
  )
}
