import type { TokenStatus } from '#shared/contracts/integrations.ts'
import { attentionMarginMs, defaultExpiresInSeconds, expiryMarginMs } from '#shared/limits.ts'

const known: readonly TokenStatus[] = ['active', 'expired', 'needs_refresh', 'invalid', 'inactive', 'unknown']

/** DATA-26: what is none of the six values is unknown. */
export function readTokenStatus(value: unknown): TokenStatus {
  return known.find((status) => status === value) ?? 'unknown'
}

/**
 * INT-57: an expiry as anybody may have written it.
 * @param value an ISO string, or a number: seconds below 1e10, else milliseconds
 * @returns milliseconds since 1970, or undefined for what is no time
 */
export function expiryMs(value: unknown): number | undefined {
  if (typeof value === 'number') {
    if (!Number.isFinite(value) || value <= 0) return undefined
    return value < 1e10 ? value * 1_000 : value
  }
  if (typeof value !== 'string') return undefined
  const parsed = Date.parse(value)
  return Number.isNaN(parsed) ? undefined : parsed
}

/** INT-56, for providers that nothing is known about: the token's own time plus its life, 24 hours by default. */
export function assumedExpiryMs(
  lastUpdated: unknown,
  expiresInSeconds = defaultExpiresInSeconds,
): number | undefined {
  const since = expiryMs(lastUpdated)
  return since === undefined ? undefined : since + expiresInSeconds * 1_000
}

/** INT-58: a token counts as expired from `marginMs` before its end; one without an end never does. */
export function isExpired(
  expiresAtMs: number | undefined,
  nowMs: number,
  marginMs = expiryMarginMs,
): boolean {
  return expiresAtMs !== undefined && expiresAtMs <= nowMs + marginMs
}

/** INT-55, DEC-051: the text follows the clock, not the margin. */
export function expiryText(expiresAtMs: number, nowMs: number): string {
  const minutes = Math.floor((expiresAtMs - nowMs) / 60_000)
  if (expiresAtMs <= nowMs) return 'Expired'
  const hours = Math.floor(minutes / 60)
  const days = Math.floor(hours / 24)
  if (days > 0) return `Expires in ${days}d ${hours % 24}h`
  return hours > 0 ? `Expires in ${hours}h` : `Expires in ${minutes}m`
}

interface TokenState {
  status: 'connected' | 'disconnected'
  tokenStatus: TokenStatus
  /** when the person must act; undefined: never, as far as known */
  expiresAtMs: number | undefined
}

/** INT-50 */
export function displayStatus({ status, tokenStatus, expiresAtMs }: TokenState, nowMs: number) {
  if (status !== 'connected') return 'disconnected'
  return tokenStatus === 'expired' || isExpired(expiresAtMs, nowMs) ? 'stale' : 'connected'
}

/** INT-51, INT-52, INT-58: with the wider margin of 10 minutes. */
export function needsAttention({ status, tokenStatus, expiresAtMs }: TokenState, nowMs: number): boolean {
  if (tokenStatus === 'expired' || tokenStatus === 'invalid') return true
  if (status !== 'connected') return false
  return tokenStatus === 'needs_refresh' || isExpired(expiresAtMs, nowMs, attentionMarginMs)
}

/** INT-66, DEC-054 */
export function healthStatus(tokenStatus: TokenStatus): 'healthy' | 'attention' {
  return tokenStatus === 'active' || tokenStatus === 'unknown' ? 'healthy' : 'attention'
}
