import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync } from 'node:zlib'
import { isTimeOver } from '../extracted-text.ts'
import { columnLetters, type Sheet, type SheetRow } from './cells.ts'
import { findTables, formatRange, listRows, type FoundTable } from './find.ts'
import {
  ColumnReader,
  convertCell,
  isValue,
  joinHabits,
  toText,
  type ColumnPlan,
  type ConvertedCell,
  type FileHabits,
} from './infer.ts'
import { makeUnique, toName } from './name.ts'
import {
  maxInfoCharacters,
  maxTables,
  type ColumnInfo,
  type StoredTables,
  type TableInfo,
} from '../../files/stored-tables.ts'

/** The tables of a document as a database. */
export interface BuiltTables {
  /** an SQLite file, compressed by zstd: tables `t1`, `t2`, and `all_columns` */
  bytes: Uint8Array<ArrayBuffer>
  info: StoredTables
}

/** Wider tables have the first of their columns. */
const maxColumns = 900
/** A database has no more; queries unpack several of them. */
const maxDatabaseBytes = 160 * 1024 * 1024
const pageBytes = 4_096
const compression = 3

/** Last rows that say what they are, in the languages of the page. */
const totalLabel =
  /^(?:(?:grand |sub)?totals?|sums?|summen?|gesamt(?:summe|betrag|ergebnis)?|insgesamt|somme|total g[ée]n[ée]ral|suma|soma|合計|総計|総合計|المجموع|الإجمالي|الاجمالي)(?:$|[\s:.(])/i

/** A table whose cells were read once, for their types. */
export interface ReadTable {
  found: FoundTable
  readers: ColumnReader[]
  rows: number
  total: SheetRow | undefined
  note: string
}

/**
 * Builds the database of a document's tables.
 * @param folder for a temporary file
 * @returns undefined if there is no table, or if the tables do not fit: sums of a part would be wrong
 */
export function buildTables(sheets: readonly Sheet[], folder: string): BuiltTables | undefined {
  const found = sheets.flatMap((sheet) => findTables(sheet)).slice(0, maxTables)
  if (found.length === 0) return undefined
  const tables = found.map(readTable).filter(({ rows }) => rows > 0)
  if (tables.length === 0 || isTimeOver()) return undefined
  const habits = joinHabits(
    tables.flatMap(({ readers }) => readers.map((reader) => reader.habits)),
    sheets[0]?.separator,
  )
  const path = join(folder, 'tables.sqlite')
  try {
    const info = writeTables(
      path,
      tables.map((table) => ({ ...table, habits })),
    )
    if (!info || statSync(path).size > maxDatabaseBytes) return undefined
    const bytes = new Uint8Array(
      zstdCompressSync(readFileSync(path), { params: { [zstdLevel]: compression } }),
    )
    return { bytes, info: limitInfo(nameTables(info)) }
  } finally {
    rmSync(path, { force: true })
  }
}

/** ZSTD_c_compressionLevel */
const zstdLevel = 100

/** Writes tables to a new database. @returns what is known of them; undefined if the time is over */
export function writeTables(
  path: string,
  tables: readonly (ReadTable & { habits: FileHabits })[],
): TableInfo[] | undefined {
  const database = new DatabaseSync(path)
  try {
    database.exec(
      `PRAGMA page_size = ${pageBytes}; PRAGMA max_page_count = ${maxDatabaseBytes / pageBytes}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE`,
    )
    const writer = new DatabaseWriter(database)
    database.exec('BEGIN')
    for (const table of tables) if (!writer.add(table)) return undefined
    database.exec('COMMIT')
    return writer.info
  } finally {
    database.close()
  }
}

/** Reads what the cells of a table may mean. */
function readTable(found: FoundTable): ReadTable {
  const width = Math.min(maxColumns, found.titles.length)
  const readers = Array.from({ length: width }, () => new ColumnReader())
  let rows = 0
  let last: SheetRow | undefined
  const subtotals: number[] = []
  let firstSubtotal = ''
  const add = (row: SheetRow) => {
    const { number, cells } = row
    rows += 1
    for (const [column, reader] of readers.entries()) reader.add(cells[column])
    if (!isSubtotal(row, width)) return
    firstSubtotal ||= quoteLabel(row)
    subtotals.push(number)
  }
  for (const row of listRows(found)) {
    if (last) add(last)
    last = row
  }
  if (!last) return { found, readers, rows, total: undefined, note: '' }
  const isTotal = judgeTotal(last, readers, rows)
  const hint =
    subtotals.length === 0
      ? ''
      : `${subtotals.length} rows such as ${firstSubtotal} are totals of others: leave them out of sums`
  if (isTotal === true) return { found, readers, rows, total: last, note: hint }
  add(last)
  const note =
    isTotal === 'unclear' ? `row ${last.number} is called ${quoteLabel(last)}, and is not their sum` : ''
  return { found, readers, rows, total: undefined, note: [note, hint].filter((one) => one !== '').join('; ') }
}

const findLabel = ({ cells }: SheetRow) =>
  toText(cells.find((cell) => typeof cell === 'string' && cell.trim() !== '' && !isValue(cell)))
const quoteLabel = (row: SheetRow) => `“${findLabel(row).slice(0, 40)}”`

/** `North Total` and `Summe Nord` before empty cells: what such a row says of its group is not in its columns. */
function isSubtotal({ cells }: SheetRow, width: number): boolean {
  const texts = cells
    .slice(0, width)
    .filter((cell) => typeof cell === 'string' && cell.trim() !== '' && !isValue(cell))
  const [label] = texts
  return (
    texts.length === 1 &&
    typeof label === 'string' &&
    label.length <= 60 &&
    cells.some(isValue) &&
    (totalLabel.test(label) || /\s(?:(?:sub)?total|summe|gesamt|ergebnis|suma|合計)$/i.test(label.trim())) &&
    cells.slice(0, width).filter((cell) => toText(cell) !== '').length < width
  )
}

/** Whether the last row is the sum of the others. @param rows how many others there are */
function judgeTotal(last: SheetRow, readers: readonly ColumnReader[], rows: number): boolean | 'unclear' {
  if (rows < 2) return false
  const sums = readers.map((reader, column) => reader.isSum(last.cells[column]))
  const equal = sums.filter((isSum) => isSum === true).length
  const different = sums.filter((isSum) => isSum === false).length
  if (totalLabel.test(findLabel(last))) return equal > 0 || different === 0 ? true : 'unclear'
  const texts = last.cells.filter((cell) => typeof cell === 'string' && cell.trim() !== '' && !isValue(cell))
  const hasAmount = last.cells.some((cell, column) => sums[column] === true && !/^0?$/.test(toText(cell)))
  return texts.length === 0 && rows > 2 && equal > 0 && different === 0 && hasAmount
}

export interface PlannedColumn {
  name: string
  title: string
  plan: ColumnPlan
  /** the column of texts that are not of the type */
  otherName: string | undefined
}

const sqlTypes = { number: 'REAL', date: 'TEXT', boolean: 'INTEGER', text: 'TEXT' } as const
const sqlType = ({ type, isYear }: ColumnPlan) => (isYear ? 'INTEGER' : sqlTypes[type])

const sampleRows = 3
const sampleCharacters = 40

class DatabaseWriter {
  readonly info: TableInfo[] = []
  readonly #database: DatabaseSync

  constructor(database: DatabaseSync) {
    this.#database = database
    database.exec(
      'CREATE TABLE all_columns ("table" INTEGER, name TEXT, title TEXT, type TEXT, unit TEXT, empty INTEGER, note TEXT)',
    )
  }

  /** @returns false if the time is over */
  add({ found, readers, total, note, habits }: ReadTable & { habits: FileHabits }): boolean {
    const { sheet, titles } = found
    const columns = planColumns(found, readers, habits)
    const names = columns.flatMap(({ name, plan, otherName }) => [
      `"${name}" ${sqlType(plan)}`,
      ...(otherName === undefined ? [] : [`"${otherName}" TEXT`]),
    ])
    const table = this.info.length + 1
    this.#database.exec(`CREATE TABLE t${table} (${names.join(', ')})`)
    const insert = this.#database.prepare(`INSERT INTO t${table} VALUES (${names.map(() => '?').join(', ')})`)
    const empty = columns.map(() => 0)
    const sample: TableInfo['sample'] = []
    let rows = 0
    for (const { number, cells } of listRows(found)) {
      if (number === total?.number) continue
      const values: ConvertedCell['value'][] = []
      for (const [index, { plan, otherName }] of columns.entries()) {
        const { value, other } = convertCell(cells[index], plan)
        if (value === null) empty[index] = (empty[index] ?? 0) + 1
        values.push(value)
        if (otherName !== undefined) values.push(other ?? null)
      }
      insert.run(...values)
      if (sample.length < sampleRows) sample.push(values.map(toSample))
      rows += 1
      if (rows % 10_000 === 0 && isTimeOver()) return false
    }
    const columnInfo = columns.flatMap(({ name, title, plan, otherName }, index): ColumnInfo[] => [
      {
        name,
        ...(toName(title, '') !== name && title !== '' && { title: title.slice(0, 80) }),
        type: plan.type,
        ...(plan.unit !== '' && { unit: plan.unit.slice(0, 10) }),
        empty: empty[index] ?? 0,
        ...(plan.note !== '' && { note: plan.note.slice(0, 120) }),
      },
      ...(otherName === undefined
        ? []
        : [
            {
              name: otherName,
              type: 'text' as const,
              empty: rows - plan.others,
              note: `what is no ${plan.type} in ${name}`.slice(0, 120),
            },
          ]),
    ])
    this.#describe(table, columnInfo)
    const cut = titles.length > maxColumns ? `the first ${maxColumns} of ${titles.length} columns` : ''
    const leftOut = [
      ...(total
        ? [
            `row ${total.number}, the sum of the others${findLabel(total) === '' ? '' : `: ${quoteLabel(total)}`}`,
          ]
        : []),
      ...(found.notes ? [describeNotes(found.notes)] : []),
    ].join('; ')
    const notes = [note, cut].filter((one) => one !== '').join('; ')
    this.info.push({
      name: sheet.name === '' ? '' : toName(sheet.name, ''),
      ...(sheet.name !== '' && { sheet: sheet.name.slice(0, 100) }),
      ...(sheet.isHidden && { isHidden: true }),
      range: formatRange(found),
      rows,
      ...(leftOut !== '' && { leftOut: leftOut.slice(0, 160) }),
      ...(notes !== '' && { note: notes.slice(0, 160) }),
      columns: columnInfo,
      columnCount: columnInfo.length,
      sample,
    })
    return true
  }

  #describe(table: number, columns: readonly ColumnInfo[]): void {
    const insert = this.#database.prepare('INSERT INTO all_columns VALUES (?, ?, ?, ?, ?, ?, ?)')
    for (const { name, title = name, type, unit = null, empty, note = null } of columns)
      insert.run(table, name, title, type, unit, empty, note)
  }
}

