import type { TokenStatus } from '#shared/contracts/integrations.ts'
import { attentionMarginMs, isExpired } from '#shared/token-expiry.ts'

const known: readonly TokenStatus[] = ['active', 'expired', 'needs_refresh', 'invalid', 'inactive', 'unknown']

/** DATA-26: what is none of the six values is unknown. */
export function readTokenStatus(value: unknown): TokenStatus {
  return known.find((status) => status === value) ?? 'unknown'
}

interface TokenState {
  status: 'connected' | 'disconnected'
  tokenStatus: TokenStatus
  /** ISO 8601, when the person must act; null: never, as far as known */
  expiresAt: string | null
}

/**
 * The status at a moment. A token reaches its end without anybody writing that down, so whoever shows the status
 * derives it, the page every minute anew.
 * @returns `expired` once the end is past, `needs_refresh` shortly before it (INT-58), otherwise what is known already
 */
export function currentTokenStatus({ status, tokenStatus, expiresAt }: TokenState, now: Date): TokenStatus {
  if (status !== 'connected' || tokenStatus === 'invalid' || tokenStatus === 'inactive') return tokenStatus
  if (tokenStatus === 'expired' || isExpired(expiresAt, now, 0)) return 'expired'
  return isExpired(expiresAt, now) ? 'needs_refresh' : tokenStatus
}

/** INT-50 */
export function displayStatus({ status, tokenStatus, expiresAt }: TokenState, now: Date) {
  if (status !== 'connected') return 'disconnected'
  return tokenStatus === 'expired' || isExpired(expiresAt, now) ? 'stale' : 'connected'
}

/** INT-51, INT-52, INT-58: with the wider margin of 10 minutes. */
export function needsAttention({ status, tokenStatus, expiresAt }: TokenState, now: Date): boolean {
  if (tokenStatus === 'expired' || tokenStatus === 'invalid') return true
  if (status !== 'connected') return false
  return tokenStatus === 'needs_refresh' || isExpired(expiresAt, now, attentionMarginMs)
}

/** INT-66, DEC-054 */
export function healthStatus(tokenStatus: TokenStatus): 'healthy' | 'attention' {
  return tokenStatus === 'active' || tokenStatus === 'unknown' ? 'healthy' : 'attention'
}
