import { runsLocally } from '#shared/registry-search.ts'
import type { Challenge } from '../../mcp/connection.ts'
import { probeServer } from '../../mcp/probe.ts'
import { loadSiteConfig } from '../../platform/site-config.ts'
import { loadOperatorApps } from '../../providers/operator-apps.ts'
import type { ConnectionTarget } from '../connection-target.ts'
import { clientSecretName, type OAuthClient } from '../credentials/tokens.ts'
import type { IntegrationDeps } from '../deps.ts'
import { type OptionalParameter, toRegistrationKey } from '../store/client-repository.ts'
import type { ServerChallenge } from '../store/connection-repository.ts'
import type { CredentialRow } from '../store/credential-repository.ts'
import { ServerRunsLocally } from '../store/errors.ts'
import { checkAuthorizationServer } from './check-authorization-server.ts'
import { discoverServer } from './discovery.ts'
import { isAt, type ServerAnswer, type SignInFacts } from './plan-sign-in.ts'
import { buildRedirectUri, getOrRegisterClient, toClientRegistration } from './registration.ts'
import { isUnknownClient } from './unknown-client.ts'

/** For all discovery requests together: the function has 30 s, and the probe runs before. */
const discoveryMs = 15_000

/**
 * A server that has forgotten its clients shows an error page of its own. Some tell it for a code that they have not given, too; for the
 * others another client is registered after so many sign-ins without a response.
 */
const maxUnanswered = 2

/** What a user has asked for. */
export interface SignInRequest {
  clientId?: string | undefined
  clientSecret?: string | undefined
  /** of the provider's addresses; those of the last connection if absent */
  parameters?: Record<string, string> | undefined
  /** that the user's own app, or the operator's, is registered with */
  redirectUri: string
  /** hosts of other parties that the user has agreed to sign in at */
  agreedTo?: readonly string[] | undefined
  /** whether the server has just refused the registered client in this flow, as the user's browser says */
  isClientForgotten?: boolean
  /** what the server's page has refused in this flow so far */
  refused?: readonly OptionalParameter[]
}

interface ServerQuestion extends SignInRequest {
  /** the user's own app: entered now, or of the last connection */
  ownClient: OAuthClient | undefined
  existing: CredentialRow | undefined
  /** with which the server has refused a call, though it showed its tools without a sign-in */
  challenge: ServerChallenge | undefined
}

/**
 * Finds out all that a sign-in depends on: what is stored, what the server publishes, the client that it registers. The operator's app is
 * read only where a sign-in may need it. The own app of an entry that is no built-in provider is one at its server.
 * @throws ServerRunsLocally, ForeignSignInRefused, BadRequest, AddressForbidden, OutboundFailed, McpServerFailed
 */
export async function findSignInFacts(
  deps: IntegrationDeps,
  sub: string,
  target: ConnectionTarget,
  request: SignInRequest,
): Promise<SignInFacts & { parameters: Record<string, string> }> {
  const { entry, mcpId, remoteUrl: url } = target
  const { redirectUri, refused = [], clientId } = request
  const connection = await deps.integrations.find(sub, mcpId)
  const existing = clientId === undefined ? await deps.credentials.find(sub, mcpId) : undefined
  const ownClient = clientId
    ? { clientId, clientSecret: request.clientSecret?.trim() || undefined }
    : await loadPreviousClient(deps, sub, existing)
  if (runsLocally(entry)) throw new ServerRunsLocally({ name: entry.name })
  const parameters = request.parameters ?? connection?.parameters ?? {}
  const provider = target.findSignIn(parameters)
  const ownApp = provider || url === undefined ? ownClient : undefined
  const question = { ...request, ownClient, existing, challenge: connection?.challenge }
  const server = url === undefined || ownApp ? undefined : await askServer(deps, sub, target, url, question)
  const operatorApp = ownApp || isAnswered(server) ? undefined : (await loadOperatorApps())[entry.id]
  return { entry, provider, server, ownApp, operatorApp, redirectUri, existing, refused, parameters }
}

/** Whether what a server has said needs no app at the provider. */
const isAnswered = (server: ServerAnswer | undefined): boolean =>
  server !== undefined &&
  ('found' in server
    ? server.registration !== undefined && 'client' in server.registration
    : !('problem' in server))

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

/** What a remote MCP server says about its sign-in. A client is found or registered if the sign-in is with the user's consent. */
async function askServer(
  deps: IntegrationDeps,
  sub: string,
  target: ConnectionTarget,
  url: string,
  { agreedTo = [], existing, ownClient, redirectUri, ...question }: ServerQuestion,
): Promise<ServerAnswer> {
  const known = toChallenge(question.challenge, url)
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
  const key = toRegistrationKey(found.server)
  const clientRedirectUri = buildRedirectUri(origin, key)
  // what was registered for another server is not sent to this one
  const app = !existing || isAt(key, existing) ? ownClient : undefined
  const answer = { found, clientRedirectUri, isOwn: app !== undefined, refused: [] }
  if (app && !existing && redirectUri !== clientRedirectUri) return { ...answer, registration: undefined }
  const registration = app
    ? toClientRegistration(app, { ...found, redirectUri: clientRedirectUri })
    : await getOrRegisterClient({ ...deps, http }, found, async (registered) => {
        if (question.isClientForgotten) return true
        const unanswered = await deps.states.countUnanswered(sub, registered.client.clientId)
        if (unanswered >= maxUnanswered) return true
        // a token that only lacks a permission is of a client that the server knows
        const isKnown = existing?.status === 'active' && existing.step_up_scope !== undefined
        const isSuspected = unanswered > 0 || (existing !== undefined && !isKnown)
        return isSuspected && isUnknownClient(http, found, registered)
      })
  if ('isOffered' in registration) return { ...answer, registration }
  const refused = await deps.clients.listRefused(key, Math.floor(Date.now() / 1_000))
  return { ...answer, registration, refused }
}

/** A stored challenge, if it is the one of this server. */
function toChallenge(stored: ServerChallenge | undefined, url: string): Challenge | undefined {
  if (stored?.url !== url) return undefined
  const resourceMetadataUrl = URL.parse(stored.resource_metadata_url ?? '')
  return {
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
    ...(stored.scope !== undefined && { scope: stored.scope }),
  }
}
