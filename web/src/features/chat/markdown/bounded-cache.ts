/** Values by key, of which only those that were set last stay. */
export interface BoundedCache<Value> {
  get: (key: string) => Value | undefined
  set: (key: string, value: Value) => void
}

/** Creates a cache. When a value is set and there are more than a number of them, the one that was set first is dropped. */
export function createBoundedCache<Value>(maxValues: number): BoundedCache<Value> {
  const values = new Map<string, Value>()
  return {
    get: (key) => values.get(key),
    set(key, value) {
      values.delete(key)
      values.set(key, value)
      const [oldest] = values.keys()
      if (values.size > maxValues && oldest !== undefined) values.delete(oldest)
    },
  }
}