const describeNotes = ({ from, to, text }: NonNullable<FoundTable['notes']>) =>
  `${from === to ? `row ${from}, a note` : `rows ${from} to ${to}, notes`}: “${text}”`

/** Names and types of the columns of a table. */
export function planColumns(
  { titles, firstColumn }: FoundTable,
  readers: readonly ColumnReader[],
  habits: FileHabits,
): PlannedColumn[] {
  const taken = new Set<string>()
  const named = readers.map((reader, index) => {
    const title = titles[index] ?? ''
    const fallback = `column_${columnLetters(firstColumn + index).toLowerCase()}`
    return { title, name: makeUnique(toName(title, fallback), taken), plan: reader.plan(title, habits) }
  })
  return named.map((column) => ({
    ...column,
    otherName: column.plan.others > 0 ? makeUnique(`${column.name.slice(0, 55)}_text`, taken) : undefined,
  }))
}

function toSample(value: ConvertedCell['value']): string | number | null {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'string') return value
  return value.length > sampleCharacters ? `${value.slice(0, sampleCharacters).toWellFormed()}…` : value
}

/** Tables of one sheet are told apart by their ranges. */
function nameTables(tables: readonly TableInfo[]): TableInfo[] {
  const taken = new Set<string>()
  return tables.map((table) => {
    const isOnly = tables.filter(({ sheet }) => sheet === table.sheet).length === 1
    const range = table.range.toLowerCase().replace(':', '_')
    if (isOnly && table.name === '') return table
    const name = isOnly
      ? table.name
      : [table.name.replace(/_$/, ''), range].filter((part) => part !== '').join('_')
    return { ...table, name: makeUnique(name.slice(0, 60), taken) }
  })
}

/** Leaves out samples, then columns, until the rest has room in the row of a file. */
function limitInfo(tables: readonly TableInfo[]): StoredTables {
  let left =
    maxInfoCharacters - JSON.stringify(tables.map((table) => ({ ...table, columns: [], sample: [] }))).length
  return tables.map((table) => {
    const { columns, sample } = table
    const take = (info: TableInfo) => {
      const size = JSON.stringify([info.columns, info.sample]).length
      if (size > left) return undefined
      left -= size
      return info
    }
    const fewer = columns.slice(0, 100)
    return (
      (columns.length <= 100 ? take(table) : undefined) ??
      take({ ...table, columns: fewer, sample: [] }) ??
      take({ ...table, columns: fewer.slice(0, 20), sample: sample.map((row) => row.slice(0, 20)) }) ?? {
        ...table,
        columns: [],
        sample: [],
      }
    )
  })
}
