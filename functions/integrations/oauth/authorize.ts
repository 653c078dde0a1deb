import { sayIntegration } from '#shared/sentences/integrations.ts'
import { createHash, randomBytes } from 'node:crypto'
import type { Environment } from '#shared/contracts/registry.ts'
import { oauthCallbackPath, serverCallbackPath } from '#shared/oauth-client.ts'
import type { Coded, Sentence } from '#shared/sentences/sentence.ts'
import { BadRequest } from '../../platform/errors.ts'
import { loadSiteConfig } from '../../platform/site-config.ts'
import type { CredentialRow } from '../store/credential-repository.ts'
import type { IntegrationDeps } from '../deps.ts'
import { disconnectMoved } from '../disconnect.ts'
import { findTarget } from '../connection-target.ts'
import { StateNotFound } from '../store/errors.ts'
import type { ForeignSignIn } from './check-authorization-server.ts'
import { resolveSignIn, type ManualRegistration } from './resolve-sign-in.ts'
import { findRefusedParameter, listOptionalParameters } from './optional-parameters.ts'
import { type NotRegistered } from './registration.ts'
import { flowSecrets, sealingContext } from './state-repository.ts'
import { clientSecretName, type OAuthClient } from '../credentials/tokens.ts'
import { storeConnection } from '../connection.ts'
import { toEntryId } from '../store/connection.ts'
import { type OptionalParameter, toOptionalParameters } from '../store/client-repository.ts'

export interface InitiateInput {
  mcpId: string
  clientId?: string | undefined
  clientSecret?: string | undefined
  environment: Environment
  redirectUri: string
  parameters?: Record<string, string> | undefined
  /** hosts of other parties that the user has agreed to sign in at */
  agreedTo?: readonly string[] | undefined
  /** whether the server has refused the registered client, so that this flow has another one */
  hasNewClient?: boolean
  /** whether the server has just refused it */
  isClientForgotten?: boolean
  /** what the server's page has refused in this flow so far */
  refused?: readonly OptionalParameter[]
}

/**
 * `authUrl`: the URL for the sign-in window. `mcpId`: no sign-in was needed and the integration is connected. `foreignSignIn`: the user
 * has to agree first. `manualRegistration`: the user has to enter the Client ID of an app that is registered with this redirect URI.
 */
export type InitiateResult = { provider: string } & (
  | { authUrl: string }
  | { mcpId: string }
  | ({ foreignSignIn: ForeignSignIn } & Message)
  | ({ manualRegistration: ManualRegistration } & Message)
)

/** What the user is told, and what it says. */
type Message = { message: string } & Coded

