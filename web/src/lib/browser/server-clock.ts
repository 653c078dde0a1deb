/** How far the server's clock is ahead of this device's. */
let aheadMs = 0

/** Reads the server's time from a response, exact to a second. */
export function noteServerTime(headers: Headers): void {
  const serverTime = Date.parse(headers.get('date') ?? '')
  if (serverTime > 0) aheadMs = serverTime - Date.now()
}

/** The time by the server's clock, in milliseconds since 1970, to compare with what it has dated: a device can be a day off. */
export const serverNow = (): number => Date.now() + aheadMs
