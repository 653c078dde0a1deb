/** An instant as a field of `datetime-local` has it: `2026-11-28T15:00`, by the clock of this browser. */
export function toLocalTime(instant: string): string {
  const date = new Date(instant)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** IANA name of the zone of this browser, which may change while the page is open. */
export const findReadersZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone
