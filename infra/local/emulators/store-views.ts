import type { Collection, DynaliteStore, Item } from './dynalite.ts'

/** A view of the store for one request that remembers the item which was read last: the one that a failed condition refers to. */
export function rememberReads(store: DynaliteStore): {
  view: DynaliteStore
  findLastItem: () => Item | undefined
} {
  let last: Item | undefined
  const view: DynaliteStore = {
    ...store,
    getItemDb(table) {
      const items = store.getItemDb(table)
      return {
        ...items,
        get: (key, done) =>
          items.get(key, (error, item) => {
            last = item as Item | undefined
            done(error, item)
          }),
      }
    },
  }
  return { view, findLastItem: () => last }
}

/**
 * A view of the store for a batch: it processes each item in a separate tick, so other requests can come between them, as on
 * AWS, where a batch is not a transaction.
 */
export function yieldBetweenItems(store: DynaliteStore): DynaliteStore {
  let previous: Promise<unknown> = Promise.resolve()
  return {
    ...store,
    getItemDb(table): Collection {
      const items = store.getItemDb(table)
      return {
        ...items,
        get(key, done) {
          previous = previous.then(() => new Promise(setImmediate))
          void previous.then(() => items.get(key, done))
        },
      }
    },
  }
}
