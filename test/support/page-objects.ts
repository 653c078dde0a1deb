import { vi } from 'vitest'

/** What a file replaces for good in the objects of the page would be there in the next files of its worker. */
type Owned = ReadonlyMap<string, PropertyDescriptor>
interface JsdomWindow {
  /** since the first file of the worker */
  ownedBefore?: ReadonlyMap<object, Owned>
}
const { window: jsdomWindow } = Reflect.get(globalThis, 'jsdom') as { window: JsdomWindow }

/** The page's objects, its classes and their prototypes. */
function listPageObjects(): object[] {
  const classes = Object.getOwnPropertyNames(jsdomWindow).flatMap((name): object[] => {
    if (!Object.getOwnPropertyDescriptor(globalThis, name)?.get) return []
    const value: unknown = Reflect.get(globalThis, name)
    if (typeof value !== 'function') return []
    const prototype = value.prototype as object | undefined
    return prototype ? [value, prototype] : [value]
  })
  return [globalThis, navigator, document, URL, ...classes]
}

const readOwned = (owner: object): Owned => new Map(Object.entries(Object.getOwnPropertyDescriptors(owner)))

/** Call when what jsdom lacks has been added. */
export function rememberPageObjects(): void {
  jsdomWindow.ownedBefore ??= new Map(listPageObjects().map((owner) => [owner, readOwned(owner)]))
}

/**
 * Puts back what was replaced or removed since, and removes what was added, except what packages add for all files when they are first
 * loaded: to the global object, and React's marks.
 */
export function restorePageObjects(): void {
  // which Vitest would go on believing to be faked
  vi.useRealTimers()
  for (const [owner, before] of jsdomWindow.ownedBefore ?? []) {
    const owned = readOwned(owner)
    for (const key of owned.keys())
      if (!before.has(key) && owner !== globalThis && !key.startsWith('_react'))
        Reflect.deleteProperty(owner, key)
    for (const [key, then] of before) {
      const now = owned.get(key)
      const isSame = now && now.get === then.get && now.set === then.set && Object.is(now.value, then.value)
      if (!isSame) Object.defineProperty(owner, key, then)
    }
  }
}
