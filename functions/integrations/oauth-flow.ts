import { createHash, randomBytes } from 'node:crypto'
import * as z from 'zod'
import type { Environment } from '#shared/contracts/registry.ts'
import { BadRequest } from '../platform/errors.ts'
import { siteConfig } from '../platform/site-config.ts'
import { endpointsOf } from '../providers/endpoints.ts'
import { operatorApps } from '../providers/operator-apps.ts'
import type { CredentialRow } from './credential-repository.ts'
import { CredentialsNotStored, StateNotFound } from './errors.ts'
import { clientOf, clientSecretName } from './oauth-client.ts'
import type { OAuthState } from './oauth-state-repository.ts'
import type { Stores } from './stores.ts'
import { findTarget, type Target } from './target.ts'
import { requestTokens } from './token-endpoint.ts'
import { sealTokens } from './token-store.ts'
import { masks } from './vault.ts'
import { sealing } from './sealing.ts'

const flowSecrets = z.object({ verifier: z.string().optional(), clientSecret: z.string().optional() })

const contextOf = (sub: string, state: string) => `oauth-state|${sub}|${state}`

/** DEC-088: the one address that providers may send people back to. */
async function checkRedirect(redirectUri: string): Promise<void> {
  const { origin } = await siteConfig()
  if (redirectUri !== `${origin}/oauth/callback`)
    throw new BadRequest('The redirect URI is not this product’s own.')
}

/** @throws BadRequest for an entry that has no sign-in at a provider that the product knows */
function oauthOf({ entry, provider, environment }: Target, parameters: Record<string, string>) {
  const endpoints = provider && endpointsOf(provider, { environment, parameters })
  if (!provider?.oauth || !endpoints?.oauth)
    throw new BadRequest(`${entry.name} cannot be connected by a sign-in.`)
  return { provider, oauth: provider.oauth, addresses: endpoints.oauth }
}

export interface InitiateWish {
  mcpId: string
  clientId?: string | undefined
  clientSecret?: string | undefined
  environment: Environment
  redirectUri: string
  parameters?: Record<string, string> | undefined
}

/**
 * OAUTH-02, DEC-087: begins a flow. The state is unguessable, works once, for ten minutes, for this user, integration, environment
 * and redirect; the code is bound to it by PKCE where the provider can do that.
 * @returns the provider's address that the window goes to
 * @throws EntryNotFound, BadRequest
 */
export async function initiate(
  stores: Stores,
  sub: string,
  wish: InitiateWish,
): Promise<{ authUrl: string; provider: string }> {
  await checkRedirect(wish.redirectUri)
  const target = await findTarget(stores, wish.mcpId, wish.environment)
  const row = wish.parameters ? undefined : await stores.integrations.find(sub, target.mcpId)
  const parameters = wish.parameters ?? row?.parameters ?? {}
  const { provider, oauth, addresses } = oauthOf(target, parameters)
  const app = (await operatorApps())[provider.id]
  const own =
    wish.clientId !== undefined || app ? undefined : await ownApp(stores, sub, target.mcpId, provider.id)
  const clientId = wish.clientId || app?.clientId || own?.clientId
  if (!clientId) throw new BadRequest('Client ID is required to continue')
  const state = randomBytes(32).toString('base64url')
  const verifier = oauth.pkce === 'unsupported' ? undefined : randomBytes(48).toString('base64url')
  const clientSecret = wish.clientId ? wish.clientSecret?.trim() || undefined : own?.clientSecret
  await stores.states.add(
    state,
    {
      sub,
      mcp_id: target.mcpId,
      environment: target.environment,
      redirect_uri: wish.redirectUri,
      // the operator's own is looked up when it is used
      client_id: wish.clientId || (own?.clientId ?? ''),
      parameters,
      sealed: await sealing().seal(JSON.stringify({ verifier, clientSecret }), contextOf(sub, state)),
    },
    Math.floor(Date.now() / 1_000),
  )
  const authUrl = new URL(addresses.authUrl)
  const query: Record<string, string> = {
    ...oauth.authParams,
    response_type: 'code',
    client_id: clientId,
    redirect_uri: wish.redirectUri,
    ...(oauth.scopes.length > 0 && { scope: oauth.scopes.join(oauth.scopeSeparator) }),
    state,
    ...(verifier && {
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }),
  }
  for (const [name, value] of Object.entries(query)) authUrl.searchParams.set(name, value)
  return { authUrl: authUrl.href, provider: target.entry.provider }
}

