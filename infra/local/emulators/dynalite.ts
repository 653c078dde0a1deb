import { createRequire } from 'node:module'
import type { Item } from './item-size.ts'

/**
 * The parts of dynalite 4 that the emulator stands on: its store, its validations and its actions. Its own HTTP server is not
 * used: it throws out of an event handler when a client goes away in the middle of a request, which would end the process.
 */

export interface DynaliteError extends Error {
  statusCode?: number
  body?: { __type: string; message?: string; Item?: Item }
}

/** A checked request; writes carry the item or the key they are about. */
export interface DynaliteRequest {
  TableName?: string
  Item?: Item
  Key?: Item
  RequestItems?: Record<string, { PutRequest?: { Item: Item }; DeleteRequest?: { Key: Item } }[]>
}

export interface DynaliteStore {
  db: {
    open(): Promise<void>
    close(): Promise<void>
    get(key: string): Promise<unknown>
    put(key: string, value: unknown): Promise<void>
    keys: OpenIterator
    values: OpenIterator
  }
  getTable(name: string, checkStatus: boolean, done: (error: DynaliteError | null) => void): void
}

type OpenIterator = (options?: object) => { close(): Promise<void>; return?: () => Promise<void> }

interface ConsumedCapacity {
  CapacityUnits: number
}

export interface DynaliteDb {
  create(options: { path: string; createTableMs: number }): DynaliteStore
  checkConditional(request: DynaliteRequest, stored: Item | undefined): DynaliteError | null | undefined
  addConsumedCapacity(
    request: DynaliteRequest,
    isRead: boolean,
    first: Item | undefined,
    second?: Item,
  ): ConsumedCapacity | undefined
}

interface Validation {
  types: object
  custom?: unknown
}

interface Validations {
  checkTypes(input: object, types: object): DynaliteRequest
  checkValidations(request: DynaliteRequest, types: object, custom: unknown, store: DynaliteStore): void
}

type Action = (
  store: DynaliteStore,
  request: DynaliteRequest,
  done: (error: DynaliteError | null, answer: object) => void,
) => void

/**
 * dynalite ends an iterator by `return`, which those of its store no longer have: each read would leave one behind, with the rows
 * it had read ahead, and keep the store from dropping the files behind it. So they get one.
 */
export function endIterators({ db }: Pick<DynaliteStore, 'db'>): void {
  for (const kind of ['keys', 'values'] as const) {
    const open = db[kind].bind(db)
    db[kind] = (options) => {
      const iterator = open(options)
      iterator.return = () => iterator.close()
      return iterator
    }
  }
}

const require = createRequire(import.meta.url)

export const dynaliteDb: DynaliteDb = require('dynalite/db')
const validations: Validations = require('dynalite/validations')

const names = [
  'BatchGetItem',
  'BatchWriteItem',
  'CreateTable',
  'DeleteItem',
  'DeleteTable',
  'DescribeTable',
  'GetItem',
  'ListTables',
  'PutItem',
  'Query',
  'Scan',
  'UpdateItem',
]

const operations = new Map(
  names.map((name) => {
    const file = name.charAt(0).toLowerCase() + name.slice(1)
    const action: Action = require(`dynalite/actions/${file}`)
    const validation: Validation = require(`dynalite/validations/${file}`)
    return [name, { action, validation }]
  }),
)

/**
 * Checks a request and runs it.
 * @param checked called between the two, with the request as the action will see it
 * @returns undefined for an operation that dynalite does not know
 * @throws DynaliteError with `statusCode` and `body` for what DynamoDB refuses
 */
export function runDynalite(
  store: DynaliteStore,
  operation: string,
  input: object,
  checked: (request: DynaliteRequest) => void,
): Promise<object> | undefined {
  const known = operations.get(operation)
  if (!known) return undefined
  const { action, validation } = known
  const request = validations.checkTypes(input, validation.types)
  validations.checkValidations(request, validation.types, validation.custom, store)
  checked(request)
  return new Promise((resolve, reject) => {
    action(store, request, (error, answer) => (error ? reject(error) : resolve(answer)))
  })
}
