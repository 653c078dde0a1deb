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
