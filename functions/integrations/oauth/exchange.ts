import { saySetUp } from '#shared/sentences/set-ups.ts'
import type { Environment } from '#shared/contracts/connection-kinds.ts'
import { BadRequest } from '../../platform/errors.ts'
import { isConnectionAllowed } from '#shared/group-limits.ts'
import { loadOperatorApps } from '../../providers/operator-apps.ts'
import { toRegistrationKey } from '../store/client-repository.ts'
import { storeConnection } from '../connection.ts'
import type { CredentialRow } from '../store/credential-repository.ts'
import { revokeUnstoredGrant } from '../credentials/revoke.ts'
import { replaceCredential } from '../credentials/save.ts'
import { disconnectMoved } from '../disconnect.ts'
import {
  ConnectionNotAllowed,
  CredentialsNotStored,
  CredentialsRefused,
  IssuerMismatch,
  OAuthError,
  StateNotFound,
  TooManySecrets,
} from '../store/errors.ts'
import { type AuthorizationServer, toAuthorizationServer } from '../credentials/authorization-server.ts'
import { checkServer, type ProbedServer } from '../../mcp/probe.ts'
import {
  clientSecretName,
  type GrantedTokens,
  type OAuthClient,
  rememberAccepted,
  requestTokensTolerantly,
  unknownClientCodes,
} from '../credentials/tokens.ts'
import { sealTokens } from '../credentials/seal-tokens.ts'
import { flowSecrets, type OAuthState, sealingContext } from './state-repository.ts'
import type { IntegrationDeps } from '../deps.ts'
import { findTarget, type ConnectionTarget } from '../connection-target.ts'
import { maskCredentials } from '../vault/vault.ts'

export interface ExchangeInput {
  code: string
  state: string
  redirectUri: string
  /** what the caller expects to connect; has to match the state */
  expected?: { mcpId: string; environment: Environment } | undefined
  /** issuer of the authorization response (RFC 9207) */
  iss: string | undefined
}

/**
 * Exchanges an authorization code, once. Stores the credential before the row, so that nothing counts as connected without tokens.
 * @throws StateNotFound, IssuerMismatch, ConnectionNotAllowed, OAuthError, SignInServerBusy, UnexpectedTokenResponse, OutboundFailed,
 * CredentialsRefused, CredentialsNotStored
 */
export async function exchangeCode(
  deps: IntegrationDeps,
  sub: string,
  input: ExchangeInput,
): Promise<{ mcpId: string; provider: string }> {
  const flow = await deps.states.use(input.state, {
    sub,
    redirectUri: input.redirectUri,
    nowSeconds: Math.floor(Date.now() / 1_000),
  })
  if (!flow || !isExpected(flow, input.expected))
    throw new StateNotFound('unknown, used, expired, or for something else')
  const target = await findTarget(deps, flow.mcp_id, flow.environment)
  const { mcpId, entry } = target
  if (flow.server && !isConnectionAllowed('remote', deps.toolsAllowed))
    throw new ConnectionNotAllowed({ name: entry.name })
  const authorizationServer = resolveFlowAuthorizationServer(target, flow, input.iss)
  const { verifier, clientSecret } = flowSecrets.parse(
    JSON.parse(await deps.sealer.open(flow.sealed, sealingContext(sub, input.state))),
  )
  const client = await resolveClient(flow, target, clientSecret)
  const { granted, authorizationServer: accepted } = await requestTokensTolerantly(
    deps.http,
    authorizationServer.tokenUrl,
    {
      grant_type: 'authorization_code',
      code: input.code,
      redirect_uri: input.redirectUri,
      ...(verifier && { code_verifier: verifier }),
    },
    { authorizationServer, client },
  ).catch(async (error: unknown) => {
    // the server may have deleted the client: the next attempt registers again
    if (
      flow.server &&
      flow.client_id !== undefined &&
      !flow.server.own_client &&
      error instanceof OAuthError &&
      mayNotKnowClient(error)
    )
      await deps.clients.markForgotten(toRegistrationKey(flow.server), flow.client_id)
    throw error
  })
  try {
    return await storeGrant(deps, sub, { flow, target, authorizationServer, accepted, granted, clientSecret })
  } catch (error) {
    const credential = { client_id: flow.client_id, server: flow.server }
    await revokeUnstoredGrant(deps, sub, mcpId, { authorizationServer, granted, client, credential })
    throw error
  }
}

/** Whether the server may not know the client: several say only that the request is invalid (pomerium/pomerium#6786). */
const mayNotKnowClient = ({ error }: OAuthError) =>
  unknownClientCodes.has(error) || error === 'invalid_request'

/**
 * Checks a grant, and stores it and its connection.
 * @throws CredentialsRefused, TooManySecrets, CredentialsNotStored, errors of the table
 */