const toMessage = ({ text, ...coded }: Sentence): Message => ({ message: text, ...coded })

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
  state = randomBytes(32).toString('base64url'),
): Promise<InitiateResult> {
  await checkRedirect(input.redirectUri)
  const target = await findTarget(deps, input.mcpId, input.environment)
  const { mcpId, entry, environment } = target
  const connection = await deps.integrations.find(sub, mcpId)
  const parameters = input.parameters ?? connection?.parameters ?? {}
  const clientSecret = input.clientSecret?.trim() || undefined
  const credential = input.clientId === undefined ? await deps.credentials.find(sub, mcpId) : undefined
  const previousClient = await loadPreviousClient(deps, sub, credential)
  const ownClient = input.clientId ? { clientId: input.clientId, clientSecret } : previousClient
  const signIn = await resolveSignIn(deps, sub, target, {
    parameters,
    redirectUri: input.redirectUri,
    ownClient,
    agreedTo: input.agreedTo ?? [],
    existing: credential,
    refused: input.refused ?? [],
    isClientForgotten: input.isClientForgotten ?? false,
    challenge: connection?.challenge,
  })
  if ('probe' in signIn) {
    await disconnectMoved(deps, sub, target)
    const state = { tokenStatus: 'active', authType: 'none', parameters, credential: undefined } as const
    await storeConnection(deps, sub, target, { ...state, url: target.remoteUrl, probe: signIn.probe })
    return { mcpId, provider: entry.provider }
  }
  if ('signsInAt' in signIn) {
    const { server, signsInAt } = signIn
    const about = { name: entry.name, server, hosts: signsInAt }
    return {
      provider: entry.provider,
      foreignSignIn: signIn,
      ...toMessage(sayIntegration('foreign_sign_in.agree', about)),
    }
  }
  if ('registerAt' in signIn) {
    const { reason, ...manualRegistration } = signIn
    const about = { name: entry.name, host: signIn.registerAt }
    return { provider: entry.provider, manualRegistration, ...toMessage(describeManual(about, reason)) }
  }
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
      client_id: signIn.clientId,
      server: signIn.server,
      scope: signIn.server && signIn.query['scope'],
      parameters,
      ...(signIn.server && {
        again: {
          redirect_uri: input.redirectUri,
          agreed_to: [...(input.agreedTo ?? [])],
          sent: listOptionalParameters(signIn.query),
          refused: [...signIn.refused],
          has_new_client: input.hasNewClient ?? false,
        },
      }),
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

/** Why no app was registered: only what is known of it. @param reason absent if the user's own has another redirect URI */
function describeManual(about: { name: string; host: string }, reason: NotRegistered | undefined): Sentence {
  if (!reason) return sayIntegration('manual_registration.other_redirect', about)
  const { isOffered, status, retryAfterSeconds: seconds } = reason
  if (!isOffered) return sayIntegration('manual_registration.not_offered', about)
  if (status === 429 || status === 503)
    return seconds
      ? sayIntegration('manual_registration.busy_wait', { ...about, seconds })
      : sayIntegration('manual_registration.busy', about)
  return status === undefined
    ? sayIntegration('manual_registration.refused', about)
    : sayIntegration('manual_registration.refused_status', { ...about, status })
}

export interface RefusedInput {
  state: string
  redirectUri: string
  error: string
  description: string
}

/**
 * Starts a flow again that an authorization server has refused because of an optional parameter, or because it has forgotten the client.
 * It keeps its state, for which the page waits. Each time it carries one parameter less, or another client. What was refused is the word of
 * this user's browser: it is remembered with the connection, and weakens no other user's sign-in.
 * @returns undefined if the refusal is about something else
 * @throws StateNotFound, and as `initiate`
 */
export async function startWithoutRefused(
  deps: IntegrationDeps,
  sub: string,
  { state, redirectUri, error, description }: RefusedInput,
): Promise<InitiateResult | undefined> {
  const nowSeconds = Math.floor(Date.now() / 1_000)
  const flow = await deps.states.use(state, { sub, redirectUri, nowSeconds })
  if (!flow) throw new StateNotFound('unknown, used, expired, or for something else')
  const { server, again, client_id: clientId } = flow
  if (!server || !again) return undefined
  const refused = findRefusedParameter(error, description, toOptionalParameters(again.sent))
  if (!refused) {
    const isForgotten = error === 'invalid_client' && !server.own_client && !again.has_new_client
    if (!isForgotten || clientId === undefined) return undefined
  }
  const { clientSecret } = server.own_client
    ? flowSecrets.parse(JSON.parse(await deps.sealer.open(flow.sealed, sealingContext(sub, state))))
    : { clientSecret: undefined }
  const input = {
    mcpId: toEntryId(flow.mcp_id),
    environment: flow.environment,
    redirectUri: again.redirect_uri,
    parameters: flow.parameters,
    agreedTo: again.agreed_to,
    hasNewClient: again.has_new_client || !refused,
    isClientForgotten: !refused,
    refused: toOptionalParameters(again.refused).concat(refused ?? []),
    ...(server.own_client && { clientId, clientSecret }),
  }
  return initiate(deps, sub, input, state)
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
  const { origin } = await loadSiteConfig()
  const serverPrefix = `${origin}${serverCallbackPath}/`
  const isOwn =
    redirectUri === `${origin}${oauthCallbackPath}` ||
    (redirectUri.startsWith(serverPrefix) && /^[0-9a-f]{32}$/.test(redirectUri.slice(serverPrefix.length)))
  if (!isOwn) throw new BadRequest(sayIntegration('bad_request.redirect_uri'))
}
