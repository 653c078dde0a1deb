import { closeSync, openSync, writeFileSync } from 'node:fs'
import { constants, DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { byteOrderMark, formatCsv } from '#shared/format-csv.ts'
import { adaptStatement } from './adapt-statement.ts'
import { findMisuse } from './check-columns.ts'
import type { QueryAnswer } from './query-contract.ts'
import { addFunctions } from './query-functions.ts'
import { listTokens } from './statement-tokens.ts'

export interface StatementInput {
  sql: string
  /** paths of databases, with the names of their tables by `t1`, `t2` */
  files: { path: string; names: Record<string, string> }[]
  limits: QueryLimits
  /** the first row of the answer, from 0 */
  from?: number | undefined
  /** where all rows are written, instead of an answer with rows */
  csv?: { path: string; maxRows: number; maxBytes: number; isJson?: boolean } | undefined
}

export interface QueryLimits {
  /** of the processor */
  timeMs: number
  /** more than at the start */
  memoryMb: number
  rows: number
  /** of the rows as JSON */
  characters: number
}

/** Functions that load code, or fill the memory at once. */
const refusedFunctions = new Set(['load_extension', 'randomblob', 'zeroblob', 'fts3_tokenizer'])
const refusedTables = /^(?:sqlite_|pragma_|dbstat)/i

function authorize(action: number, first: string | null, second: string | null): number {
  const isAllowed =
    action === constants.SQLITE_SELECT ||
    action === constants.SQLITE_RECURSIVE ||
    (action === constants.SQLITE_READ && !refusedTables.test(first ?? '')) ||
    (action === constants.SQLITE_FUNCTION && !refusedFunctions.has((second ?? '').toLowerCase()))
  return isAllowed ? constants.SQLITE_OK : constants.SQLITE_DENY
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
const quoteText = (text: string) => `'${text.replaceAll("'", "''")}'`

/** Tables and columns that a wrong statement is told. */
const maxListed = 3_000

/** Opens the files read-only, below the names that prompts have. @returns also the tables with their columns */
function open({ files, sql }: StatementInput): { database: DatabaseSync; tables: string[] } {
  const database = new DatabaseSync(':memory:')
  database.exec('PRAGMA trusted_schema = OFF')
  addFunctions(database)
  const tables: string[] = []
  const columns: string[] = []
  let listed = 0
  for (const [index, { path, names }] of files.entries()) {
    const schema = `f${index + 1}`
    database.prepare(`ATTACH ? AS ${schema}`).run(`${pathToFileURL(path).href}?mode=ro&immutable=1`)
    for (const [table, name] of Object.entries(names)) {
      if (!/^t\d{1,3}$/.test(table)) continue
      try {
        database.exec(`CREATE TEMP VIEW ${quote(name)} AS ${selectRows(database, `${schema}.${table}`, sql)}`)
      } catch (error) {
        tables.push(`${name}: left out (${String(error)})`)
        continue
      }
      columns.push(
        `SELECT ${quoteText(name)} AS "table", name, title, type, unit, empty, note FROM ${schema}.all_columns WHERE "table" = ${Number(table.slice(1))}`,
      )
      const own = database.prepare(`SELECT * FROM ${schema}.${table} LIMIT 0`).columns()
      const line = `${name}: ${own.map((column) => column.name).join(', ')}`
      listed += line.length
      if (listed <= maxListed) tables.push(line)
    }
  }
  if (columns.length > 0) database.exec(`CREATE TEMP VIEW all_columns AS ${columns.join(' UNION ALL ')}`)
  return { database, tables }
}

/** Rows that sum up others are there only for a statement that names their column. */
function selectRows(database: DatabaseSync, table: string, sql: string): string {
  const [schema = '', number = ''] = table.split('.t')
  const hasTotals = database.prepare(`SELECT 1 FROM ${schema}.sqlite_master WHERE name = 'totals'`).get()
  const { name } = hasTotals
    ? (database.prepare(`SELECT name FROM ${schema}.totals WHERE "table" = ?`).get(Number(number)) ?? {})
    : {}
  const all = `SELECT * FROM ${table}`
  const isNamed = listTokens(sql).some(({ text }) => text.replaceAll(/["`[\]]/g, '').toLowerCase() === name)
  if (typeof name !== 'string' || isNamed) return all
  const others = database
    .prepare(all)
    .columns()
    .flatMap((column) => (column.name === name ? [] : quote(column.name)))
  return `SELECT ${others.join(', ')} FROM ${table} WHERE ${quote(name)} = 0`
}

/** The types of columns by their names, in lower case, where all tables agree. */
function listTypes(database: DatabaseSync, files: StatementInput['files']): ReadonlyMap<string, string> {
  if (files.every(({ names }) => Object.keys(names).length === 0)) return new Map()
  const types = new Map<string, string>()
  for (const { name, type } of database.prepare('SELECT name, type FROM all_columns').iterate()) {
    const key = String(name).toLowerCase()
    types.set(key, types.has(key) && types.get(key) !== type ? '' : String(type))
  }
  return types
}

/** What a column of texts holds, for a statement that takes them for numbers. */
function describeTexts(database: DatabaseSync, column: string): string {
  const find = database.prepare('SELECT "table", note FROM all_columns WHERE name = ? COLLATE NOCASE')
  const { table = '', note } = find.get(column) ?? {}
  const name = quote(column)
  const examples = database
    .prepare(
      `SELECT DISTINCT ${name} AS value FROM (SELECT ${name} FROM ${quote(String(table))} WHERE ${name} IS NOT NULL LIMIT 5000) ORDER BY ${name} GLOB '*[^0-9.-]*' DESC LIMIT 4`,
    )
    .all()
    .map(({ value }) => quoteText(String(value).slice(0, 40)))
  const reason = typeof note === 'string' ? ` (${note})` : ''
  return `${column} holds texts, not numbers${reason}: ${examples.join(', ')}. Say in the statement how they become numbers, such as CAST(replace(replace(${column}, '$', ''), ',', '') AS REAL), leave out those that are none, and tell the user.`
}

/** What a value of a result is in JSON. @param maxCharacters of a text */
function toJson(value: unknown, maxCharacters: number): string | number | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'bigint')
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
      ? Number(value)
      : String(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (value instanceof Uint8Array) return `x'${Buffer.from(value.subarray(0, 100)).toString('hex')}'`
  const text = value as string
  return text.length > maxCharacters
    ? `${text.slice(0, maxCharacters).toWellFormed()}… (${text.length} characters)`
    : text
}

const maxCellCharacters = 4_000

/** SQLite prepares the first statement, and forgets the others. */
function rejectMore(sql: string, first: string): void {
  const rest = sql.slice(first.length).replaceAll(/--[^\n]*|\/\*[^]*?(?:\*\/|$)|[\s;]+/g, '')
  if (rest !== '') throw new Error('Only one statement at a time.')
}

/** Without the fence of Markdown in which some models write it. */
const stripFence = (sql: string) =>
  sql
    .trim()
    .replace(/^```\w{0,10}\s/, '')
    .replace(/```$/, '')

function run(
  database: DatabaseSync,
  { sql: written, files, limits, from = 0, csv }: StatementInput,
): Exclude<QueryAnswer, { error: string }> {
  const sql = adaptStatement(stripFence(written))
  const statement = database.prepare(sql)
  const misuse = findMisuse(sql, listTypes(database, files))
  if (misuse) throw new Error('problem' in misuse ? misuse.problem : describeTexts(database, misuse.column))
  rejectMore(sql, statement.sourceSQL)
  statement.setReturnArrays(true)
  statement.setReadBigInts(true)
  const columns = statement.columns().map(({ name }) => name)
  const rows: (string | number | null)[][] = []
  if (csv) return { columns, rows: [], ...writeCsv(csv, columns, statement.iterate()) }
  let total = 0
  let left = limits.characters
  for (const values of statement.iterate() as Iterable<unknown>) {
    total += 1
    if (total <= from || left <= 0 || rows.length >= limits.rows) continue
    const row = (values as unknown[]).map((value) => toJson(value, maxCellCharacters))
    left -= JSON.stringify(row).length + 1
    if (left > 0 || rows.length === 0) rows.push(row)
  }
  return { columns, rows, total_rows: total }
}

/** Bytes that are written at once. */
const chunkBytes = 65_536

/** Writes the rows of a result, with a line of their columns. Those beyond a limit are counted. */
function writeCsv(
  { path, maxRows, maxBytes, isJson = false }: NonNullable<StatementInput['csv']>,
  columns: readonly string[],
  found: Iterable<unknown>,
): { total_rows: number; csv_rows: number } {
  const file = openSync(path, 'wx')
  const toLine = (row: readonly (string | number | null)[]) =>
    isJson ? `${JSON.stringify(row)}\n` : formatCsv([row])
  let chunk = (isJson ? '' : byteOrderMark) + toLine(columns)
  let bytes = Buffer.byteLength(chunk)
  let rows = 0
  let total = 0
  for (const values of found) {
    total += 1
    if (rows >= maxRows || bytes >= maxBytes) continue
    const line = toLine((values as unknown[]).map((value) => toJson(value, Infinity)))
    bytes += Buffer.byteLength(line)
    if (bytes > maxBytes) continue
    rows += 1
    chunk += line
    if (chunk.length < chunkBytes) continue
    writeFileSync(file, chunk)
    chunk = ''
  }
  writeFileSync(file, chunk)
  closeSync(file)
  return { total_rows: total, csv_rows: rows }
}

/** What other databases write, and how SQLite has it. */
const dialects: readonly (readonly [written: RegExp, advice: string])[] = [
  [/\bextract\s*\(/i, "strftime('%Y', d), or date_part('year', d), for EXTRACT"],
  [/::\s*\w/, 'CAST(x AS REAL) or CAST(x AS TEXT) for ::'],
  [/\bilike\b/i, 'LIKE, which ignores case, for ILIKE'],
  [/\binterval\b/i, "date(d, '-7 days') for INTERVAL"],
  [/\b(?:un)?pivot\s*\(/i, "sum(x) FILTER (WHERE k = 'a') for a column of PIVOT, and UNION ALL for UNPIVOT"],
  [/\bselect\s+top\b/i, 'LIMIT at the end for TOP'],
  [
    /\b(?:to_char|date_format|format_date|datediff|date_diff|dateadd|date_add|date_sub|to_date|now|curdate|getdate)\s*\(/i,
    "strftime('%Y-%m', d), date(d, '+1 month'), date('now') and julianday(a) - julianday(b) for dates",
  ],
  [
    /\b(?:left|right|split_part|strpos|charindex|locate|position)\s*\(/i,
    'substr and instr for parts of texts',
  ],
  [/\b(?:greatest|least)\s*\(/i, 'max(a, b) and min(a, b) for GREATEST and LEAST'],
  [/\b(?:percentile_cont|percentile_disc)\s*\(/i, 'median(x) and percentile(x, 90) for PERCENTILE_CONT'],
]

/** What helps the writer of a statement that SQLite did not take. */
function advise(sql: string, message: string): string {
  if (!/syntax error|no such function|unrecognized token|wrong number of arguments/.test(message)) return ''
  const advice = dialects.flatMap(([written, text]) => (written.test(sql) ? [text] : []))
  return advice.length === 0 ? '' : ` (SQLite has ${advice.join('; ')})`
}

/**
 * Runs one statement that somebody else has written, and that may only read the tables. No call ends one that is running, so it belongs into
 * a process of its own.
 */
export function runStatement(input: StatementInput): QueryAnswer {
  const { database, tables } = open(input)
  if (typeof Reflect.get(database, 'setAuthorizer') !== 'function')
    return {
      error: 'This server’s version of Node cannot restrict statements. Node 24.10 or newer is needed.',
      said: { code: 'query', params: { reason: 'server' } },
      columns: [],
    }
  database.setAuthorizer(authorize)
  // Node 24.15
  const bounds: unknown = Reflect.get(database, 'limits')
  if (typeof bounds === 'object' && bounds !== null)
    Object.assign(bounds, {
      length: 10_000_000,
      sqlLength: 20_000,
      exprDepth: 100,
      likePatternLength: 200,
      attach: 0,
    })
  try {
    return run(database, input)
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The statement failed.'
    const isRefused = /not authorized|authorization denied|prohibited/i.test(message)
    return {
      error:
        `${message}${isRefused ? ' (statements may only read the tables)' : advise(input.sql, message)}`.slice(
          0,
          1_000,
        ),
      columns: tables,
    }
  } finally {
    database.close()
  }
}
