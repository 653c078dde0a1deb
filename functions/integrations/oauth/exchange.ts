import { validateAuthorizationResponseIssuer } from '@modelcontextprotocol/client'
import * as z from 'zod'
import type { Environment } from '#shared/contracts/registry.ts'
import { BadRequest } from '../../platform/errors.ts'
import { operatorApps } from '../../providers/operator-apps.ts'
import { serverPair } from './registration.ts'
import { connectionOf } from '../connection.ts'
import type { CredentialRow } from '../credential-repository.ts'
import { disconnectMoved } from '../disconnect.ts'
import { CredentialsNotStored, CredentialsRefused, ProviderRefused, StateNotFound } from '../errors.ts'
import { type Grantor, providerGrantor, remoteGrantor } from './authorization-server.ts'
import { probeServer } from '../../mcp/probe.ts'
import { clientSecretName, type OAuthClient, requestTokens, sealTokens } from './tokens.ts'
import { type OAuthState, contextOf } from './state-repository.ts'
import type { Stores } from '../deps.ts'
import { findTarget, placeOf, type Target } from '../target.ts'
import { masks } from '../vault/vault.ts'

const flowSecrets = z.object({ verifier: z.string().optional(), clientSecret: z.string().optional() })

export interface RedeemWish {
  code: string
  state: string
  redirectUri: string
  /** what a caller believes it connects: has to be what the state says */
  expected?: { mcpId: string; environment: Environment } | undefined
  /** RFC 9207: who sent the person back */
  iss: string | undefined
}

/**
 * OAUTH-14, OAUTH-15, DEC-089: redeems a code, once. Credential first, row second: what was not stored is not connected.
 * @throws StateNotFound, ProviderRefused, UnexpectedAnswer, OutboundFailed, CredentialsRefused, CredentialsNotStored
 */
export async function redeem(
  stores: Stores,
  sub: string,
  wish: RedeemWish,
): Promise<{ mcpId: string; provider: string }> {
  const flow = await stores.states.use(wish.state, {
    sub,
    redirectUri: wish.redirectUri,
    nowSeconds: Math.floor(Date.now() / 1_000),
  })
  if (!flow || !isExpected(flow, wish.expected))
    throw new StateNotFound('unknown, used, expired, or for something else')
  const target = await findTarget(stores, flow.mcp_id, flow.environment)
  const { mcpId, entry } = target
  const grantor = grantorOf(target, flow, wish.iss)
  const { verifier, clientSecret } = flowSecrets.parse(
    JSON.parse(await stores.sealer.open(flow.sealed, contextOf(sub, wish.state))),
  )
  const granted = await requestTokens(
    stores.http,
    grantor.tokenUrl,
    {
      grant_type: 'authorization_code',
      code: wish.code,
      redirect_uri: wish.redirectUri,
      ...(verifier && { code_verifier: verifier }),
    },
    { grantor, client: await clientOf(flow, target, clientSecret) },
  ).catch(async (error: unknown) => {
    // the server forgot who the product is: the next try registers anew
    if (flow.server && error instanceof ProviderRefused && error.error === 'invalid_client')
      await stores.clients.forget(serverPair(flow.server))
    throw error
  })
  const readOnlyTools = flow.server
    ? await checkTaken(stores, target, flow.server.url, granted.accessToken)
    : []
  const now = new Date()
  const previous = flow.server ? { clientSecret } : {}
  const { access_expires_at, expires_at, ...tokens } = await sealTokens(
    stores.sealer,
    { sub, mcpId },
    granted,
    {
      grantor,
      previous,
      now,
    },
  )
  await disconnectMoved(stores, sub, target)
  await store(stores, sub, mcpId, {
    credential: {
      ...tokens,
      status: 'active',
      masks: {},
      ...(access_expires_at && { access_expires_at }),
      ...(expires_at && { expires_at }),
      ...(flow.client_id !== undefined && { client_id: flow.client_id }),
      ...(flow.server && { server: flow.server }),
      updated_at: now.toISOString(),
    },
    typedSecret: flow.server ? undefined : clientSecret,
  })
  const connection = connectionOf(target, {
    // a server that the product does not know may not say how long its token is good
    tokenStatus: flow.server && access_expires_at === undefined ? 'unknown' : 'active',
    authType: 'oauth2',
    parameters: flow.parameters,
    readOnlyTools,
  })
  await stores.integrations.connect(sub, mcpId, connection, now.toISOString())
  return { mcpId, provider: entry.provider }
}

/** @throws StateNotFound when somebody else sent the person back, BadRequest */
function grantorOf(target: Target, { server, parameters }: OAuthState, iss: string | undefined): Grantor {
  if (server) {
    try {
      validateAuthorizationResponseIssuer({
        iss,
        expectedIssuer: server.issuer,
        issParameterSupported: server.names_itself,
      })
    } catch {
      throw new StateNotFound('the answer is of another issuer')
    }
    return remoteGrantor(target.entry.name, server)
  }
  const found = providerGrantor(target.provider, placeOf(target, parameters))
  if (!found) throw new BadRequest(`${target.entry.name} cannot be connected by a sign-in.`)
  if (iss !== undefined && URL.parse(iss)?.origin !== new URL(found.authUrl).origin)
    throw new StateNotFound('the answer is of another issuer')
  return found.grantor
}

async function clientOf(
  { client_id }: OAuthState,
  { entry }: Target,
  clientSecret: string | undefined,
): Promise<OAuthClient> {
  if (client_id !== undefined) return { clientId: client_id, clientSecret }
  const app = (await operatorApps())[entry.id]
  if (!app) throw new StateNotFound('the operator’s app is gone')
  return { clientId: app.clientId, clientSecret: app.clientSecret }
}

/**
 * A remote server says itself whether it takes the token, before anything is called connected; silence is no refusal.
 * @returns the fingerprints of its tools that only read
 * @throws CredentialsRefused
 */
async function checkTaken(
  { http }: Stores,
  { entry }: Target,
  url: string,
  token: string,
): Promise<readonly string[]> {
  const answer = await probeServer(http, url, { authorization: `Bearer ${token}` }).catch(() => undefined)
  if (answer && 'challenge' in answer) throw new CredentialsRefused(entry.name)
  return answer?.readOnlyTools ?? []
}

function isExpected(flow: OAuthState, expected: RedeemWish['expected']): boolean {
  if (!expected) return true
  const { mcpId, environment } = expected
  return (
    flow.mcp_id === (environment === 'sandbox' && !mcpId.endsWith('-sandbox') ? `${mcpId}-sandbox` : mcpId)
  )
}

/** @throws CredentialsNotStored with nothing left behind */
async function store(
  { credentials, vault }: Pick<Stores, 'credentials' | 'vault'>,
  sub: string,
  mcpId: string,
  { credential, typedSecret }: { credential: CredentialRow; typedSecret: string | undefined },
): Promise<void> {
  let name: string | undefined
  try {
    if (typedSecret !== undefined) name = await vault.store(sub, mcpId, { [clientSecretName]: typedSecret })
    const superseded = await credentials.replace(sub, mcpId, {
      ...credential,
      ...(name && { secret_name: name, masks: masks({ [clientSecretName]: typedSecret ?? '' }) }),
    })
    for (const old of superseded) await vault.remove(sub, old).catch(() => undefined)
  } catch (error) {
    if (name) await vault.remove(sub, name).catch(() => undefined)
    throw new CredentialsNotStored(`tokens of ${mcpId}`, { cause: error })
  }
}
