/** A day. Whoever asks for more is asked again after it. */
const maxSeconds = 86_400

/**
 * How long a server asks to wait before the next request.
 * @param header Retry-After: seconds, which some servers send with a fraction, or a date (RFC 9110, 10.2.3)
 * @returns whole seconds, rounded up, at most a day; 0 for a time that has passed; undefined for none, and for what is neither
 */
export function parseRetryAfter(header: string | null | undefined): number | undefined {
  const text = (header ?? '').trim()
  if (/^\d{1,15}(?:\.\d{0,15})?$/.test(text)) return Math.min(Math.ceil(Number(text)), maxSeconds)
  // every form of a date has a time; Date.parse takes 'about 7' for a month
  const dateMs = /\d:\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(dateMs)) return undefined
  return Math.min(Math.max(0, Math.ceil((dateMs - Date.now()) / 1_000)), maxSeconds)
}
