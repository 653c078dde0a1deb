import type { TokenStatus } from '#shared/contracts/integrations.ts'

const known: readonly TokenStatus[] = ['active', 'expired', 'needs_refresh', 'invalid', 'inactive', 'unknown']

/** DATA-26: what is none of the six values is unknown. */
export function parseTokenStatus(value: unknown): TokenStatus {
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

/** LIM-18: how close to its end a token counts as expired: in use, and where the reader is warned. */
const expiryMarginMs = 5 * 60_000
export const attentionMarginMs = 10 * 60_000
/** LIM-18, DEC-050: lifetime of a token whose provider is not known, in seconds. */
const defaultTokenLifetimeSeconds = 24 * 60 * 60

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** INT-57: smaller numbers are seconds, larger ones milliseconds. */
const firstMilliseconds = 1e10

/**
 * When a token ends, in milliseconds since 1970; undefined when it never does or nothing readable is given.
 * @param expiry an ISO string, or a number: seconds below 1e10, otherwise milliseconds (INT-57)
 */
export function expiryTime(expiry: string | number | null | undefined): number | undefined {
  if (expiry === null || expiry === undefined || expiry === '') return undefined
  const written = typeof expiry === 'number' && expiry < firstMilliseconds ? expiry * 1000 : expiry
  // what lies beyond the calendar is no time
  const time = new Date(written).getTime()
  return Number.isNaN(time) ? undefined : time
}

/**
 * INT-56: when a token ends that was written at `lastUpdated` and lives for `expiresIn` seconds.
 * @param expiresIn seconds; 24 h when the provider is not known (DEC-050)
 */
export function expiryAfter(lastUpdated: string | number, expiresIn?: number): number | undefined {
  const written = expiryTime(lastUpdated)
  return written === undefined ? undefined : written + (expiresIn ?? defaultTokenLifetimeSeconds) * 1000
}

/** INT-58: whether a token counts as expired: its end is less than a margin away. One without an end never does. */
export function isExpired(
  expiry: string | number | null | undefined,
  now: Date,
  marginMs = expiryMarginMs,
): boolean {
  const end = expiryTime(expiry)
  return end !== undefined && end - now.getTime() <= marginMs
}

/**
 * INT-55, DEC-051: 'Expires in 1d 4h', 'Expires in 4h', 'Expires in 12m', 'Expired'; by the clock, without a margin.
 * @returns undefined for a token that does not end
 */
export function expiryText(expiry: string | number | null | undefined, now: Date): string | undefined {
  const end = expiryTime(expiry)
  if (end === undefined) return undefined
  const left = end - now.getTime()
  if (left <= 0) return 'Expired'
  if (left >= day) return `Expires in ${Math.floor(left / day)}d ${Math.floor((left % day) / hour)}h`
  if (left >= hour) return `Expires in ${Math.floor(left / hour)}h`
  return `Expires in ${Math.max(1, Math.floor(left / minute))}m`
}
