import { runsLocally } from '#shared/registry-search.ts'
import { operatorApps } from '../providers/operator-apps.ts'
import { BadRequest } from '../platform/errors.ts'
import { checkOwner, type ForeignSignIn } from './authorization-owner.ts'
import { clientAt } from './client-registration.ts'
import { discoverServer } from './discovery.ts'
import { ServerRunsLocally, SetupRequired } from './errors.ts'
import { type Grantor, providerGrantor, remoteGrantor } from './grantor.ts'
import { probeServer } from './mcp-probe.ts'
import type { RemoteServer } from './remote-server.ts'
import type { Stores } from './stores.ts'
import { placeOf, remoteUrlOf, type Target } from './target.ts'
import type { OAuthClient } from './token-endpoint.ts'

/** For all its calls together: the function has half a minute, and the server was asked for its tools before. */
const discoveryMs = 15_000

/** A sign-in that can be begun. */
export interface SignIn {
  grantor: Grantor
  client: OAuthClient
  authUrl: string
  /** where the person comes back to */
  redirectUri: string
  /** beside what every request has */
  query: Record<string, string>
  pkce: boolean
  /** undefined: the operator's, which is looked up again when it is used */
  clientId: string | undefined
  server: RemoteServer | undefined
}

/** The server wants no sign-in. */
export const open = 'open'

export interface SignInWish {
  parameters: Record<string, string>
  /** of apps that were made by hand */
  redirectUri: string
  /** what the person typed */
  typed: OAuthClient | undefined
  /** hosts of somebody else that the person has agreed to sign in at */
  agreedTo: readonly string[]
}

/**
 * The way in that costs the person least: the remote MCP server's own sign-in, found and registered at without a typed field; then
 * the operator's app; then an app of the person's own, which comes first where its Client ID was typed.
 * @throws ServerRunsLocally, SetupRequired, ForeignSignInRefused, BadRequest, AddressForbidden, OutboundFailed, McpServerFailed
 */
export async function signInFor(
  stores: Stores,
  target: Target,
  { parameters, redirectUri, typed, agreedTo }: SignInWish,
): Promise<SignIn | ForeignSignIn | typeof open> {
  const { entry } = target
  if (runsLocally(entry)) throw new ServerRunsLocally(entry.name)
  const place = placeOf(target, parameters)
  if (typed) return atProvider(target, { place, client: typed, clientId: typed.clientId, redirectUri })
  const url = remoteUrlOf(target)
  const remote = url === undefined ? undefined : await atRemoteServer(stores, target, url, agreedTo)
  if (remote) return remote
  const app = (await operatorApps())[entry.id]
  if (app) {
    const { clientId, clientSecret } = app
    const client = { clientId, clientSecret }
    return atProvider(target, { place, client, clientId: undefined, redirectUri })
  }
  const hasSignIn = providerGrantor(target.provider, place) !== undefined
  if (url !== undefined)
    throw new SetupRequired(
      `${entry.name} could not be connected in one click. Please ${hasSignIn ? 'follow these steps once' : 'bring a key of your own'}.`,
    )
  if (hasSignIn) throw new SetupRequired('Client ID is required to continue')
  throw new BadRequest(`${entry.name} cannot be connected by a sign-in.`)
}

function atProvider(
  { entry, provider }: Target,
  {
    place,
    ...app
  }: Pick<SignIn, 'client' | 'clientId' | 'redirectUri'> & { place: ReturnType<typeof placeOf> },
): SignIn {
  const found = providerGrantor(provider, place)
  if (!found) throw new BadRequest(`${entry.name} cannot be connected by a sign-in.`)
  const { oauth, grantor, authUrl } = found
  return {
    ...app,
    grantor,
    authUrl,
    query: {
      ...oauth.authParams,
      ...(oauth.scopes.length > 0 && { scope: oauth.scopes.join(oauth.scopeSeparator) }),
    },
    pkce: oauth.pkce !== 'unsupported',
    server: undefined,
  }
}

async function atRemoteServer(
  stores: Stores,
  target: Target,
  url: string,
  agreedTo: readonly string[],
): Promise<SignIn | ForeignSignIn | typeof open | undefined> {
  const answer = await probeServer(stores.http, url, {})
  if (!('challenge' in answer)) return open
  const deadline = AbortSignal.timeout(discoveryMs)
  const http: Stores['http'] = {
    ...stores.http,
    fetch: (input, init) => stores.http.fetch(input, { ...init, signal: deadline }),
  }
  const found = await discoverServer(http, url, answer.challenge)
  if (!found) return undefined
  const foreign = await checkOwner(stores, target, found, agreedTo)
  if (foreign) return foreign
  const registered = await clientAt({ ...stores, http }, found)
  if (!registered) return undefined
  const { client, clientAuth, redirectUri } = registered
  const server = { ...found.server, client_auth: clientAuth }
  const { scope, authUrl } = found
  return {
    grantor: remoteGrantor(target.entry.name, server),
    client,
    authUrl,
    redirectUri,
    query: {
      ...(scope !== undefined && { scope }),
      // without a question anew, servers may leave the lasting permission out
      ...(scope?.split(' ').includes('offline_access') && { prompt: 'consent' }),
      ...(server.resource !== undefined && { resource: server.resource }),
    },
    pkce: true,
    clientId: client.clientId,
    server,
  }
}
