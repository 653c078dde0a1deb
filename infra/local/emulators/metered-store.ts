import type { Collection, DynaliteStore } from './dynalite.ts'
import { type Item, writeUnits } from './item-size.ts'

/** Measures what one request writes to the store. */
export interface MeteredWrites {
  readonly store: DynaliteStore
  /** write units charged so far, by table */
  readonly units: ReadonlyMap<string, number>
  /** the item that the action read last: the one that a failed condition refers to */
  readonly storedItem: Item | undefined
  /** charges a refused write as if it had been done */
  chargeRefusal(table: string, newItem: Item | undefined): void
}

/**
 * A view of the store for one request. An action reads an item before it writes it, so each write is charged by the old and the new
 * item. dynalite itself counts less than AWS charges.
 */
export function meterWrites(store: DynaliteStore): MeteredWrites {
  const units = new Map<string, number>()
  let last: Item | undefined
  const charge = (table: string, oldItem: Item | undefined, newItem: Item | undefined) => {
    units.set(table, (units.get(table) ?? 0) + writeUnits(oldItem, newItem))
  }
  return {
    store: {
      ...store,
      getItemDb(table) {
        const items = store.getItemDb(table)
        let oldItem: Item | undefined
        return {
          ...items,
          get: (key, done) =>
            items.get(key, (error, item) => {
              oldItem = last = item as Item | undefined
              done(error, item)
            }),
          put(key, item, done) {
            charge(table, oldItem, item as Item)
            items.put(key, item, done)
          },
          del(key, done) {
            charge(table, oldItem, undefined)
            items.del(key, done)
          },
        }
      },
    },
    units,
    get storedItem() {
      return last
    },
    chargeRefusal: (table, newItem) => charge(table, last, newItem),
  }
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
