import { sayExpiry } from '#shared/sentences/expiry.ts'
import type { Sentence } from '#shared/sentences/sentence.ts'
import type { TokenStatus } from '#shared/contracts/integrations.ts'

const tokenStatuses: readonly TokenStatus[] = [
  'active',
  'expired',
  'needs_refresh',
  'invalid',
  'inactive',
  'unknown',
]

/** Unknown values give `unknown`. */
export function parseTokenStatus(value: unknown): TokenStatus {
  return tokenStatuses.find((status) => status === value) ?? 'unknown'
}

interface TokenState {
  status: 'connected' | 'disconnected'
  tokenStatus: TokenStatus
  /** ISO 8601, when the user must act; null: never, as far as known */
  expiresAt: string | null
}

/**
 * The status at a given time. The stored status does not change when a token expires, so readers derive it.
 * @returns `expired` after the expiry, `needs_refresh` shortly before it, otherwise the stored status
 */
export function currentTokenStatus({ status, tokenStatus, expiresAt }: TokenState, now: Date): TokenStatus {
  if (status !== 'connected' || tokenStatus === 'invalid' || tokenStatus === 'inactive') return tokenStatus
  if (tokenStatus === 'expired' || isExpired(expiresAt, now, 0)) return 'expired'
  return isExpired(expiresAt, now) ? 'needs_refresh' : tokenStatus
}

/** The status that the page shows: `stale` once the token has expired. */
export function displayStatus({ status, tokenStatus, expiresAt }: TokenState, now: Date) {
  if (status !== 'connected') return 'disconnected'
  return tokenStatus === 'expired' || isExpired(expiresAt, now) ? 'stale' : 'connected'
}

/** With the wider margin of 10 minutes. */
export function needsAttention({ status, tokenStatus, expiresAt }: TokenState, now: Date): boolean {
  if (tokenStatus === 'expired' || tokenStatus === 'invalid') return true
  if (status !== 'connected') return false
  return tokenStatus === 'needs_refresh' || isExpired(expiresAt, now, attentionMarginMs)
}

/** The health of a connection by its tokens. `unknown` counts as healthy: some servers do not tell when tokens expire. */
export function healthStatus(tokenStatus: TokenStatus): 'healthy' | 'attention' {
  return tokenStatus === 'active' || tokenStatus === 'unknown' ? 'healthy' : 'attention'
}

/** Margins before the expiry: for use, and for warnings to the user. */
const expiryMarginMs = 5 * 60_000
export const attentionMarginMs = 10 * 60_000
/** Assumed lifetime of a token without an expiry, in seconds. */
const defaultTokenLifetimeSeconds = 24 * 60 * 60

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** Smaller numbers are seconds, larger ones milliseconds. */
const firstMilliseconds = 1e10

/**
 * When a token expires, in milliseconds since 1970; undefined if never or unreadable.
 * @param expiry an ISO string, or a number: seconds below 1e10, otherwise milliseconds
 */
export function parseExpiry(expiry: string | number | null | undefined): number | undefined {
  if (expiry === null || expiry === undefined || expiry === '') return undefined
  const normalized = typeof expiry === 'number' && expiry < firstMilliseconds ? expiry * 1000 : expiry
  // beyond the range of Date
  const time = new Date(normalized).getTime()
  return Number.isNaN(time) ? undefined : time
}

/**
 * When a token of `lastUpdated` expires that lives for `expiresIn` seconds.
 * @param expiresIn seconds; 24 h by default
 */
export function computeExpiry(lastUpdated: string | number, expiresIn?: number): number | undefined {
  const normalized = parseExpiry(lastUpdated)
  return normalized === undefined ? undefined : normalized + (expiresIn ?? defaultTokenLifetimeSeconds) * 1000
}

/** Whether a token expires within a margin. Tokens without an expiry never do. */
export function isExpired(
  expiry: string | number | null | undefined,
  now: Date,
  marginMs = expiryMarginMs,
): boolean {
  const end = parseExpiry(expiry)
  return end !== undefined && end - now.getTime() <= marginMs
}

/**
 * 'Expires in 1d 4h', 'Expires in 4h', 'Expires in 12m', 'Expired'; without a margin.
 * @returns undefined for a token without an expiry
 */
export function describeExpiry(expiry: string | number | null | undefined, now: Date): Sentence | undefined {
  const end = parseExpiry(expiry)
  if (end === undefined) return undefined
  const leftMs = end - now.getTime()
  if (leftMs <= 0) return sayExpiry('expiry.past')
  const hours = Math.floor((leftMs % day) / hour)
  if (leftMs >= day) return sayExpiry('expiry.days', { days: Math.floor(leftMs / day), hours })
  if (leftMs >= hour) return sayExpiry('expiry.hours', { hours })
  return sayExpiry('expiry.minutes', { minutes: Math.max(1, Math.floor(leftMs / minute)) })
}
