type Area = 'local' | 'session'

/** Reading the property throws already where site data is blocked. */
const storage = (area: Area): Storage => (area === 'local' ? window.localStorage : window.sessionStorage)

/** @returns null when nothing is stored or the browser refuses */
export function readStored(area: Area, key: string): string | null {
  try {
    return storage(area).getItem(key)
  } catch {
    return null
  }
}

/** @returns what was stored as JSON, unchecked; null when nothing is stored, it is no JSON or the browser refuses */
export function readStoredJson(area: Area, key: string): unknown {
  try {
    return JSON.parse(readStored(area, key) ?? 'null')
  } catch {
    return null
  }
}

/** @returns whether it is stored: the browser may refuse, or be full */
export function writeStored(area: Area, key: string, value: string): boolean {
  try {
    storage(area).setItem(key, value)
    return true
  } catch {
    return false
  }
}

/** @returns the keys that begin so; none where the browser refuses */
export function storedKeys(area: Area, prefix: string): string[] {
  try {
    return Object.keys(storage(area)).filter((key) => key.startsWith(prefix))
  } catch {
    return []
  }
}

/** Does nothing where the browser refuses. */
export function removeStored(area: Area, key: string): void {
  try {
    storage(area).removeItem(key)
  } catch {
    // nothing can be stored there either
  }
}
