import type { AwsInput } from '../../infra/local/emulators/aws-json.ts'
import type { DynaliteError, DynaliteStore, Item } from '../../infra/local/emulators/dynalite.ts'
import { added, type RunAction } from '../../infra/local/emulators/dynamodb.ts'
import { getMinReadUnits, writeUnits } from './item-size.ts'

/*
 * Counts what DynamoDB would charge for each action, by its documented rule. It is loaded before the product, so that the table of each
 * product of the tests sends it with every response: `x-juno-write-units` and `x-juno-read-units`, since the start.
 */

/** Measures what one request writes to the store. */
interface MeteredWrites {
  readonly store: DynaliteStore
  /** write units charged so far, by table */
  readonly units: ReadonlyMap<string, number>
  /** charges a refused write as if it had been done */
  chargeRefusal(table: string, newItem: Item | undefined): void
}

/**
 * A view of the store for one request. An action reads an item before it writes it, so each write is charged by the old and the new
 * item. dynalite itself counts less than AWS charges.
 */
function meterWrites(store: DynaliteStore): MeteredWrites {
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
    chargeRefusal: (table, newItem) => charge(table, last, newItem),
  }
}

interface Charged {
  read: number
  write: number
}

const charges = new WeakMap<DynaliteStore, Charged>()

/** What was charged for a store since the start. */
export function chargedUnits(store: DynaliteStore): Charged {
  const charged = charges.get(store) ?? { read: 0, write: 0 }
  charges.set(store, charged)
  return charged
}

interface ConsumedCapacity {
  TableName: string
  CapacityUnits: number
}
interface Output {
  ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[]
}

const readOperations = new Set(['BatchGetItem', 'GetItem', 'Query', 'Scan'])

/** Makes dynalite count read units, which include filtered items. */
async function meterRead(run: RunAction, store: DynaliteStore, operation: string, input: AwsInput) {
  const mode = input['ReturnConsumedCapacity'] ?? 'NONE'
  const meteredInput = mode === 'NONE' ? { ...input, ReturnConsumedCapacity: 'TOTAL' } : input
  const { ConsumedCapacity = [], ...rest } = (await run(store, operation, meteredInput)) as Output
  const units = [ConsumedCapacity].flat().reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0)
  chargedUnits(store).read += Math.max(units, getMinReadUnits(input['ConsistentRead'] === true))
  return mode === 'NONE' ? rest : { ...rest, ConsumedCapacity }
}

/** Charges writes by the documented rule: dynalite itself counts less than AWS charges. */
async function meterWrite(run: RunAction, store: DynaliteStore, operation: string, input: AwsInput) {
  const writes = meterWrites(store)
  // dynalite removes members from the request
  const newItem = input['Item'] as Item | undefined
  const table = String(input['TableName'])
  try {
    const { ConsumedCapacity, ...output } = (await run(writes.store, operation, input)) as Output
    if (!ConsumedCapacity) return output
    const correct = (consumed: ConsumedCapacity) => ({
      ...consumed,
      CapacityUnits: writes.units.get(consumed.TableName) ?? 0,
    })
    const corrected = Array.isArray(ConsumedCapacity)
      ? ConsumedCapacity.map(correct)
      : correct(ConsumedCapacity)
    return { ...output, ConsumedCapacity: corrected }
  } catch (error) {
    const { body } = error as DynaliteError
    if (body?.__type.endsWith('#ConditionalCheckFailedException')) writes.chargeRefusal(table, newItem)
    throw error
  } finally {
    for (const units of writes.units.values()) chargedUnits(store).write += units
  }
}

added.meter = (run) => (store, operation, input) =>
  (readOperations.has(operation) ? meterRead : meterWrite)(run, store, operation, input)
added.headers = (store) => {
  const { read, write } = chargedUnits(store)
  return { 'x-juno-write-units': String(write), 'x-juno-read-units': String(read) }
}