/** What was typed to connect is still known: to connect again nothing has to be typed anew. */
async function ownApp(stores: Stores, sub: string, mcpId: string, entryId: string) {
  const credential = await stores.credentials.find(sub, mcpId)
  return credential?.client_id === undefined ? undefined : clientOf(stores, entryId, credential)
}

export interface RedeemWish {
  code: string
  state: string
  redirectUri: string
  /** what a caller believes it connects: has to be what the state says */
  expected?: { mcpId: string; environment: Environment } | undefined
  iss?: string | undefined
}

/**
 * OAUTH-14, OAUTH-15, DEC-089: redeems a code, once. Credential first, row second: what was not stored is not connected.
 * @throws StateNotFound, ProviderRefused, UnexpectedAnswer, OutboundFailed, CredentialsNotStored
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
  const { provider, oauth, addresses } = oauthOf(target, flow.parameters)
  if (wish.iss !== undefined && URL.parse(wish.iss)?.origin !== new URL(addresses.authUrl).origin)
    throw new StateNotFound('the answer is of another issuer')
  const secrets = flowSecrets.parse(JSON.parse(await sealing().open(flow.sealed, contextOf(sub, wish.state))))
  const app = flow.client_id === '' ? (await operatorApps())[provider.id] : undefined
  const client = app
    ? { clientId: app.clientId, clientSecret: app.clientSecret }
    : { clientId: flow.client_id, clientSecret: secrets.clientSecret }
  const granted = await requestTokens(
    stores.http,
    addresses.tokenUrl,
    {
      grant_type: 'authorization_code',
      code: wish.code,
      redirect_uri: wish.redirectUri,
      ...(secrets.verifier && { code_verifier: secrets.verifier }),
    },
    { provider, oauth, client },
  )
  const now = new Date()
  const tokens = await sealTokens(sub, target.mcpId, granted, { oauth, previous: undefined, now })
  await store(stores, sub, target.mcpId, {
    credential: {
      version: tokens.version,
      sealed: tokens.sealed,
      status: 'active',
      masks: {},
      refreshable: tokens.refreshable,
      ...(tokens.access_expires_at && { access_expires_at: tokens.access_expires_at }),
      ...(tokens.expires_at && { expires_at: tokens.expires_at }),
      ...(flow.client_id !== '' && { client_id: flow.client_id }),
      updated_at: now.toISOString(),
    },
    clientSecret: app ? undefined : secrets.clientSecret,
  })
  await stores.integrations.connect(
    sub,
    target.mcpId,
    {
      mcp_name: target.entry.name,
      token_status: 'active',
      environment: target.environment,
      auth_type: 'oauth2',
      provider: target.entry.provider,
      open_url: target.entry.open_url,
      parameters: flow.parameters,
    },
    now.toISOString(),
  )
  return { mcpId: target.mcpId, provider: target.entry.provider }
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
  { credential, clientSecret }: { credential: CredentialRow; clientSecret: string | undefined },
): Promise<void> {
  let name: string | undefined
  try {
    if (clientSecret !== undefined) name = await vault.store(sub, mcpId, { [clientSecretName]: clientSecret })
    const before = await credentials.replace(sub, mcpId, {
      ...credential,
      ...(name && { secret_name: name, masks: masks({ [clientSecretName]: clientSecret ?? '' }) }),
    })
    if (before?.secret_name) await vault.remove(before.secret_name).catch(() => undefined)
  } catch (error) {
    if (name) await vault.remove(name).catch(() => undefined)
    throw new CredentialsNotStored(`tokens of ${mcpId}`, { cause: error })
  }
}
