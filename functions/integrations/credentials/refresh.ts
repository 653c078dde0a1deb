import { wait } from '../../platform/clock.ts'
import type { OutboundHttp } from '../../platform/net/outbound-http.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { randomUUID } from 'node:crypto'
import { describeReconnectReason } from '#shared/reconnect-reason.ts'
import { maxRetryMs, retriedWrites } from '../../platform/dynamodb/retried-writes.ts'
import { AppError } from '../../platform/errors.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import { measure } from '../../platform/telemetry/metrics.ts'
import type {
  CredentialRepository,
  CredentialRow,
  Lease,
  StoredTokens,
} from '../store/credential-repository.ts'
import {
  ConnectionNotFound,
  OAuthError,
  RefreshBusy,
  RefreshImpossible,
  SignInServerBusy,
} from '../store/errors.ts'
import type { ConnectionRepository, ConnectionRow } from '../store/connection-repository.ts'
import { loadReconnectReason, toEntryId } from '../store/connection.ts'
import { type RegisteredClientRepository, toRegistrationKey } from '../store/client-repository.ts'
import type { VaultReader } from '../vault/vault.ts'
import { findBuiltIn, resolveAuthorizationServer } from './authorization-server.ts'
import { revokeUnstoredGrant } from './revoke.ts'
import {
  loadClient,
  rememberAccepted,
  requestTokensTolerantly,
  tokenCallMs,
  unknownClientCodes,
} from './tokens.ts'
import { unsealTokens, sealTokens } from './seal-tokens.ts'

/** Dependencies of a token refresh. */
export interface RefreshDeps {
  integrations: ConnectionRepository
  credentials: CredentialRepository
  clients: Pick<RegisteredClientRepository, 'markForgotten'>
  /** decrypts and encrypts tokens */
  sealer: Sealer
  vault: VaultReader
  http: Pick<OutboundHttp, 'text'>
}

/** Longer than the token request and its second try, the retried write and the reads before them, so that no second refresh starts before it ends. */
export const leaseMs = 2 * tokenCallMs + maxRetryMs + 10_000
/** How long to wait for another refresh, which has its response by then unless its process died. */
export const waitForLeaseMs = tokenCallMs
const pollMs = 100
/** A server that asks for more time is asked again after this: a wrong header must not stop a connection for a day. */
const maxRetryAfterMs = 600_000

/** Error codes that mean that the grant was revoked or has expired. */
const grantGoneCodes = new Set([
  'invalid_grant',
  'bad_refresh_token',
  'token_revoked',
  'invalid_refresh_token',
])

/**
 * Refreshes the tokens of an integration, one refresher at a time: concurrent callers wait and use the tokens that the first one gets. The
 * lease only saves calls; the version of the tokens is the fence, so a rotated refresh token is stored even by a refresher whose
 * lease ran out.
 * @param usedVersion version of the tokens that are due or refused: others were stored since the caller read them, and stay
 * @returns the updated row
 * @throws ConnectionNotFound, RefreshImpossible, RefreshBusy, OAuthError when the grant is gone, SignInServerBusy, which is known without a
 * request until the server may be asked again, OutboundFailed, UnexpectedTokenResponse
 */
export async function refresh(
  deps: RefreshDeps,
  sub: string,
  mcpId: string,
  usedVersion?: string,
): Promise<ConnectionRow> {
  const row = await deps.integrations.find(sub, mcpId)
  if (!row || row.status !== 'connected') throw new ConnectionNotFound(mcpId)
  const credential = await deps.credentials.find(sub, mcpId)
  if (!credential?.refreshable) throw new RefreshImpossible('no refresh token is stored')
  if (usedVersion !== undefined && credential.version !== usedVersion)
    return saveTokenStatus(deps, sub, mcpId, 'active')
  const lease = { owner: randomUUID(), version: credential.version }
  const deadlineMs = Date.now() + waitForLeaseMs
  while (!(await takeLease(deps, sub, mcpId, lease))) {
    const current = await deps.credentials.find(sub, mcpId)
    if (!current) throw new ConnectionNotFound(mcpId)
    // another caller has refreshed them
    if (current.version !== lease.version) return saveTokenStatus(deps, sub, mcpId, 'active')
    if (current.status !== 'active' && credential.status === 'active')
      throw new RefreshImpossible('the grant is gone')
    const waitMs = (current.retry_at ?? 0) - Date.now()
    if (waitMs > 0)
      throw new SignInServerBusy(row.mcp_name ?? mcpId, 'it asked to wait', Math.ceil(waitMs / 1_000))
    if (Date.now() > deadlineMs) throw new RefreshBusy('another refresh did not finish in time')
    await wait(pollMs)
  }
  return runRefresh(deps, sub, { row, credential, lease })
}

