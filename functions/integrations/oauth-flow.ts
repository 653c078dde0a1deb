import { validateAuthorizationResponseIssuer } from '@modelcontextprotocol/client'
import { createHash, randomBytes } from 'node:crypto'
import * as z from 'zod'
import type { Environment } from '#shared/contracts/registry.ts'
import { oauthCallbackPath } from '#shared/oauth-client.ts'
import { BadRequest } from '../platform/errors.ts'
import { siteConfig } from '../platform/site-config.ts'
import { operatorApps } from '../providers/operator-apps.ts'
import type { ForeignSignIn } from './authorization-owner.ts'
import { serverPair } from './client-registration.ts'
import { connectionOf } from './connection.ts'
import type { CredentialRow } from './credential-repository.ts'
import { disconnectMoved } from './disconnect.ts'
import { CredentialsNotStored, CredentialsRefused, ProviderRefused, StateNotFound } from './errors.ts'
import { type Grantor, providerGrantor, remoteGrantor } from './grantor.ts'
import { listReadOnlyTools, probeServer } from './mcp-probe.ts'
import { clientSecretName } from './oauth-client.ts'
import type { OAuthState } from './oauth-state-repository.ts'
import { open, signInFor } from './sign-in.ts'
import type { Stores } from './stores.ts'
import { findTarget, placeOf, remoteUrlOf, type Target } from './target.ts'
import { type OAuthClient, requestTokens } from './token-endpoint.ts'
import { sealTokens } from './token-store.ts'
import { masks } from './vault.ts'

const flowSecrets = z.object({ verifier: z.string().optional(), clientSecret: z.string().optional() })

const contextOf = (sub: string, state: string) => `oauth-state|${sub}|${state}`

/** The one address that apps made by hand are registered with. */
async function checkRedirect(redirectUri: string): Promise<void> {
  const { origin } = await siteConfig()
  if (redirectUri !== `${origin}${oauthCallbackPath}`)
    throw new BadRequest('The redirect URI is not this product’s own.')
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
