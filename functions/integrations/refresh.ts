import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { reconnectSentence } from '#shared/reconnect-reason.ts'
import { expiryAfter, expiryTime } from '#shared/token-expiry.ts'
import { AppError } from '../platform/errors.ts'
import { measure } from '../platform/metrics.ts'
import { findProvider } from '../providers/built-in.ts'
import type { CredentialRow } from './credential-repository.ts'
import { IntegrationNotFound, ProviderRefused, RefreshImpossible } from './errors.ts'
import { grantorOf } from './grantor.ts'
import { clientOf } from './oauth-client.ts'
import { loadReconnectReason } from './pinned-server.ts'
import type { IntegrationRow } from './integration-repository.ts'
import type { Stores } from './stores.ts'
import { entryIdOf } from './target.ts'
import { requestTokens } from './token-endpoint.ts'
import { openTokens, sealTokens } from './token-store.ts'
import type { VaultReader } from './vault.ts'

/** What a renewal stands on. */
export type TokenStores = Pick<Stores, 'integrations' | 'credentials' | 'sealer'> & {
  vault: VaultReader
  http: Pick<Stores['http'], 'text'>
}

/** Longer than the call to the provider may take, so that nobody else begins while one is at it. */
const leaseMs = 30_000
const pollMs = 100
/** In use, a token is renewed from this long before its end, and no earlier than in the second half of its life. */
const useMarginMs = 60_000

/** The words by which providers say that a grant is gone for good. */
const gone = new Set(['invalid_grant', 'bad_refresh_token', 'token_revoked', 'invalid_refresh_token'])

/**
 * Renews the tokens of an integration, one refresher at a time: whoever comes meanwhile waits and takes what the first one got. A
 * rotating refresh token is stored in the very write that gives the lease back, so none is ever lost to a race.
 * @returns the row as it stands afterwards
 * @throws IntegrationNotFound, RefreshImpossible, ProviderRefused when the grant is gone, OutboundFailed, UnexpectedAnswer
 */
export async function refresh(stores: TokenStores, sub: string, mcpId: string): Promise<IntegrationRow> {
  const row = await stores.integrations.find(sub, mcpId)
  if (!row || row.status !== 'connected') throw new IntegrationNotFound(mcpId)
  const first = await stores.credentials.find(sub, mcpId)
  if (!first?.refreshable) throw new RefreshImpossible('no refresh token is held')
  const lease = { owner: randomUUID(), version: first.version }
  const givesUpAtMs = Date.now() + leaseMs
  while (!(await takeLease(stores, sub, mcpId, lease))) {
    const current = await stores.credentials.find(sub, mcpId)
    if (!current) throw new IntegrationNotFound(mcpId)
    // somebody else renewed them meanwhile
    if (current.version !== lease.version) return settle(stores, sub, mcpId, 'active')
    if (current.status !== 'active' && first.status === 'active')
      throw new RefreshImpossible('the grant is gone')
    if (Date.now() > givesUpAtMs) throw new RefreshImpossible('another refresh does not end')
    await sleep(pollMs)
  }
  return renew(stores, sub, { row, credential: first, lease })
}

const takeLease = (
  stores: TokenStores,
  sub: string,
  mcpId: string,
  lease: { owner: string; version: string },
) => {
  const nowMs = Date.now()
  return stores.credentials.takeLease(sub, mcpId, lease, { nowMs, untilMs: nowMs + leaseMs })
}

