type Area = 'local' | 'session'

/** Accessing the property throws if site data is blocked. */
const storage = (area: Area): Storage => (area === 'local' ? window.localStorage : window.sessionStorage)

/** @returns null when nothing is stored or storage is blocked */
export function readStored(area: Area, key: string): string | null {
  try {
    return storage(area).getItem(key)
  } catch {
    return null
  }
}

/** @returns the parsed JSON, not validated; null when there is none, it is invalid or storage is blocked */
export function readStoredJson(area: Area, key: string): unknown {
  try {
    return JSON.parse(readStored(area, key) ?? 'null')
  } catch {
    return null
  }
}

/** @returns whether it was stored: storage may be blocked or full */
export function writeStored(area: Area, key: string, value: string): boolean {
  try {
    storage(area).setItem(key, value)
    return true
  } catch {
    return false
  }
}

/** @returns the keys with this prefix; none if storage is blocked */
export function listStoredKeys(area: Area, prefix: string): string[] {
  try {
    return Object.keys(storage(area)).filter((key) => key.startsWith(prefix))
  } catch {
    return []
  }
}

/** Does nothing if storage is blocked. */
export function removeStored(area: Area, key: string): void {
  try {
    storage(area).removeItem(key)
  } catch {
    // blocked: nothing is stored either
  }
}

/**
 * The storage key of the user whose notifications this browser gets (`push.ts`): the subscription is the browser's, whoever signs in. It is
 * here because a sign-out reads it before it loads that module.
 */
export const pushOwnerKey = 'juno.push-owner'
