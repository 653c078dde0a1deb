import { Stream } from 'node:stream'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Collection, Done, DynaliteStore, RangeOptions, Stored } from './dynalite.ts'

/** dynalite's limit for an item; the documented one. */
const maxItemSize = 409_600

/**
 * dynalite's store over one SQLite table: every collection is a range of its keys, named as dynalite names them in LevelDB. SQLite is
 * called synchronously, so what an action does between two callbacks is atomic: nothing can come between reading an item and
 * writing it, and locks are not needed.
 * @param database with the table of `createEntries`
 */
export function createSqliteStore(database: DatabaseSync): DynaliteStore {
  const entries = new Entries(database)
  const descriptions = entries.collection('table')
  /** table descriptions, which every request reads */
  const tableDescriptions = new Map<string, Stored>()
  const tableDb = {
    ...descriptions,
    get: (name: string, done: Done<Stored>) => {
      if (!tableDescriptions.has(name))
        descriptions.get(name, (_error, table) => void tableDescriptions.set(name, table))
      done(null, tableDescriptions.get(name))
    },
    put: (name: string, table: object, done: Done) => {
      tableDescriptions.delete(name)
      descriptions.put(name, table, done)
    },
    del: (name: string, done: Done) => {
      tableDescriptions.delete(name)
      descriptions.del(name, done)
    },
    awsAccountId: '000000000000',
    awsRegion: process.env['AWS_REGION'] ?? 'us-east-1',
  }
  const nameIndex = (type: string, table: string, index: string) =>
    `index-${type.toLowerCase()}~${table}~${index}`
  return {
    options: { createTableMs: 0, deleteTableMs: 0, updateTableMs: 0, maxItemSize },
    tableDb,
    getItemDb: (table) => entries.collection(`item-${table}`),
    deleteItemDb: (table, done) => entries.clear(`item-${table}`, done),
    getIndexDb: (type, table, index) => entries.collection(nameIndex(type, table, index)),
    deleteIndexDb: (type, table, index, done) => entries.clear(nameIndex(type, table, index), done),
    getTagDb: (table) => entries.collection(`tag-${table}`),
    deleteTagDb: (table, done) => entries.clear(`tag-${table}`, done),
    getTable(name, ...rest) {
      const done = rest.length === 1 ? rest[0] : rest[1]
      const mustBeActive = rest[0] !== false
      tableDb.get(name, (error, stored) => {
        const status = (stored as { TableStatus?: string } | undefined)?.TableStatus
        const isThere = status && !(mustBeActive && /^(CREATING|DELETING)$/.test(status))
        done(error ?? (isThere ? null : tableNotFound(name, mustBeActive)), stored)
      })
    },
  }
}

/** The table behind a store. */
export function createEntries(database: DatabaseSync): void {
  database.exec(
    'CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
  )
}

class Entries {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  clear(name: string, done: (error: null) => void): void {
    this.#prepare('DELETE FROM entries WHERE key >= ? AND key < ?').run(...range(name))
    done(null)
  }

  collection(name: string): Collection {
    const prefix = `${name}~`
    return {
      lock: (_key, run) => run((done) => done),
      get: (key, done) => {
        const row = this.#prepare('SELECT value FROM entries WHERE key = ?').get(prefix + key)
        done(null, row && (JSON.parse(String(row['value'])) as Stored))
      },
      put: (key, value, done) => {
        this.#prepare('INSERT OR REPLACE INTO entries VALUES (?, ?)').run(prefix + key, JSON.stringify(value))
        done(null)
      },
      del: (key, done) => {
        this.#prepare('DELETE FROM entries WHERE key = ?').run(prefix + key)
        done(null)
      },
      createKeyStream: () => this.#stream(name, {}, ({ key }) => String(key).slice(prefix.length)),
      createValueStream: (options) => this.#stream(name, options, ({ value }) => JSON.parse(String(value))),
    }
  }

  #stream(
    name: string,
    { gte, gt, lte, lt, reverse, limit = -1 }: RangeOptions,
    read: (row: Row) => unknown,
  ) {
    const [first, end] = range(name)
    const from = gte ?? gt
    const to = lte ?? lt
    const statement = this.#prepare(
      `SELECT key, value FROM entries
       WHERE key ${gt === undefined ? '>=' : '>'} ? AND key ${lte === undefined ? '<' : '<='} ?
       ORDER BY key ${reverse ? 'DESC' : 'ASC'} LIMIT ?`,
    )
    const prefix = `${name}~`
    const rows = () =>
      statement.iterate(
        from === undefined ? first : prefix + from,
        to === undefined ? end : prefix + to,
        limit,
      )
    return new RowStream(rows, read)
  }

  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

type Row = Record<string, unknown>

/** The keys of a collection begin with its name and `~`, which DEL follows. */
const range = (name: string): [first: string, end: string] => [`${name}~`, `${name}\x7f`]

/**
 * A stream for dynalite, in Node's old style, which stops when it is destroyed. It emits everything synchronously, so that a query
 * sees one state of the table and leaves no iterator open.
 */
class RowStream extends Stream {
  #isDestroyed = false

  constructor(rows: () => Iterable<Row>, read: (row: Row) => unknown) {
    super()
    // dynalite adds its listeners after it has received the stream
    queueMicrotask(() => {
      try {
        for (const row of rows()) {
          this.emit('data', read(row))
          if (this.#isDestroyed) break
        }
        this.emit('end')
      } catch (error) {
        this.emit('error', error)
      }
    })
  }

  destroy(): void {
    this.#isDestroyed = true
  }
}

/** The message is that of dynalite's own store, as observed on AWS. */
function tableNotFound(name: string, mustBeActive: boolean): Error {
  const message = `Requested resource not found${mustBeActive ? '' : `: Table: ${name} not found`}`
  return Object.assign(new Error(message), {
    name: 'NotFoundError',
    statusCode: 400,
    body: { __type: 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException', message },
  })
}
