import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync } from 'node:zlib'
import { isTimeOver } from '../extracted-text.ts'
import type { Sheet, SheetRow } from './cells.ts'
import { findTables, listRows, type FoundTable } from './find.ts'
import { ColumnReader, joinHabits, type FileHabits } from './infer.ts'
import { toText } from './convert-cell.ts'
import { isValue } from './read-cell.ts'
import { makeUnique } from './name.ts'
import { maxInfoCharacters, maxTables, type StoredTables, type TableInfo } from '../../files/stored-tables.ts'
import {
  DatabaseWriter,
  findLabel,
  quoteLabel,
  type ReadTable,
  maxColumns,
  maxDatabaseBytes,
  pageBytes,
} from './write-database.ts'

/** The tables of a document as a database. */
export interface BuiltTables {
  /** an SQLite file, compressed by zstd: tables `t1`, `t2`, and `all_columns` */
  bytes: Uint8Array<ArrayBuffer>
  info: StoredTables
}

const compression = 3

/** Last rows that say what they are, in the languages of the page. */
const totalLabel =
  /^(?:(?:grand |sub)?totals?|sums?|summen?|gesamt(?:summe|betrag|ergebnis)?|insgesamt|somme|total g[ée]n[ée]ral|suma|soma|合計|総計|総合計|المجموع|الإجمالي|الاجمالي)(?:$|[\s:.(])/i

/** Rows at the end of a table that describe the others, by their titles. */
const averageLabel =
  /^(?:average|mean|median|avg\.?|durchschnitt|mittelwert|moyenne|m[ée]diane?|m[ée]dia|mediana|promedio|平均|المتوسط)$/i

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
  let first: SheetRow | undefined
  const ends: SheetRow[] = []
  const subtotals: SheetRow[] = []
  const add = (row: SheetRow) => {
    const { cells } = row
    rows += 1
    for (const [column, reader] of readers.entries()) reader.add(cells[column])
    if (isSubtotal(row, width)) subtotals.push(row)
    else ends.push(row)
    if (ends.length > lastRows) ends.shift()
  }
  for (const row of listRows(found)) {
    first ??= row
    if (last) add(last)
    last = row
  }
  if (!last) return { found, readers, rows, total: undefined, note: '' }
  const isTotal = judgeTotal(last, readers, rows)
  if (isTotal !== true) add(last)
  // `add` has passed it to the readers
  const sums = first && first !== last && isSumOfOthers(first, readers, rows) ? [first] : []
  const isEnd = (row: SheetRow) =>
    row !== first && (averageLabel.test(findLabel(row)) || (row !== last && totalLabel.test(findLabel(row))))
  // the first row may also be a subtotal
  const summaries = new Set([...sums, ...subtotals, ...(rows > 2 ? ends.filter(isEnd) : [])])
  // alone it is no total: its sum is wrong
  if (isTotal === 'unclear' && summaries.size === 1) summaries.delete(last)
  const hint = describeSummaries([...summaries])
  if (isTotal === true) return { found, readers, rows, total: last, note: hint }
  const note =
    isTotal === 'unclear' ? `row ${last.number} is called ${quoteLabel(last)}, and is not their sum` : ''
  return { found, readers, rows, total: undefined, note: [note, hint].filter((one) => one !== '').join('; ') }
}

/** So many rows at the end may describe the others. */
const lastRows = 3

function describeSummaries(rows: readonly SheetRow[]): string {
  const [first] = rows
  if (!first) return ''
  return rows.length === 1
    ? `1 row such as ${quoteLabel(first)} is a total or an average of others: leave it out of sums`
    : `${rows.length} rows such as ${quoteLabel(first)} are totals or averages of others: leave them out of sums`
}

/** Whether a row that is called a total is the sum of the rows behind it. @param rows how many there are with it */
function isSumOfOthers(row: SheetRow, readers: readonly ColumnReader[], rows: number): boolean {
  if (rows < 3 || !totalLabel.test(findLabel(row))) return false
  const sums = readers.map((reader, column) => reader.isSum(row.cells[column], true))
  return sums.includes(true) && !sums.includes(false)
}

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
  return texts.length === 0 && rows > 2 && different === 0 && hasAmount
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
