import { sayIntegration } from '#shared/sentences/integrations.ts'
import { computeScopeUnion } from '@modelcontextprotocol/client'
import { isDeepStrictEqual } from 'node:util'
import { runsLocally } from '#shared/registry-search.ts'
import type { Challenge } from '../../mcp/connection.ts'
import { type ProbedServer, probeServer } from '../../mcp/probe.ts'
import { BadRequest } from '../../platform/errors.ts'
import { loadSiteConfig } from '../../platform/site-config.ts'
import { loadOperatorApps } from '../../providers/operator-apps.ts'
import type { ServerChallenge } from '../store/connection-repository.ts'
import type { CredentialRow, RemoteServer } from '../store/credential-repository.ts'
import type { IntegrationDeps } from '../deps.ts'
import { ServerRunsLocally, SetupRequired } from '../store/errors.ts'
import type { ConnectionTarget } from '../connection-target.ts'
import { checkAuthorizationServer, type ForeignSignIn } from './check-authorization-server.ts'
import {
  type AuthorizationServer,
  resolveProviderServer,
  toAuthorizationServer,
} from '../credentials/authorization-server.ts'
import { discoverServer, type DiscoveredServer, limitScopes, type UnusableMetadata } from './discovery.ts'
import {
  type ClientRegistration,
  getOrRegisterClient,
  buildRedirectUri,
  type NotRegistered,
  toClientRegistration,
} from './registration.ts'
import { isUnknownClient } from './unknown-client.ts'
import { omitRefused } from './optional-parameters.ts'
import type { OAuthClient } from '../credentials/tokens.ts'
import {
  type RegistrationKey,
  toRegistrationKey,
  type OptionalParameter,
  toOptionalParameters,
} from '../store/client-repository.ts'

/** For all discovery requests together: the function has 30 s, and the probe runs before. */
const discoveryMs = 15_000

/**
 * A server that has forgotten its clients shows an error page of its own. Some tell it for a code that they have not given, too; for the
 * others another client is registered after so many sign-ins without a response.
 */
const maxUnanswered = 2

/** Everything needed to start a sign-in. */
interface SignIn {
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
  /** what the server's page has refused to this user */
  refused: readonly OptionalParameter[]
}

/** What a user needs to register a client by hand, where an authorization server registers none. */
export interface ManualRegistration {
  /** of this server only: with one that servers share, a server could receive the code of another (RFC 9700 section 4.4) */
  clientRedirectUri: string
  /** host of the sign-in page */
  registerAt: string
}

/** With why none is registered; absent if the user's own app is registered with another redirect URI. */
type NoRegistration = ManualRegistration & { reason?: NotRegistered }

/** The server requires no authentication: it has shown its tools. */
interface NoSignIn {
  probe: ProbedServer
}

interface SignInOptions {
  parameters: Record<string, string>
  /** that the user's own app, or the operator's, is registered with */
  redirectUri: string
  /** the user's own app: entered now, or of the last connection */
  ownClient: OAuthClient | undefined
  /** hosts of other parties that the user has agreed to sign in at */
  agreedTo: readonly string[]
  /** the credential of the connection so far, whose scopes are asked for again */
  existing?: CredentialRow | undefined
  /** what the server's page has refused in this flow so far */
  refused: readonly OptionalParameter[]
  /** whether the server's page has refused the registered client in this flow, as the user's browser says */
  isClientForgotten: boolean
  /** with which the server has refused a call, though it showed its tools without a sign-in */
  challenge?: ServerChallenge | undefined
}

/**
 * Picks the sign-in that needs the least input. Order: the user's own app if its client id was entered; the remote MCP server's own
 * OAuth with dynamic registration; the operator's app. The own app of an entry that is no built-in provider is one at its server.
 * @throws ServerRunsLocally, SetupRequired, ForeignSignInRefused, BadRequest, AddressForbidden, OutboundFailed, McpServerFailed
 */
export async function resolveSignIn(
  deps: IntegrationDeps,
  sub: string,
  target: ConnectionTarget,
  { parameters, ...options }: SignInOptions,
): Promise<SignIn | ForeignSignIn | NoRegistration | NoSignIn> {
  const { entry, remoteUrl: url } = target
  const { ownClient, redirectUri } = options
  if (runsLocally(entry)) throw new ServerRunsLocally({ name: entry.name })
  const provider = resolveProviderServer(target.provider, { ...target, parameters })
  // the user's own app is one at the provider, if that has a sign-in
  const ownApp = provider || url === undefined ? ownClient : undefined
  const remote =
    url === undefined || ownApp ? undefined : await signInAtServer(deps, sub, target, url, options)
  if (remote && !('registerAt' in remote || 'problem' in remote)) return remote
  const app = ownApp ?? (await loadOperatorApps())[entry.id]
  if (app) {
    const client = { clientId: app.clientId, clientSecret: app.clientSecret }
    return planAtProvider(entry, provider, { client, clientId: ownApp?.clientId, redirectUri })
  }
  const problem = remote && 'problem' in remote ? remote.problem : undefined
  if (remote && !('problem' in remote) && !provider) return remote
  if (url !== undefined)
    throw new SetupRequired(
      provider
        ? sayIntegration('setup_required.steps', { name: entry.name })
        : sayIntegration('setup_required.discovery', { name: entry.name, problem: problem ?? '' }),
    )
  if (provider) throw new SetupRequired(sayIntegration('setup_required.client_id'))
  throw new BadRequest(sayIntegration('bad_request.no_sign_in', { name: entry.name }))
}

