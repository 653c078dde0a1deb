import { computeScopeUnion } from '@modelcontextprotocol/client'
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import { saySetUp } from '#shared/sentences/set-ups.ts'
import type { OperatorApp } from '#shared/provider-apps.ts'
import type { Coded, Sentence } from '#shared/sentences/sentence.ts'
import type { ProbedServer } from '../../mcp/probe.ts'
import { BadRequest } from '../../platform/errors.ts'
import type { ProviderSignIn } from '../credentials/authorization-server.ts'
import type { OAuthClient } from '../credentials/tokens.ts'
import {
  type RegistrationKey,
  toRegistrationKey,
  type OptionalParameter,
  toOptionalParameters,
} from '../store/client-repository.ts'
import type { CredentialRow, RemoteServer } from '../store/credential-repository.ts'
import { SetupRequired } from '../store/errors.ts'
import type { ForeignSignIn } from './check-authorization-server.ts'
import { type DiscoveredServer, limitScopes, type UnusableMetadata } from './discovery.ts'
import { omitRefused } from './optional-parameters.ts'
import type { ClientRegistration, NotRegistered } from './registration.ts'

/** An authorization server at which the product has a client, or might have. */
export interface ServerSignIn {
  found: DiscoveredServer
  /** of this server only: with one that servers share, a server could receive the code of another (RFC 9700 section 4.4) */
  clientRedirectUri: string
  /** why there is no client; undefined if the user's own app has another redirect URI */
  registration: ClientRegistration | NotRegistered | undefined
  /** whether the client is the user's own */
  isOwn: boolean
  /** what its page has refused to others */
  refused: readonly OptionalParameter[]
}

/** What a remote MCP server has said about its sign-in: it needs none, publishes none that can be used, or one at another party. */
export type ServerAnswer = { probe: ProbedServer } | UnusableMetadata | ForeignSignIn | ServerSignIn

/** All that a sign-in depends on. */
export interface SignInFacts {
  entry: Pick<RegistryEntry, 'name'>
  /** of a built-in provider */
  provider: ProviderSignIn | undefined
  /** undefined: there is none, or the user's own app at the provider goes before it */
  server: ServerAnswer | undefined
  /** the user's own app at the provider: entered now, or of the last connection */
  ownApp: OAuthClient | undefined
  operatorApp: OperatorApp | undefined
  /** that these are registered with */
  redirectUri: string
  /** the credential of the connection so far, whose scopes are asked for again */
  existing: CredentialRow | undefined
  /** what the server's page has refused in this flow so far */
  refused: readonly OptionalParameter[]
}

/** The request to the page of a sign-in. */
export interface AuthorizationRequest {
  client: OAuthClient
  authUrl: string
  redirectUri: string
  /** additional query parameters */
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
  clientRedirectUri: string
  /** host of the sign-in page */
  registerAt: string
}

/** What the user is told, and what it says. */
type Message = { message: string } & Coded

const toMessage = ({ text, ...coded }: Sentence): Message => ({ message: text, ...coded })

export type SignInPlan =
  | AuthorizationRequest
  /** the server requires no sign-in: it has shown its tools */
  | { probe: ProbedServer }
  /** the user has to agree first */
  | ({ foreignSignIn: ForeignSignIn } & Message)
  /** the user has to enter the Client ID of an app that is registered with this redirect URI */
  | ({ manualRegistration: ManualRegistration } & Message)

/**
 * Picks the sign-in that needs the least input. Order: the user's own app at the provider; what the remote MCP server offers; the
 * operator's app; an app that the user registers.
 * @throws SetupRequired, BadRequest
 */
export function planSignIn(facts: SignInFacts): SignInPlan {
  const { entry, server, provider, ownApp, operatorApp } = facts
  if (server && 'probe' in server) return server
  if (server && 'signsInAt' in server) {
    const about = { name: entry.name, server: server.server, hosts: server.signsInAt }
    return { foreignSignIn: server, ...toMessage(saySetUp('foreign_sign_in.agree', about)) }
  }
  const atServer = server && 'found' in server ? server : undefined
  const registration = atServer?.registration
  if (atServer && registration && 'client' in registration) return planAtServer(facts, atServer, registration)
  const app = ownApp ?? operatorApp
  if (app) return planAtProvider(facts, app)
  if (atServer && !provider) return planRegistration(facts, atServer)
  if (server)
    throw new SetupRequired(
      provider
        ? saySetUp('setup_required.steps', { name: entry.name })
        : saySetUp('setup_required.discovery', {
            name: entry.name,
            problem: 'problem' in server ? server.problem : '',
          }),
    )
  if (provider) throw new SetupRequired(saySetUp('setup_required.client_id'))
  throw new BadRequest(saySetUp('bad_request.no_sign_in', { name: entry.name }))
}