const takeLease = (deps: RefreshDeps, sub: string, mcpId: string, lease: Lease) => {
  const nowMs = Date.now()
  return deps.credentials.takeLease(sub, mcpId, lease, { nowMs, untilMs: nowMs + leaseMs })
}

interface PendingRefresh {
  row: ConnectionRow
  credential: CredentialRow
  lease: Lease
}

async function runRefresh(deps: RefreshDeps, sub: string, pending: PendingRefresh): Promise<ConnectionRow> {
  const mcpId = pending.row.mcp_id
  try {
    await refreshTokens(deps, sub, pending)
  } catch (error) {
    const isGone = error instanceof OAuthError && isGrantGone(error, pending.credential)
    const released = await deps.credentials
      .release(sub, mcpId, pending.lease, { ...(isGone && { status: 'invalid' }), ...toRetryTime(error) })
      .catch(() => undefined)
    if (isGone) await forgetClient(deps, error, pending.credential)
    if (isGone && released === false && (await isRefreshedElsewhere(deps, sub, pending)))
      return saveTokenStatus(deps, sub, mcpId, 'active')
    measureRefresh(mcpId, isGone ? 'grant_gone' : error instanceof AppError ? error.code : 'unexpected')
    if (isGone) await saveTokenStatus(deps, sub, mcpId, 'invalid')
    throw error
  }
  const updated = await saveTokenStatus(deps, sub, mcpId, 'active')
  measureRefresh(mcpId)
  return updated
}

/** Requests new tokens and stores them. */
async function refreshTokens(
  deps: RefreshDeps,
  sub: string,
  { row, credential, lease }: PendingRefresh,
): Promise<void> {
  const mcpId = row.mcp_id
  const authorizationServer = resolveAuthorizationServer(mcpId, row, credential)
  if (!authorizationServer) throw new RefreshImpossible('the provider has no token endpoint')
  const previous = await unsealTokens(deps.sealer, { sub, mcpId }, credential)
  const client = await loadClient(deps, { sub, entryId: toEntryId(mcpId) }, credential, previous)
  if (previous.refreshToken === undefined || !client)
    throw new RefreshImpossible('no refresh token is stored')
  const { granted, authorizationServer: accepted } = await requestTokensTolerantly(
    deps.http,
    authorizationServer.refreshUrl,
    { grant_type: 'refresh_token', refresh_token: previous.refreshToken },
    { authorizationServer, client },
  )
  const now = new Date()
  const tokens = await sealTokens(deps.sealer, { sub, mcpId }, granted, {
    authorizationServer,
    carriedOver: previous,
    now,
  })
  // what the server refused is not sent with the next refresh
  const server =
    credential.server && accepted !== authorizationServer
      ? rememberAccepted(credential.server, accepted)
      : undefined
  const current = await saveTokens(deps, sub, {
    mcpId,
    version: lease.version,
    tokens: { ...tokens, ...(server && { server }) },
    at: now.toISOString(),
  })
  if (current?.version === tokens.version) return
  if (current?.sealed !== undefined)
    logger.warn('refreshed tokens were superseded', { code: 'tokens_superseded' })
  // disconnected, or replaced by an API key or by a sign-in with another client: nothing would ever use or revoke these tokens
  await revokeUnstoredGrant(deps, sub, mcpId, { authorizationServer, granted, client, credential })
  if (!current) throw new ConnectionNotFound(mcpId)
}

/**
 * Stores refreshed tokens, with retries because the old refresh token may be used up.
 * @returns the stored credential, undefined if it was deleted
 */
