/** Values by key, of which only the newest stay. */
export interface BoundedCache<Value> {
  get: (key: string) => Value | undefined
  set: (key: string, value: Value) => void
}

/** Creates a cache that drops its oldest value when it has more than a number of them. */
export function createBoundedCache<Value>(maxValues: number): BoundedCache<Value> {
  const values = new Map<string, Value>()
  return {
    get: (key) => values.get(key),
    set(key, value) {
      const [oldest] = values.keys()
      if (values.size >= maxValues && oldest !== undefined) values.delete(oldest)
      values.set(key, value)
    },
  }
}
