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