/** @throws BadRequest if the provider has no sign-in */
function planAtProvider(
  { entry, provider, ownApp, redirectUri }: SignInFacts,
  { clientId, clientSecret }: OAuthClient | OperatorApp,
): AuthorizationRequest {
  if (!provider) throw new BadRequest(saySetUp('bad_request.no_sign_in', { name: entry.name }))
  const { oauth, authUrl } = provider
  const hasScope = oauth.scopes.length > 0 && !oauth.scopesFromApp
  return {
    client: { clientId, clientSecret },
    clientId: ownApp?.clientId,
    redirectUri,
    authUrl,
    query: { ...oauth.authParams, ...(hasScope && { scope: oauth.scopes.join(oauth.scopeSeparator) }) },
    pkce: oauth.pkce === 'without-secret' ? clientSecret === undefined : oauth.pkce !== 'unsupported',
    server: undefined,
    refused: [],
  }
}

function planAtServer(
  { existing, refused: refusedNow }: SignInFacts,
  { found, isOwn, refused: refusedElsewhere }: ServerSignIn,
  { client, clientAuth, redirectUri }: ClientRegistration,
): AuthorizationRequest {
  const known = isAt(toRegistrationKey(found.server), existing) ? (existing?.refused ?? []) : []
  const refusedHere = [...new Set([...toOptionalParameters(known), ...refusedNow])]
  const refused = [...refusedHere, ...refusedElsewhere]
  const { resource, ...unbound } = found.server
  const scope = addStepUp(found, existing)
  return {
    client,
    clientId: client.clientId,
    authUrl: found.authUrl,
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
    server: {
      ...unbound,
      ...(resource !== undefined && !refused.includes('resource') && { resource }),
      client_auth: clientAuth,
      ...(isOwn && { own_client: true }),
    },
    refused: refusedHere,
  }
}

/** The URL of the sign-in page. @param verifier of PKCE, if the server supports it */
export function buildAuthUrl(
  { authUrl, query, client, redirectUri }: AuthorizationRequest,
  state: string,
  verifier: string | undefined,
): string {
  const url = new URL(authUrl)
  const all: Record<string, string> = {
    ...query,
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    state,
    ...(verifier && {
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }),
  }
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value)
  return url.href
}

function planRegistration(
  { entry }: SignInFacts,
  { found, clientRedirectUri, registration }: ServerSignIn,
): SignInPlan {
  const registerAt = new URL(found.authUrl).host
  const reason = registration && 'isOffered' in registration ? registration : undefined
  const message = describeManual({ name: entry.name, host: registerAt }, reason)
  return { manualRegistration: { clientRedirectUri, registerAt }, ...toMessage(message) }
}

/** Why no app was registered: only what is known of it. @param reason absent if the user's own app has another redirect URI */
function describeManual(about: { name: string; host: string }, reason: NotRegistered | undefined): Sentence {
  if (!reason) return saySetUp('manual_registration.other_redirect', about)
  const { isOffered, status, retryAfterSeconds: seconds } = reason
  if (!isOffered) return saySetUp('manual_registration.not_offered', about)
  if (status === 429 || status === 503)
    return seconds
      ? saySetUp('manual_registration.busy_wait', { ...about, seconds })
      : saySetUp('manual_registration.busy', about)
  return status === undefined
    ? saySetUp('manual_registration.refused', about)
    : saySetUp('manual_registration.refused_status', { ...about, status })
}

/** Whether a credential is one of this authorization server, for this MCP server. */
export const isAt = (key: RegistrationKey, credential: CredentialRow | undefined) =>
  credential?.server !== undefined && isDeepStrictEqual(toRegistrationKey(credential.server), key)

/**
 * The scopes to request: after a call that lacked some, the granted ones and those (SEP-2350), so that nothing is lost by a sign-in for more.
 */
function addStepUp({ scope, server }: DiscoveredServer, existing: CredentialRow | undefined) {
  const missing = existing?.step_up_scope
  if (missing === undefined || existing?.server?.issuer !== server.issuer) return scope
  const refreshScope = scope?.split(' ').includes('offline_access') ? 'offline_access' : undefined
  return limitScopes(computeScopeUnion(existing.scope ?? scope, missing, refreshScope)) ?? scope
}
