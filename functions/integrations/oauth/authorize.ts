import { runsLocally } from '#shared/registry-search.ts'
import { createHash, randomBytes } from 'node:crypto'
import type { Environment } from '#shared/contracts/registry.ts'
import { oauthCallbackPath } from '#shared/oauth-client.ts'
import { siteConfig } from '../../platform/site-config.ts'
import { connectionOf } from '../connection.ts'
import { disconnectMoved } from '../disconnect.ts'
import { contextOf } from './state-repository.ts'
import { operatorApps } from '../../providers/operator-apps.ts'
import { BadRequest } from '../../platform/errors.ts'
import { checkOwner, type ForeignSignIn } from './authorization-owner.ts'
import { clientAt } from './registration.ts'
import { discoverServer } from './discovery.ts'
import { ServerRunsLocally, SetupRequired } from '../errors.ts'
import { type Grantor, providerGrantor, remoteGrantor } from './authorization-server.ts'
import type { RemoteServer } from '../credential-repository.ts'
import { listReadOnlyTools, probeServer } from '../../mcp/probe.ts'
import type { Stores } from '../deps.ts'
import { findTarget, placeOf, remoteUrlOf, type Target } from '../target.ts'
import { clientSecretName, type OAuthClient } from './tokens.ts'

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

export interface InitiateWish {
  mcpId: string
  clientId?: string | undefined
  clientSecret?: string | undefined
  environment: Environment
  redirectUri: string
  parameters?: Record<string, string> | undefined
  /** hosts of somebody else that the person has agreed to sign in at */
  agreedTo?: readonly string[] | undefined
}

/**
 * `authUrl` is where the window goes; without it the server wanted no sign-in, and `mcpId` is connected, or the person has to agree
 * to `foreignSignIn` first.
 */
export type Begun = { provider: string } & (
  { authUrl: string } | { mcpId: string } | { foreignSignIn: ForeignSignIn; message: string }
)

/**
 * Begins a flow. The state is unguessable, works once, for ten minutes, for this user, integration, environment and redirect; the
 * code is bound to it by PKCE where the provider can do that. Each authorization server that discovery found has a redirect URI of
 * its own, so a code that another one gave comes back to an address that the state is not good for (RFC 9700 section 4.4.2).
 * @throws EntryNotFound, and as `signInFor`
 */
export async function initiate(stores: Stores, sub: string, wish: InitiateWish): Promise<Begun> {
  await checkRedirect(wish.redirectUri)
  const target = await findTarget(stores, wish.mcpId, wish.environment)
  const { mcpId, entry, environment } = target
  const before = wish.parameters ? undefined : await stores.integrations.find(sub, mcpId)
  const parameters = wish.parameters ?? before?.parameters ?? {}
  const clientSecret = wish.clientSecret?.trim() || undefined
  const known = wish.clientId === undefined ? await typedBefore(stores, sub, mcpId) : undefined
  const typed = wish.clientId ? { clientId: wish.clientId, clientSecret } : known
  const way = await signInFor(stores, target, {
    parameters,
    redirectUri: wish.redirectUri,
    typed,
    agreedTo: wish.agreedTo ?? [],
  })
  if (way === open) {
    const readOnlyTools = await listReadOnlyTools(stores.http, remoteUrlOf(target) ?? '', {})
    const connection = connectionOf(target, {
      tokenStatus: 'active',
      authType: 'none',
      parameters,
      readOnlyTools,
    })
    await disconnectMoved(stores, sub, target)
    await stores.integrations.connect(sub, mcpId, connection, new Date().toISOString())
    return { mcpId, provider: entry.provider }
  }
  if ('signsInAt' in way) {
    const { server, signsInAt } = way
    const message = `${entry.name} (${server}) signs you in at ${signsInAt.join(' and ')}. What you allow there, ${server} may use.`
    return { provider: entry.provider, foreignSignIn: way, message }
  }
  const state = randomBytes(32).toString('base64url')
  const verifier = way.pkce ? randomBytes(48).toString('base64url') : undefined
  const secrets = { verifier, clientSecret: way.clientId === undefined ? undefined : way.client.clientSecret }
  await stores.states.add(
    state,
    {
      sub,
      mcp_id: mcpId,
      environment,
      redirect_uri: way.redirectUri,
      ...(way.clientId !== undefined && { client_id: way.clientId }),
      ...(way.server && { server: way.server }),
      parameters,
      sealed: await stores.sealer.seal(JSON.stringify(secrets), contextOf(sub, state)),
    },
    Math.floor(Date.now() / 1_000),
  )
  const authUrl = new URL(way.authUrl)
  const query: Record<string, string> = {
    ...way.query,
    response_type: 'code',
    client_id: way.client.clientId,
    redirect_uri: way.redirectUri,
    state,
    ...(verifier && {
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }),
  }
  for (const [name, value] of Object.entries(query)) authUrl.searchParams.set(name, value)
  return { authUrl: authUrl.href, provider: entry.provider }
}

/** The app that was typed to connect is still known: to connect again nothing has to be typed anew. */
async function typedBefore(
  { credentials, vault }: Stores,
  sub: string,
  mcpId: string,
): Promise<OAuthClient | undefined> {
  const credential = await credentials.find(sub, mcpId)
  // one that registered itself is found again where it did
  if (credential?.client_id === undefined || credential.server) return undefined
  const typed = credential.secret_name ? await vault.read(sub, credential.secret_name) : {}
  return { clientId: credential.client_id, clientSecret: typed[clientSecretName] }
}

/** The one address that apps made by hand are registered with. */
async function checkRedirect(redirectUri: string): Promise<void> {
  const { origin } = await siteConfig()
  if (redirectUri !== `${origin}${oauthCallbackPath}`)
    throw new BadRequest('The redirect URI is not this product’s own.')
}
