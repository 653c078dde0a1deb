import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TokenStatus } from '#shared/contracts/integrations.ts'
import { reconnectSentence } from '#shared/reconnect-reason.ts'
import { currentTokenStatus, expiryAfter, expiryTime } from '#shared/token-status.ts'
import { maxRetryMs, retriedWrites } from '../../platform/dynamodb/retried-writes.ts'
import { AppError } from '../../platform/errors.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import { measure } from '../../platform/telemetry/metrics.ts'
import { findProvider } from '../../providers/built-in.ts'
import type { CredentialRow, Lease, RenewedTokens } from '../credential-repository.ts'
import { IntegrationNotFound, ProviderRefused, RefreshBusy, RefreshImpossible } from '../errors.ts'
import type { IntegrationRow } from '../integration-repository.ts'
import { loadReconnectReason } from '../connection.ts'
import type { Stores } from '../deps.ts'
import { entryIdOf } from '../target.ts'
import type { VaultReader } from '../vault/vault.ts'
import { grantorOf } from './authorization-server.ts'
import { clientOf, requestTokens, revokeGrant, tokenCallMs, openTokens, sealTokens } from './tokens.ts'

/** What a renewal stands on. */
export type TokenStores = Pick<Stores, 'integrations' | 'credentials' | 'sealer'> & {
  vault: VaultReader
  http: Pick<Stores['http'], 'text'>
}

/** Outlasts the call to the provider, the retried write of what it granted, and reads before it, so that nobody else begins meanwhile. */
export const leaseMs = tokenCallMs + maxRetryMs + 10_000
/** How long to wait for another refresher: one that is alive has its answer by then. */
export const waitForLeaseMs = tokenCallMs
const pollMs = 100
/** In use, a token is renewed from this long before its end, and no earlier than in the second half of its life. */
const useMarginMs = 60_000

/** The words by which providers say that a grant is gone for good. */
const gone = new Set(['invalid_grant', 'bad_refresh_token', 'token_revoked', 'invalid_refresh_token'])

/**
 * Renews the tokens of an integration, one refresher at a time: whoever comes meanwhile waits and takes what the first one got. The
 * lease only saves calls; the version of the tokens is the fence, so a rotated refresh token is stored even by a refresher whose
 * lease ran out.
 * @param spent version of the tokens that are due or refused: others were renewed since the caller read them, and stay
 * @returns the row as it stands afterwards
 * @throws IntegrationNotFound, RefreshImpossible, RefreshBusy, ProviderRefused when the grant is gone, OutboundFailed, UnexpectedAnswer
 */
export async function refresh(
  stores: TokenStores,
  sub: string,
  mcpId: string,
  spent?: string,
): Promise<IntegrationRow> {
  const row = await stores.integrations.find(sub, mcpId)
  if (!row || row.status !== 'connected') throw new IntegrationNotFound(mcpId)
  const first = await stores.credentials.find(sub, mcpId)
  if (!first?.refreshable) throw new RefreshImpossible('no refresh token is held')
  if (spent !== undefined && first.version !== spent) return settle(stores, sub, mcpId, 'active')
  const lease = { owner: randomUUID(), version: first.version }
  const givesUpAtMs = Date.now() + waitForLeaseMs
  while (!(await takeLease(stores, sub, mcpId, lease))) {
    const current = await stores.credentials.find(sub, mcpId)
    if (!current) throw new IntegrationNotFound(mcpId)
    // somebody else renewed them meanwhile
    if (current.version !== lease.version) return settle(stores, sub, mcpId, 'active')
    if (current.status !== 'active' && first.status === 'active')
      throw new RefreshImpossible('the grant is gone')
    if (Date.now() > givesUpAtMs) throw new RefreshBusy('another refresh does not end')
    await sleep(pollMs)
  }
  return renew(stores, sub, { row, credential: first, lease })
}

const takeLease = (stores: TokenStores, sub: string, mcpId: string, lease: Lease) => {
  const nowMs = Date.now()
  return stores.credentials.takeLease(sub, mcpId, lease, { nowMs, untilMs: nowMs + leaseMs })
}

interface Renewal {
  row: IntegrationRow
  credential: CredentialRow
  lease: Lease
}