async function saveTokens(
  { credentials }: RefreshDeps,
  sub: string,
  { mcpId, version, tokens, at }: { mcpId: string; version: string; tokens: StoredTokens; at: string },
): Promise<Pick<CredentialRow, 'version' | 'sealed'> | undefined> {
  const { persist } = retriedWrites()
  try {
    if (await persist(() => credentials.storeRefreshedTokens(sub, mcpId, version, tokens, at))) return tokens
    // rejected because of another's tokens, or of these, stored by a write whose response was lost
    return await persist(() => credentials.find(sub, mcpId))
  } catch (error) {
    logger.error('refreshed tokens could not be stored', { error })
    throw error
  }
}

/** When the authorization server may be asked again (RFC 9110 section 10.2.3), if it says so. */
function toRetryTime(error: unknown): { retry_at?: number } {
  const seconds = error instanceof SignInServerBusy ? error.retryAfterSeconds : undefined
  return seconds === undefined ? {} : { retry_at: Date.now() + Math.min(seconds * 1_000, maxRetryAfterMs) }
}

/** The user has to reconnect, also if the server has deleted a dynamically registered client. */
const isGrantGone = ({ error }: OAuthError, { server }: CredentialRow) =>
  grantGoneCodes.has(error) || (server !== undefined && unknownClientCodes.has(error))

/** Marks the product's registration that a server has forgotten, for all users: the next sign-in registers anew. */
async function forgetClient(
  { clients }: RefreshDeps,
  { error }: OAuthError,
  { server, client_id: clientId }: CredentialRow,
): Promise<void> {
  if (!unknownClientCodes.has(error) || !server || server.own_client || clientId === undefined) return
  // a sign-in that comes back with nothing finds it too
  await clients
    .markForgotten(toRegistrationKey(server), clientId)
    .catch((reason: unknown) => logger.warn('a forgotten client could not be marked', { error: reason }))
}

/**
 * Whether another refresh, which took over the lease, has used the refresh token that the provider rejected.
 * @throws RefreshBusy if it has not stored its tokens yet
 */
async function isRefreshedElsewhere(
  { credentials }: RefreshDeps,
  sub: string,
  { row, lease }: PendingRefresh,
): Promise<boolean> {
  const current = await credentials.find(sub, row.mcp_id)
  if (current && current.version !== lease.version) return true
  if (current?.status === 'active') throw new RefreshBusy('another refresher holds the lease')
  return false
}

/** @param code why the refresh failed, undefined if it succeeded */
function measureRefresh(mcpId: string, code?: string): void {
  // ids of custom servers are user data and do not go into metrics
  const provider = findBuiltIn(mcpId)?.id
  measure({ FailedRefreshes: code ? 1 : 0 }, { ...(code && { code }), ...(provider && { provider }) })
}

/** Writes the token status into the row. @throws ConnectionNotFound if the user has disconnected */
async function saveTokenStatus(
  { integrations }: RefreshDeps,
  sub: string,
  mcpId: string,
  tokenStatus: 'active' | 'invalid',
): Promise<ConnectionRow> {
  const row = await integrations.find(sub, mcpId)
  if (!row || row.status !== 'connected') throw new ConnectionNotFound(mcpId)
  if (row.token_status === tokenStatus) return row
  return integrations.setStatus(sub, mcpId, { status: 'connected', tokenStatus })
}

/** Marks a connection whose credential was rejected and cannot be refreshed, unless it was deleted. */
export async function markInvalid(deps: RefreshDeps, sub: string, mcpId: string): Promise<void> {
  await saveTokenStatus(deps, sub, mcpId, 'invalid').catch((error: unknown) => {
    if (!(error instanceof ConnectionNotFound)) throw error
  })
}

/**
 * Refreshes at the user's request.
 * @throws RefreshImpossible if the user has to reconnect, and as `refresh`
 */
export async function refreshOnRequest(
  deps: RefreshDeps & Parameters<typeof loadReconnectReason>[0],
  sub: string,
  mcpId: string,
): Promise<ConnectionRow> {
  const [row, credential] = await Promise.all([
    deps.integrations.find(sub, mcpId),
    deps.credentials.find(sub, mcpId),
  ])
  const reason = row && (await loadReconnectReason(deps, row, credential))
  if (reason)
    throw new RefreshImpossible('another server', describeReconnectReason(row.mcp_name ?? mcpId, reason))
  return refresh(deps, sub, mcpId)
}
