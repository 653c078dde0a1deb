import { runsLocally } from '#shared/registry-search.ts'
import { computeScopeUnion } from '@modelcontextprotocol/client'
import { createHash, randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Environment } from '#shared/contracts/registry.ts'
import { oauthCallbackPath, serverCallbackPath } from '#shared/oauth-client.ts'
import { siteConfig } from '../../platform/site-config.ts'
import { buildConnection } from '../connection.ts'
import { disconnectMoved } from '../disconnect.ts'
import { sealingContext } from './state-repository.ts'
import { operatorApps } from '../../providers/operator-apps.ts'
import { BadRequest } from '../../platform/errors.ts'
import { checkServerOwner, type ForeignSignIn } from './authorization-owner.ts'
import { getOrRegisterClient, serverCallback, serverPair, toClientRegistration } from './registration.ts'
import { discoverServer, type DiscoveredServer } from './discovery.ts'
import { ServerRunsLocally, SetupRequired } from '../errors.ts'
import {
  type AuthorizationServer,
  resolveProviderServer,
  toAuthorizationServer,
} from './authorization-server.ts'
import type { CredentialRow, RemoteServer } from '../credential-repository.ts'
import { listReadOnlyTools, probeServer } from '../../mcp/probe.ts'
import type { IntegrationDeps } from '../deps.ts'
import { findTarget, toTenant, findRemoteUrl, type Target } from '../target.ts'
import { clientSecretName, type OAuthClient } from './tokens.ts'

/** For all discovery requests together: the function has 30 s, and the probe runs before. */
const discoveryMs = 15_000

/** Everything needed to start a sign-in. */
export interface SignIn {
  authorizationServer: AuthorizationServer
  client: OAuthClient
  authUrl: string

  redirectUri: string
  /** additional query parameters of the authorization request */
  query: Record<string, string>
  pkce: boolean
  /** undefined: the operator's app, read when it is used */
  clientId: string | undefined
  server: RemoteServer | undefined
}

/** What a user needs to register a client by hand, where an authorization server registers none by itself. */
export interface ManualRegistration {
  /** of this server only: with one that servers share, a server could receive the code of another (RFC 9700 section 4.4) */
  clientRedirectUri: string
  /** host of the sign-in page */
  registerAt: string
}

/** The server requires no authentication. */
export const noSignInNeeded = 'open'

export interface SignInOptions {
  parameters: Record<string, string>
  /** that the user's own app, or the operator's, is registered with */
  redirectUri: string
  /** the user's own app: entered now, or of the last connection */
  ownClient: OAuthClient | undefined
  /** hosts of other parties that the user has agreed to sign in at */
  agreedTo: readonly string[]
  /** the credential of the connection so far, whose scopes are asked for again */
  existing?: CredentialRow | undefined
}

/**
 * Picks the sign-in that needs the least input. Order: the user's own app if its client id was entered; the remote MCP server's own
 * OAuth with dynamic registration; the operator's app. The own app of an entry that is no built-in provider is one at its server.
 * @throws ServerRunsLocally, SetupRequired, ForeignSignInRefused, BadRequest, AddressForbidden, OutboundFailed, McpServerFailed
 */
export async function resolveSignIn(
  deps: IntegrationDeps,
  target: Target,
  { parameters, redirectUri, ownClient, agreedTo, existing }: SignInOptions,
): Promise<SignIn | ForeignSignIn | ManualRegistration | typeof noSignInNeeded> {
  const { entry } = target
  if (runsLocally(entry)) throw new ServerRunsLocally(entry.name)
  const tenant = toTenant(target, parameters)
  const hasSignIn = resolveProviderServer(target.provider, tenant) !== undefined
  const url = findRemoteUrl(target)
  if (ownClient && (hasSignIn || url === undefined))
    return signInAtProvider(target, { tenant, client: ownClient, clientId: ownClient.clientId, redirectUri })
  const remote =
    url === undefined
      ? undefined
      : await signInAtServer(deps, target, url, { agreedTo, existing, ownClient, redirectUri })
  if (remote && (remote === noSignInNeeded || !('registerAt' in remote))) return remote
  const app = (await operatorApps())[entry.id]
  if (app) {
    const { clientId, clientSecret } = app
    const client = { clientId, clientSecret }
    return signInAtProvider(target, { tenant, client, clientId: undefined, redirectUri })
  }
  if (remote && !hasSignIn) return remote
  if (url !== undefined)
    throw new SetupRequired(
      `${entry.name} could not be connected in one click. Please ${hasSignIn ? 'follow these steps once' : 'use your own API key'}.`,
    )
  if (hasSignIn) throw new SetupRequired('Client ID is required to continue')
  throw new BadRequest(`${entry.name} cannot be connected by a sign-in.`)
}

