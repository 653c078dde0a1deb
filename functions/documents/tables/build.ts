import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync } from 'node:zlib'
import { isTimeOver } from '../extracted-text.ts'
import type { Sheet, SheetRow } from './cells.ts'
import { findTables, listRows, type FoundTable } from './find.ts'
import { ColumnReader, joinHabits, type FileHabits } from './infer.ts'
import { makeUnique } from './name.ts'
import { maxInfoCharacters, maxTables, type StoredTables, type TableInfo } from '../../files/stored-tables.ts'
import { averageLabel, isTotalLabel } from './total-rows.ts'
import {
  DatabaseWriter,
  findLabel,
  type ReadTable,
  maxColumns,
  maxDatabaseBytes,
  pageBytes,
} from './write-database.ts'

export interface BuiltTables {
  bytes: Uint8Array<ArrayBuffer>
  info: StoredTables
}

const compression = 3

/** @returns undefined if there is no table; `unbuilt` if they do not fit, or the time is over: sums of a part would be wrong */
export function buildTables(sheets: readonly Sheet[], folder: string): BuiltTables | 'unbuilt' | undefined {
  const found = sheets.flatMap((sheet) => findTables(sheet)).slice(0, maxTables)
  if (found.length === 0) return undefined
  const tables = found.map(readTable).filter(({ rows }) => rows > 0)
  if (tables.length === 0) return undefined
  if (isTimeOver()) return 'unbuilt'
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
    if (!info || statSync(path).size > maxDatabaseBytes) return 'unbuilt'
    const bytes = new Uint8Array(
      zstdCompressSync(readFileSync(path), { params: { [zstdLevel]: compression } }),
    )
    return { bytes, info: limitInfo(nameTables(info)) }
  } finally {
    rmSync(path, { force: true })
  }
}

const zstdLevel = 100

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

function readTable(found: FoundTable): ReadTable {
  const readers = Array.from({ length: Math.min(maxColumns, found.titles.length) }, () => new ColumnReader())
  const labelled: SheetRow[] = []
  const summaries = new Set<number>()
  let rows = 0
  let last: SheetRow | undefined
  let [first, ends]: [SheetRow | undefined, SheetRow[]] = [undefined, []]
  const add = (row: SheetRow) => {
    rows += 1
    for (const [column, reader] of readers.entries()) reader.add(row.cells[column])
    if (isTotalLabel(findLabel(row))) {
      if (labelled.length < maxLabelled) labelled.push(row)
    } else ends = [...ends.slice(1 - lastRows), row]
  }
  const { totalRows = 0, lastRow } = found
  for (const row of listRows(found)) {
    first ??= row
    if (totalRows > 0 && row.number > lastRow - totalRows) {
      rows += 1
      summaries.add(row.number)
      continue
    }
    if (last) add(last)
    last = row
  }
  // the words of a total are no values of its columns
  const isTotal = last && isTotalLabel(findLabel(last)) && rows > 1
  const sums = isTotal ? readers.map((reader, column) => reader.isSum(last?.cells[column])) : []
  if (last && isTotal && (labelled.length > 0 || sums.includes(true) || !sums.includes(false))) {
    rows += 1
    labelled.push(last)
  } else if (last) add(last)
  for (const row of ends)
    if (rows > 2 && row !== first && averageLabel.test(findLabel(row))) summaries.add(row.number)
  return { found, readers, rows, labelled, summaries }
}

const lastRows = 3
const maxLabelled = 1_000

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