async function renew(
  stores: TokenStores,
  sub: string,
  {
    row,
    credential,
    lease,
  }: { row: IntegrationRow; credential: CredentialRow; lease: { owner: string; version: string } },
): Promise<IntegrationRow> {
  const mcpId = row.mcp_id
  try {
    const grantor = grantorOf(row, credential)
    if (!grantor) throw new RefreshImpossible('the provider has no token address')
    const previous = await openTokens(stores.sealer, { sub, mcpId }, credential)
    const client = await clientOf(stores, { sub, entryId: entryIdOf(mcpId) }, credential, previous)
    if (previous.refreshToken === undefined || !client)
      throw new RefreshImpossible('no refresh token is held')
    const granted = await requestTokens(
      stores.http,
      grantor.refreshUrl,
      { grant_type: 'refresh_token', refresh_token: previous.refreshToken },
      { grantor, client },
    )
    const now = new Date()
    const tokens = await sealTokens(stores.sealer, { sub, mcpId }, granted, { grantor, previous, now })
    await stores.credentials.renew(sub, mcpId, lease, tokens, now.toISOString())
    const settled = await settle(stores, sub, mcpId, 'active')
    measureRefresh(mcpId)
    return settled
  } catch (error) {
    // a client that registered itself and was forgotten cannot come back: the person connects anew
    const forgotten = credential.server ? 'invalid_client' : undefined
    const isGone = error instanceof ProviderRefused && (gone.has(error.error) || error.error === forgotten)
    measureRefresh(mcpId, isGone ? 'grant_gone' : error instanceof AppError ? error.code : 'unexpected')
    await stores.credentials.release(sub, mcpId, lease, isGone ? 'invalid' : undefined).catch(() => undefined)
    if (isGone) await settle(stores, sub, mcpId, 'invalid')
    throw error
  }
}

/** @param code why it failed, undefined when it did not */
function measureRefresh(mcpId: string, code?: string): void {
  // the id of a server that somebody added is theirs
  const provider = findProvider(entryIdOf(mcpId))?.id
  measure({ FailedRefreshes: code ? 1 : 0 }, { ...(code && { code }), ...(provider && { provider }) })
}

/** The row says what the credential came to, unless the person disconnected meanwhile. */
async function settle(
  { integrations }: TokenStores,
  sub: string,
  mcpId: string,
  tokenStatus: 'active' | 'invalid',
): Promise<IntegrationRow> {
  const row = await integrations.find(sub, mcpId)
  if (!row || row.status !== 'connected') throw new IntegrationNotFound(mcpId)
  if (row.token_status === tokenStatus) return row
  return integrations.setStatus(sub, mcpId, { status: 'connected', tokenStatus }, new Date().toISOString())
}

/** The provider refused what cannot be renewed: the row says so, unless it is gone. */
export async function markInvalid(stores: TokenStores, sub: string, mcpId: string): Promise<void> {
  await settle(stores, sub, mcpId, 'invalid').catch((error: unknown) => {
    if (!(error instanceof IntegrationNotFound)) throw error
  })
}

/**
 * Refreshes because the user asks for it.
 * @throws RefreshImpossible when the connection has to be made again, and as `refresh`
 */
export async function refreshOnRequest(stores: Stores, sub: string, mcpId: string): Promise<IntegrationRow> {
  const [row, credential] = await Promise.all([
    stores.integrations.find(sub, mcpId),
    stores.credentials.find(sub, mcpId),
  ])
  const reason = row && (await loadReconnectReason(stores, row, credential))
  if (reason) throw new RefreshImpossible('another server', reconnectSentence(row.mcp_name ?? mcpId, reason))
  return refresh(stores, sub, mcpId)
}

/**
 * Whether the access token is at its end and can be renewed without the person. A server that the product does not know and that
 * names no end is asked once a day; until it refuses, its token counts as good.
 */
export function isDue(credential: CredentialRow, nowMs: number): boolean {
  const assumedEnd = credential.server && expiryAfter(credential.updated_at)
  const end = expiryTime(credential.access_expires_at) ?? assumedEnd
  const begin = expiryTime(credential.updated_at)
  const margin = Math.min(
    useMarginMs,
    begin === undefined || end === undefined ? useMarginMs : (end - begin) / 2,
  )
  return (
    credential.refreshable && credential.status === 'active' && end !== undefined && end <= nowMs + margin
  )
}
