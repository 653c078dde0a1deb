import type { TokenStatus } from '#shared/contracts/integrations.ts'
import { currentTokenStatus, computeExpiry, parseExpiry } from '#shared/token-status.ts'
import type { ConnectionRow } from './connection-repository.ts'
import type { CredentialRow } from './credential-repository.ts'

/** Tokens are refreshed this long before they expire, but not in the first half of their lifetime. */
const useMarginMs = 60_000

/**
 * Whether the access token is about to expire and can be refreshed. Tokens of a discovered server without an expiry are refreshed once a
 * day, and count as valid until the server rejects them.
 */
export function isRefreshDue(credential: CredentialRow, nowMs: number): boolean {
  const assumedEnd = credential.server && computeExpiry(credential.updated_at)
  const expiresAtMs = parseExpiry(credential.access_expires_at) ?? assumedEnd
  const issuedAtMs = parseExpiry(credential.updated_at)
  const margin = Math.min(
    useMarginMs,
    issuedAtMs === undefined || expiresAtMs === undefined ? useMarginMs : (expiresAtMs - issuedAtMs) / 2,
  )
  return (
    credential.refreshable &&
    credential.status === 'active' &&
    expiresAtMs !== undefined &&
    expiresAtMs <= nowMs + margin
  )
}

/**
 * The token status of a connection. `needs_refresh` and `expired` are computed from the credential and the clock and never stored, so
 * they are always current.
 * @returns `invalid` after a rejected refresh, `expired` or `needs_refresh` by the clock, otherwise the status in the row
 */
export function deriveTokenStatus(
  { status, token_status }: Pick<ConnectionRow, 'status' | 'token_status'>,
  credential: CredentialRow | undefined,
  now: Date,
): TokenStatus {
  if (status !== 'connected' || !credential) return token_status
  if (token_status === 'invalid' || token_status === 'inactive') return token_status
  if (credential.status !== 'active') return credential.status
  const stored = token_status === 'unknown' ? 'unknown' : 'active'
  const expiresAt = credential.expires_at ?? null
  const current = currentTokenStatus({ status, tokenStatus: stored, expiresAt }, now)
  return current === stored && isRefreshDue(credential, now.getTime()) ? 'needs_refresh' : current
}