async function renew(stores: TokenStores, sub: string, renewal: Renewal): Promise<IntegrationRow> {
  const mcpId = renewal.row.mcp_id
  try {
    await renewTokens(stores, sub, renewal)
  } catch (error) {
    const isGone = error instanceof ProviderRefused && isGrantGone(error, renewal.credential)
    const released = await stores.credentials
      .release(sub, mcpId, renewal.lease, isGone ? 'invalid' : undefined)
      .catch(() => undefined)
    if (isGone && released === false && (await isRenewedElsewhere(stores, sub, renewal)))
      return settle(stores, sub, mcpId, 'active')
    measureRefresh(mcpId, isGone ? 'grant_gone' : error instanceof AppError ? error.code : 'unexpected')
    if (isGone) await settle(stores, sub, mcpId, 'invalid')
    throw error
  }
  const settled = await settle(stores, sub, mcpId, 'active')
  measureRefresh(mcpId)
  return settled
}

/** Asks the provider for new tokens, and stores them. */
async function renewTokens(
  stores: TokenStores,
  sub: string,
  { row, credential, lease }: Renewal,
): Promise<void> {
  const mcpId = row.mcp_id
  const grantor = grantorOf(row, credential)
  if (!grantor) throw new RefreshImpossible('the provider has no token address')
  const previous = await openTokens(stores.sealer, { sub, mcpId }, credential)
  const client = await clientOf(stores, { sub, entryId: entryIdOf(mcpId) }, credential, previous)
  if (previous.refreshToken === undefined || !client) throw new RefreshImpossible('no refresh token is held')
  const granted = await requestTokens(
    stores.http,
    grantor.refreshUrl,
    { grant_type: 'refresh_token', refresh_token: previous.refreshToken },
    { grantor, client },
  )
  const now = new Date()
  const tokens = await sealTokens(stores.sealer, { sub, mcpId }, granted, { grantor, previous, now })
  const current = await storeRenewed(stores, sub, {
    mcpId,
    version: lease.version,
    tokens,
    at: now.toISOString(),
  })
  if (current?.version === tokens.version) return
  // another renewal, or the person signed in anew: those tokens stay
  if (current?.sealed !== undefined) {
    logger.warn('renewed tokens were superseded', { code: 'tokens_superseded' })
    return
  }
  // disconnected, or replaced by a key: no row would ever name these tokens again
  await revokeGrant(stores.http, grantor, granted, client)
  if (!current) throw new IntegrationNotFound(mcpId)
}

/**
 * The refresh token that was sent may be spent, so the write is repeated until the table takes it.
 * @returns the credential that the table holds afterwards, undefined when it was deleted
 */
async function storeRenewed(
  { credentials }: TokenStores,
  sub: string,
  { mcpId, version, tokens, at }: { mcpId: string; version: string; tokens: RenewedTokens; at: string },
): Promise<Pick<CredentialRow, 'version' | 'sealed'> | undefined> {
  const { persist } = retriedWrites()
  try {
    if (await persist(() => credentials.renew(sub, mcpId, version, tokens, at))) return tokens
    // refused: by another one's tokens, or by these, stored by a write whose answer was lost
    return await persist(() => credentials.find(sub, mcpId))
  } catch (error) {
    logger.error('renewed tokens could not be stored', { error })
    throw error
  }
}

/** A client that registered itself and was forgotten cannot come back: the person connects anew. */
const isGrantGone = ({ error }: ProviderRefused, { server }: CredentialRow) =>
  gone.has(error) || (server !== undefined && error === 'invalid_client')

/**
 * The provider refused a refresh token whose lease was lost: another refresher may have spent it.
 * @throws RefreshBusy when that one has not stored its tokens yet
 */
async function isRenewedElsewhere(
  { credentials }: TokenStores,
  sub: string,
  { row, lease }: Renewal,
): Promise<boolean> {
  const current = await credentials.find(sub, row.mcp_id)
  if (current && current.version !== lease.version) return true
  if (current?.status === 'active') throw new RefreshBusy('another refresher holds the lease')
  return false
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

/**
 * The token status of a connection. Whether it needs a refresh or has expired follows from the credential and the clock
 * alone; nothing stores these two, so they are never out of date.
 * @returns `invalid` where a renewal was refused, `expired` where the end is past, `needs_refresh` where the end is near or a
 *   renewal is pending, otherwise what the row says
 */
export function deriveTokenStatus(
  { status, token_status }: Pick<IntegrationRow, 'status' | 'token_status'>,
  credential: CredentialRow | undefined,
  now: Date,
): TokenStatus {
  if (status !== 'connected' || !credential) return token_status
  if (token_status === 'invalid' || token_status === 'inactive') return token_status
  if (credential.status !== 'active') return credential.status
  const stored = token_status === 'unknown' ? 'unknown' : 'active'
  const expiresAt = credential.expires_at ?? null
  const current = currentTokenStatus({ status, tokenStatus: stored, expiresAt }, now)
  return current === stored && isDue(credential, now.getTime()) ? 'needs_refresh' : current
}