async function storeGrant(
  deps: IntegrationDeps,
  sub: string,
  {
    flow,
    target,
    authorizationServer,
    accepted,
    granted,
    clientSecret,
  }: {
    flow: OAuthState
    target: ConnectionTarget
    authorizationServer: AuthorizationServer
    /** as it has taken the token request */
    accepted: AuthorizationServer
    granted: GrantedTokens
    clientSecret: string | undefined
  },
): Promise<{ mcpId: string; provider: string }> {
  const { mcpId, entry } = target
  const server = flow.server && rememberAccepted(flow.server, accepted)
  if (flow.server?.resource !== undefined && server?.resource === undefined)
    await deps.clients.addRefused(toRegistrationKey(flow.server), 'resource', Math.floor(Date.now() / 1_000))
  const probe = flow.server && (await verifyToken(deps, target, flow.server.url, granted.accessToken))
  const now = new Date()
  // one that the product has registered, or its client metadata document; not the user’s own
  const usesProductClient = flow.server !== undefined && !flow.server.own_client
  const carriedOver = usesProductClient ? { clientSecret } : {}
  const tokens = await sealTokens(deps.sealer, { sub, mcpId }, granted, {
    authorizationServer,
    carriedOver,
    now,
  })
  await disconnectMoved(deps, sub, target)
  const saved = await saveCredential(deps, sub, mcpId, {
    credential: {
      ...tokens,
      status: 'active',
      client_id: flow.client_id,
      server,
      refused: flow.again?.refused,
      scope: flow.server && (granted.scope ?? flow.scope),
      updated_at: now.toISOString(),
    },
    clientSecret: usesProductClient ? undefined : clientSecret,
  })
  await storeConnection(deps, sub, target, {
    // a discovered server may omit `expires_in`
    tokenStatus: flow.server && tokens.access_expires_at === undefined ? 'unknown' : 'active',
    authType: 'oauth2',
    parameters: flow.parameters,
    url: flow.server?.url,
    credential: saved,
    probe,
  })
  await saved.revokeReplaced()
  return { mcpId, provider: entry.provider }
}

/** @throws IssuerMismatch, BadRequest */
function resolveFlowAuthorizationServer(
  target: ConnectionTarget,
  { server, parameters }: OAuthState,
  iss: string | undefined,
): AuthorizationServer {
  if (server) {
    // compared to the letter with what the metadata says (RFC 9207 section 2.4)
    const isOther = iss === undefined ? server.names_itself : iss !== server.issuer
    if (isOther) throw new IssuerMismatch({ name: target.entry.name })
    return toAuthorizationServer(target.entry.name, server)
  }
  const found = target.findSignIn(parameters)
  if (!found) throw new BadRequest(saySetUp('bad_request.no_sign_in', { name: target.entry.name }))
  // an issuer may be at either address: Figma authorizes at another host than it issues tokens
  const { authUrl, authorizationServer } = found
  const origins = [authUrl, authorizationServer.tokenUrl].map((address) => new URL(address).origin)
  if (iss !== undefined && !origins.some((origin) => origin === URL.parse(iss)?.origin))
    throw new IssuerMismatch({ name: target.entry.name })
  return authorizationServer
}

async function resolveClient(
  { client_id }: OAuthState,
  { entry }: ConnectionTarget,
  clientSecret: string | undefined,
): Promise<OAuthClient> {
  if (client_id !== undefined) return { clientId: client_id, clientSecret }
  const app = (await loadOperatorApps())[entry.id]
  if (!app) throw new StateNotFound('the operator’s app was removed')
  return { clientId: app.clientId, clientSecret: app.clientSecret }
}

/**
 * Checks that a remote server accepts the token before it counts as connected. A server that does not respond passes.
 * @returns its tools; undefined if it did not respond
 * @throws CredentialsRefused
 */
async function verifyToken(
  { http }: IntegrationDeps,
  { entry }: ConnectionTarget,
  url: string,
  token: string,
): Promise<ProbedServer | undefined> {
  const probe = await checkServer(http, url, { authorization: `Bearer ${token}` })
  if (probe === 'refused') throw new CredentialsRefused({ name: entry.name })
  return probe
}

function isExpected(flow: OAuthState, expected: ExchangeInput['expected']): boolean {
  if (!expected) return true
  const { mcpId, environment } = expected
  return (
    flow.mcp_id === (environment === 'sandbox' && !mcpId.endsWith('-sandbox') ? `${mcpId}-sandbox` : mcpId)
  )
}

/** @throws TooManySecrets, CredentialsNotStored */
async function saveCredential(
  deps: IntegrationDeps,
  sub: string,
  mcpId: string,
  {
    credential,
    clientSecret,
  }: { credential: Omit<CredentialRow, 'secret_name' | 'masks'>; clientSecret: string | undefined },
): Promise<Pick<CredentialRow, 'secret_name'> & { revokeReplaced: () => Promise<void> }> {
  const secrets = clientSecret === undefined ? undefined : { [clientSecretName]: clientSecret }
  try {
    const name = secrets && (await deps.vault.store(sub, mcpId, secrets))
    const masks = maskCredentials(secrets ?? {})
    const stored = { ...credential, secret_name: name, masks }
    return { secret_name: name, revokeReplaced: await replaceCredential(deps, sub, mcpId, stored) }
  } catch (error) {
    if (error instanceof TooManySecrets) throw error
    throw new CredentialsNotStored(`tokens of ${mcpId}`, { cause: error })
  }
}
