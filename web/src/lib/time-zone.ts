/**
 * An IANA name for readers: `America/New York`. It says more than the names that browsers have: 'Eastern Time' is that of some cities in
 * winter only.
 */
export const formatTimeZone = (timeZone: string): string => timeZone.replaceAll('_', ' ')

/** IANA name of the zone of this browser, which may change while the page is open. */
export const findReadersZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Whether a zone is the reader's, which may have several names. */
export function isReadersZone(timeZone: string): boolean {
  if (timeZone === findReadersZone()) return true
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone === findReadersZone()
  } catch {
    // a newer zone than this browser knows
    return false
  }
}