/** @throws BadRequest if the provider has no sign-in */
function planAtProvider(
  entry: ConnectionTarget['entry'],
  found: ReturnType<typeof resolveProviderServer>,
  app: Pick<SignIn, 'client' | 'clientId' | 'redirectUri'>,
): SignIn {
  if (!found) throw new BadRequest(sayIntegration('bad_request.no_sign_in', { name: entry.name }))
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
    refused: [],
  }
}

async function signInAtServer(
  deps: IntegrationDeps,
  sub: string,
  target: ConnectionTarget,
  url: string,
  options: Omit<SignInOptions, 'parameters'>,
): Promise<SignIn | ForeignSignIn | NoRegistration | UnusableMetadata | NoSignIn> {
  const { agreedTo, existing } = options
  const known = toChallenge(options.challenge, url)
  const probe = known ? { challenge: known } : await probeServer(deps.http, url, {})
  if (!('challenge' in probe)) return { probe }
  const deadline = AbortSignal.timeout(discoveryMs)
  const http: IntegrationDeps['http'] = {
    ...deps.http,
    fetch: (input, init) => deps.http.fetch(input, { ...init, signal: deadline }),
    text: (address, init) => deps.http.text(address, { ...init, signal: deadline }),
  }
  const found = await discoverServer(http, url, probe.challenge)
  if ('problem' in found) return found
  const foreign = await checkAuthorizationServer(deps, target, found, agreedTo)
  if (foreign) return foreign
  const { origin } = await loadSiteConfig()
  const clientRedirectUri = buildRedirectUri(origin, toRegistrationKey(found.server))
  const manualRegistration = { clientRedirectUri, registerAt: new URL(found.authUrl).host }
  const ownClient = selectOwnClient(found, options)
  // what was registered for another server is not sent to this one
  if (ownClient && !existing && options.redirectUri !== clientRedirectUri) return manualRegistration
  const registered = ownClient
    ? toClientRegistration(ownClient, { ...found, redirectUri: clientRedirectUri })
    : await getOrRegisterClient({ ...deps, http }, found, async (registration) => {
        if (options.isClientForgotten) return true
        const unanswered = await deps.states.countUnanswered(sub, registration.client.clientId)
        if (unanswered >= maxUnanswered) return true
        const isSuspected = unanswered > 0 || existing !== undefined
        return isSuspected && isUnknownClient(http, found, registration)
      })
  if ('isOffered' in registered) return { ...manualRegistration, reason: registered }
  const key = toRegistrationKey(found.server)
  const refused = await deps.clients.listRefused(key, Math.floor(Date.now() / 1_000))
  return planAtServer(target.entry.name, found, registered, {
    ...options,
    refused: { here: options.refused, elsewhere: refused },
    isOwn: ownClient !== undefined,
  })
}

/** The request that a discovered server gets. @param refused what its page has refused in this flow so far, and what it has refused to others */
function planAtServer(
  name: string,
  found: DiscoveredServer,
  { client, clientAuth, redirectUri }: ClientRegistration,
  {
    existing,
    refused: { here, elsewhere },
    isOwn,
  }: Pick<SignInOptions, 'existing'> & {
    refused: { here: readonly OptionalParameter[]; elsewhere: readonly OptionalParameter[] }
    /** whether the client is the user's own */
    isOwn: boolean
  },
): SignIn {
  const known = isAt(toRegistrationKey(found.server), existing) ? (existing?.refused ?? []) : []
  const refusedHere = [...new Set([...toOptionalParameters(known), ...here])]
  const refused = [...refusedHere, ...elsewhere]
  const { resource, ...unbound } = found.server
  const server = {
    ...unbound,
    ...(resource !== undefined && !refused.includes('resource') && { resource }),
    client_auth: clientAuth,
    ...(isOwn && { own_client: true }),
  }
  const { authUrl } = found
  const scope = addStepUp(found, existing)
  return {
    authorizationServer: toAuthorizationServer(name, server),
    client,
    authUrl,
    redirectUri,
    query: omitRefused(
      {
        ...(scope !== undefined && { scope }),
        // without a new consent, servers may omit the refresh token
        prompt: 'consent',
        ...(resource !== undefined && { resource }),
      },
      refused,
    ),
    pkce: true,
    clientId: client.clientId,
    server,
    refused: refusedHere,
  }
}

const isAt = (key: RegistrationKey, credential: CredentialRow | undefined) =>
  credential?.server !== undefined && isDeepStrictEqual(toRegistrationKey(credential.server), key)

/** A stored challenge, if it is the one of this server. */
function toChallenge(stored: ServerChallenge | undefined, url: string): Challenge | undefined {
  if (stored?.url !== url) return undefined
  const resourceMetadataUrl = URL.parse(stored.resource_metadata_url ?? '')
  return {
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
    ...(stored.scope !== undefined && { scope: stored.scope }),
  }
}

/** The user's own app; the one of the last connection only if that was a connection to the same server. */
function selectOwnClient(
  { server }: DiscoveredServer,
  { ownClient, existing }: Pick<SignInOptions, 'ownClient' | 'existing'>,
): OAuthClient | undefined {
  return !existing || isAt(toRegistrationKey(server), existing) ? ownClient : undefined
}

/**
 * The scopes to request: after a call that lacked some, the granted ones and those (SEP-2350), so that nothing is lost by a sign-in for more.
 */
function addStepUp({ scope, server }: DiscoveredServer, existing: CredentialRow | undefined) {
  const missing = existing?.step_up_scope
  if (missing === undefined || existing?.server?.issuer !== server.issuer) return scope
  const refreshScope = scope?.split(' ').includes('offline_access') ? 'offline_access' : undefined
  return limitScopes(computeScopeUnion(existing.scope ?? scope, missing, refreshScope)) ?? scope
}
