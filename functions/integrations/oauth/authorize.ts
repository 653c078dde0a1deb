import { saySetUp } from '#shared/sentences/set-ups.ts'
import { randomBytes } from 'node:crypto'
import type { Environment } from '#shared/contracts/connection-kinds.ts'
import { oauthCallbackPath, serverCallbackPath } from '#shared/oauth-client.ts'
import type { ProbedServer } from '../../mcp/probe.ts'
import { BadRequest } from '../../platform/errors.ts'
import { loadSiteConfig } from '../../platform/site-config.ts'
import { type ConnectionTarget, findTarget } from '../connection-target.ts'
import type { IntegrationDeps } from '../deps.ts'
import { toOptionalParameters } from '../store/client-repository.ts'
import { toEntryId } from '../store/connection.ts'
import { StateNotFound } from '../store/errors.ts'
import { findRefusedParameter, listOptionalParameters } from './optional-parameters.ts'
import { type AuthorizationRequest, buildAuthUrl, planSignIn, type SignInPlan } from './plan-sign-in.ts'
import { findSignInFacts, type SignInRequest } from './sign-in-facts.ts'
import { flowSecrets, sealingContext } from './state-repository.ts'

export interface InitiateInput extends SignInRequest {
  mcpId: string
  environment: Environment
  /** whether the server has refused the registered client, so that this flow has another one */
  hasNewClient?: boolean
}

/** A server that needs no sign-in, and has shown its tools. */
export interface OpenServer {
  target: ConnectionTarget
  parameters: Record<string, string>
  probe: ProbedServer
}

/** `authUrl`: the URL for the sign-in window. `open`: nothing is stored yet, and the server can be connected. */
export type InitiateResult = { provider: string } & (
  | { authUrl: string }
  | { open: OpenServer }
  | Exclude<SignInPlan, AuthorizationRequest | { probe: ProbedServer }>
)

/**
 * Starts an OAuth flow. The state is random, single-use and valid for ten minutes for this user, integration, environment and redirect
 * URI. PKCE binds the code to it if the provider supports PKCE. Each discovered authorization server has its own redirect URI, so a
 * code from another server arrives at a URI that the state is not valid for (RFC 9700 section 4.4.2).
 * @throws EntryNotFound, and as `findSignInFacts` and `planSignIn`
 */
export async function initiate(
  deps: IntegrationDeps,
  sub: string,
  input: InitiateInput,
  state = randomBytes(32).toString('base64url'),
): Promise<InitiateResult> {
  await checkRedirect(input.redirectUri)
  const target = await findTarget(deps, input.mcpId, input.environment)
  const facts = await findSignInFacts(deps, sub, target, input)
  const plan = planSignIn(facts)
  const { provider } = target.entry
  const { parameters } = facts
  if ('probe' in plan) return { provider, open: { target, parameters, probe: plan.probe } }
  if (!('client' in plan)) return { provider, ...plan }
  const { client, clientId, server, redirectUri, query } = plan
  const verifier = plan.pkce ? randomBytes(48).toString('base64url') : undefined
  const secrets = { verifier, clientSecret: clientId === undefined ? undefined : client.clientSecret }
  await deps.states.add(
    state,
    {
      sub,
      mcp_id: target.mcpId,
      environment: target.environment,
      redirect_uri: redirectUri,
      client_id: clientId,
      server,
      scope: server && query['scope'],
      parameters,
      ...(server && {
        again: {
          redirect_uri: input.redirectUri,
          agreed_to: [...(input.agreedTo ?? [])],
          sent: listOptionalParameters(query),
          refused: [...plan.refused],
          has_new_client: input.hasNewClient ?? false,
        },
      }),
      sealed: await deps.sealer.seal(JSON.stringify(secrets), sealingContext(sub, state)),
    },
    Math.floor(Date.now() / 1_000),
  )
  return { provider, authUrl: buildAuthUrl(plan, state, verifier) }
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

/** Checks for a redirect URI that manually created apps are registered with. @throws BadRequest */
async function checkRedirect(redirectUri: string): Promise<void> {
  const { origin } = await loadSiteConfig()
  const serverPrefix = `${origin}${serverCallbackPath}/`
  const isOwn =
    redirectUri === `${origin}${oauthCallbackPath}` ||
    (redirectUri.startsWith(serverPrefix) && /^[0-9a-f]{32}$/.test(redirectUri.slice(serverPrefix.length)))
  if (!isOwn) throw new BadRequest(saySetUp('bad_request.redirect_uri'))
}