function signInAtProvider(
  { entry, provider }: Target,
  {
    tenant,
    ...app
  }: Pick<SignIn, 'client' | 'clientId' | 'redirectUri'> & { tenant: ReturnType<typeof toTenant> },
): SignIn {
  const found = resolveProviderServer(provider, tenant)
  if (!found) throw new BadRequest(`${entry.name} cannot be connected by a sign-in.`)
  const { oauth, authorizationServer, authUrl } = found
  return {
    ...app,
    authorizationServer,
    authUrl,
    query: {
      ...oauth.authParams,
      ...(oauth.scopes.length > 0 &&
        !oauth.scopesFromApp && { scope: oauth.scopes.join(oauth.scopeSeparator) }),
    },
    pkce:
      oauth.pkce === 'without-secret' ? app.client.clientSecret === undefined : oauth.pkce !== 'unsupported',
    server: undefined,
  }
}

async function signInAtServer(
  deps: IntegrationDeps,
  target: Target,
  url: string,
  options: Omit<SignInOptions, 'parameters'>,
): Promise<SignIn | ForeignSignIn | ManualRegistration | typeof noSignInNeeded | undefined> {
  const { agreedTo, existing } = options
  const answer = await probeServer(deps.http, url, {})
  if (!('challenge' in answer)) return noSignInNeeded
  const deadline = AbortSignal.timeout(discoveryMs)
  const http: IntegrationDeps['http'] = {
    ...deps.http,
    fetch: (input, init) => deps.http.fetch(input, { ...init, signal: deadline }),
  }
  const found = await discoverServer(http, url, answer.challenge)
  if (!found) return undefined
  const foreign = await checkServerOwner(deps, target, found, agreedTo)
  if (foreign) return foreign
  const { origin } = await siteConfig()
  const clientRedirectUri = serverCallback(origin, serverPair(found.server))
  const manualRegistration = { clientRedirectUri, registerAt: new URL(found.authUrl).host }
  const ownClient = selectOwnClient(found, options)
  // what was registered for another server is not sent to this one
  if (ownClient && !existing && options.redirectUri !== clientRedirectUri) return manualRegistration
  const registered = ownClient
    ? toClientRegistration(ownClient, { ...found, redirectUri: clientRedirectUri })
    : await getOrRegisterClient({ ...deps, http }, found)
  if (!registered) return manualRegistration
  const { client, clientAuth, redirectUri } = registered
  const server = { ...found.server, client_auth: clientAuth, ...(ownClient && { own_client: true }) }
  const { authUrl } = found
  const scope = addStepUp(found, existing)
  return {
    authorizationServer: toAuthorizationServer(target.entry.name, server),
    client,
    authUrl,
    redirectUri,
    query: {
      ...(scope !== undefined && { scope }),
      // without a new consent, servers may omit the refresh token
      ...(scope?.split(' ').includes('offline_access') && { prompt: 'consent' }),
      ...(server.resource !== undefined && { resource: server.resource }),
    },
    pkce: true,
    clientId: client.clientId,
    server,
  }
}

/** The user's own app; the one of the last connection only where that was a connection of the same server. */
function selectOwnClient(
  { server }: DiscoveredServer,
  { ownClient, existing }: Pick<SignInOptions, 'ownClient' | 'existing'>,
): OAuthClient | undefined {
  if (!existing) return ownClient
  const isSameServer =
    existing.server !== undefined && isDeepStrictEqual(serverPair(existing.server), serverPair(server))
  return isSameServer ? ownClient : undefined
}

/**
 * The scopes to request: after a call that lacked some, the granted ones and those (SEP-2350), so that nothing is lost by a sign-in for more.
 */
function addStepUp({ scope, server }: DiscoveredServer, existing: CredentialRow | undefined) {
  const missing = existing?.step_up_scope
  if (missing === undefined || existing?.server?.issuer !== server.issuer) return scope
  const refresh = scope?.split(' ').includes('offline_access') ? 'offline_access' : undefined
  return computeScopeUnion(existing.scope ?? scope, missing, refresh)
}

export interface InitiateInput {
  mcpId: string
  clientId?: string | undefined
  clientSecret?: string | undefined
  environment: Environment
  redirectUri: string
  parameters?: Record<string, string> | undefined
  /** hosts of other parties that the user has agreed to sign in at */
  agreedTo?: readonly string[] | undefined
}

/**
 * `authUrl`: the URL for the sign-in window. `mcpId`: no sign-in was needed and the integration is connected. `foreignSignIn`: the user
 * has to agree first. `manualRegistration`: the user has to enter the Client ID of an app that is registered with this redirect URI.
 */
export type InitiateResult = { provider: string } & (
  | { authUrl: string }
  | { mcpId: string }
  | { foreignSignIn: ForeignSignIn; message: string }
  | { manualRegistration: ManualRegistration; message: string }
)

