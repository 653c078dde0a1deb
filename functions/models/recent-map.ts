import { LruMap } from '../platform/lru-map.ts'

const maxEntries = 1_000

/** What is remembered for a while. */
export class RecentMap<Key, Value> {
  readonly #entries = new LruMap<Key, { value: Value; atMs: number }>(maxEntries)
  readonly #rememberedMs: number
  /** nothing has ever been remembered */
  isEmpty = true

  constructor(rememberedMs: number) {
    this.#rememberedMs = rememberedMs
  }

  get(key: Key): Value | undefined {
    const known = this.#entries.get(key)
    return known && Date.now() - known.atMs < this.#rememberedMs ? known.value : undefined
  }

  set(key: Key, value: Value): void {
    this.isEmpty = false
    this.#entries.set(key, { value, atMs: Date.now() })
  }
}
