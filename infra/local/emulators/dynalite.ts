import type { Stream } from 'node:stream'
import { createRequire } from 'node:module'
import { cacheExpressions, type Parse } from './expression-cache.ts'

/** An attribute value in DynamoDB's own JSON: exactly one member, named after its type. */
export type AttributeValue =
  | { S: string }
  | { N: string }
  | { B: string }
  | { BOOL: boolean }
  | { NULL: boolean }
  | { SS: string[] }
  | { NS: string[] }
  | { BS: string[] }
  | { L: AttributeValue[] }
  | { M: Item }

export type Item = Record<string, AttributeValue>

/**
 * The parts of dynalite 4 that the emulator uses: its validations and its actions, over a store of ours. Its own HTTP server is
 * not used: it throws in an event handler when a client disconnects in the middle of a request, which would end the process.
 */

export interface DynaliteError extends Error {
  statusCode?: number
  body?: { __type: string; message?: string; Item?: Item }
}

export type Done<Value = undefined> = (error: DynaliteError | null, value?: Value) => void

/** What a collection stores: an item, or the description of a table. */
export type Stored = object | undefined

/** Bounds of keys, as LevelDB names them. @property limit -1 for none */
export interface RangeOptions {
  gte?: string
  gt?: string
  lte?: string
  lt?: string
  reverse?: boolean
  limit?: number
}

export interface Collection {
  /** runs a step with exclusive access to the key, until the callback that `release` returns is called */
  lock(key: string, run: (release: (done: Done) => Done) => void): void
  get(key: string, done: Done<Stored>): void
  put(key: string, value: object, done: Done): void
  del(key: string, done: Done): void
  createKeyStream(options: RangeOptions): Stream
  createValueStream(options: RangeOptions): Stream
}

/** The store that dynalite's actions need. */
export interface DynaliteStore {
  options: { createTableMs: number; deleteTableMs: number; updateTableMs: number; maxItemSize: number }
  tableDb: Collection & { awsAccountId: string; awsRegion: string }
  getItemDb(table: string): Collection
  deleteItemDb(table: string, done: Done): void
  getIndexDb(type: string, table: string, index: string): Collection
  deleteIndexDb(type: string, table: string, index: string, done: Done): void
  getTagDb(table: string): Collection
  deleteTagDb(table: string, done: Done): void
  /** @param rest whether the table has to be active (default true), and the callback */
  getTable(name: string, ...rest: [Done<object>] | [mustBeActive: boolean, Done<object>]): void
}

interface Validation {
  types: object
  custom?: unknown
}

interface Validations {
  checkTypes(input: object, types: object): object
  checkValidations(request: object, types: object, custom: unknown, store: DynaliteStore): void
}

type Action = (
  store: DynaliteStore,
  request: object,
  done: (error: DynaliteError | null, output: object) => void,
) => void

const require = createRequire(import.meta.url)
const validations: Validations = require('dynalite/validations')

const cached = Symbol.for('juno.cached-expressions')
for (const file of ['conditionParser', 'projectionParser', 'updateParser']) {
  const parser: { parse: Parse; [cached]?: true } = require(`dynalite/db/${file}`)
  // once a process: test files load this module anew
  if (!parser[cached]) Object.assign(parser, { parse: cacheExpressions(parser.parse), [cached]: true })
}

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

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
const maxExpressionBytes = 4_096

/** DynamoDB refuses longer expressions, which dynalite does not. */
function checkExpressionSizes(input: object): void {
  for (const [name, value] of Object.entries(input)) {
    if (!name.endsWith('Expression') || Buffer.byteLength(String(value)) <= maxExpressionBytes) continue
    const message = `Invalid ${name}: Expression size has exceeded the maximum allowed size;`
    const __type = 'com.amazon.coral.validate#ValidationException'
    throw Object.assign(new Error(message), { statusCode: 400, body: { __type, message } })
  }
}

/**
 * Checks a request and runs it.
 * @returns undefined for an operation that dynalite does not know
 * @throws DynaliteError with `statusCode` and `body` for what DynamoDB refuses
 */
export function runDynalite(
  store: DynaliteStore,
  operation: string,
  input: object,
): Promise<object> | undefined {
  const known = operations.get(operation)
  if (!known) return undefined
  const { action, validation } = known
  checkExpressionSizes(input)
  const request = validations.checkTypes(input, validation.types)
  validations.checkValidations(request, validation.types, validation.custom, store)
  return new Promise((resolve, reject) => {
    action(store, request, (error, output) => (error ? reject(error) : resolve(output)))
  })
}