/**
 * Starts an OAuth flow. The state is random, single-use and valid for ten minutes for this user, integration, environment and redirect
 * URI. PKCE binds the code to it if the provider supports PKCE. Each discovered authorization server has its own redirect URI, so a
 * code from another server arrives at a URI that the state is not valid for (RFC 9700 section 4.4.2).
 * @throws EntryNotFound, and as `resolveSignIn`
 */
export async function initiate(
  deps: IntegrationDeps,
  sub: string,
  input: InitiateInput,
): Promise<InitiateResult> {
  await checkRedirect(input.redirectUri)
  const target = await findTarget(deps, input.mcpId, input.environment)
  const { mcpId, entry, environment } = target
  const existing = input.parameters ? undefined : await deps.integrations.find(sub, mcpId)
  const parameters = input.parameters ?? existing?.parameters ?? {}
  const clientSecret = input.clientSecret?.trim() || undefined
  const credential = input.clientId === undefined ? await deps.credentials.find(sub, mcpId) : undefined
  const previousClient = await loadPreviousClient(deps, sub, credential)
  const ownClient = input.clientId ? { clientId: input.clientId, clientSecret } : previousClient
  const signIn = await resolveSignIn(deps, target, {
    parameters,
    redirectUri: input.redirectUri,
    ownClient,
    agreedTo: input.agreedTo ?? [],
    existing: credential,
  })
  if (signIn === noSignInNeeded) {
    const readOnlyTools = await listReadOnlyTools(deps.http, findRemoteUrl(target) ?? '', {})
    const connection = buildConnection(target, {
      tokenStatus: 'active',
      authType: 'none',
      parameters,
      readOnlyTools,
    })
    await disconnectMoved(deps, sub, target)
    await deps.integrations.connect(sub, mcpId, connection, new Date().toISOString())
    return { mcpId, provider: entry.provider }
  }
  if ('signsInAt' in signIn) {
    const { server, signsInAt } = signIn
    const message = `${entry.name} (${server}) signs you in at ${signsInAt.join(' and ')}. What you allow there, ${server} may use.`
    return { provider: entry.provider, foreignSignIn: signIn, message }
  }
  if ('registerAt' in signIn) {
    const message = `${entry.name} does not register apps by itself. Create one at ${signIn.registerAt}, or use your own API key.`
    return { provider: entry.provider, manualRegistration: signIn, message }
  }
  const state = randomBytes(32).toString('base64url')
  const verifier = signIn.pkce ? randomBytes(48).toString('base64url') : undefined
  const secrets = {
    verifier,
    clientSecret: signIn.clientId === undefined ? undefined : signIn.client.clientSecret,
  }
  await deps.states.add(
    state,
    {
      sub,
      mcp_id: mcpId,
      environment,
      redirect_uri: signIn.redirectUri,
      ...(signIn.clientId !== undefined && { client_id: signIn.clientId }),
      ...(signIn.server && { server: signIn.server }),
      ...(signIn.server && signIn.query['scope'] !== undefined && { scope: signIn.query['scope'] }),
      parameters,
      sealed: await deps.sealer.seal(JSON.stringify(secrets), sealingContext(sub, state)),
    },
    Math.floor(Date.now() / 1_000),
  )
  const authUrl = new URL(signIn.authUrl)
  const query: Record<string, string> = {
    ...signIn.query,
    response_type: 'code',
    client_id: signIn.client.clientId,
    redirect_uri: signIn.redirectUri,
    state,
    ...(verifier && {
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }),
  }
  for (const [name, value] of Object.entries(query)) authUrl.searchParams.set(name, value)
  return { authUrl: authUrl.href, provider: entry.provider }
}

/** Loads the user's own app from the last connection, so that reconnecting asks for nothing. */
async function loadPreviousClient(
  { vault }: IntegrationDeps,
  sub: string,
  credential: CredentialRow | undefined,
): Promise<OAuthClient | undefined> {
  if (credential?.client_id === undefined) return undefined
  // a dynamically registered client is resolved again by the registration
  if (credential.server && !credential.server.own_client) return undefined
  const ownClient = credential.secret_name ? await vault.read(sub, credential.secret_name) : {}
  return { clientId: credential.client_id, clientSecret: ownClient[clientSecretName] }
}

/** Checks for a redirect URI that manually created apps are registered with. @throws BadRequest */
async function checkRedirect(redirectUri: string): Promise<void> {
  const { origin } = await siteConfig()
  const isOwn =
    redirectUri === `${origin}${oauthCallbackPath}` ||
    redirectUri.startsWith(`${origin}${serverCallbackPath}/`)
  if (!isOwn) throw new BadRequest('The redirect URI does not belong to this product.')
}
