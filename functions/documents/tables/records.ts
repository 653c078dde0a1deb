import { toPlainNumbers } from '../../platform/exact-json.ts'
import { planColumns, type PlannedColumn, type ReadTable } from './write-database.ts'
import type { Cell } from './cells.ts'
import { ColumnReader, joinHabits, type FileHabits } from './infer.ts'
import type { RecordTable } from './query-contract.ts'

const minRecords = 5
/** The objects that have the most common field. */
const minShare = 0.8
const maxFields = 200
const maxDepth = 3

type Fields = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The longest list of objects in the data of a result; rows with the names of their columns are objects too. */
function findList(data: unknown, depth = 0): readonly Fields[] {
  if (Array.isArray(data)) return data.every(isObject) ? data : readRows(data, [])
  if (!isObject(data) || depth === maxDepth) return []
  const values = Object.values(data)
  return values
    .map((value) =>
      Array.isArray(value) && value.every(Array.isArray)
        ? readRows(value, values)
        : findList(value, depth + 1),
    )
    .reduce((longest, list) => (list.length > longest.length ? list : longest), [])
}

/** The name of a column; some tools describe each by an object. */
function readTitle(column: unknown): string {
  if (typeof column === 'string') return column.trim()
  if (!isObject(column)) return ''
  const name = ['name', 'title', 'label', 'displayName', 'header', 'field', 'key', 'id']
    .map((key) => column[key])
    .find((value) => typeof value === 'string')
  return typeof name === 'string' ? name.trim() : ''
}

/** @returns undefined unless each has a name */
function readTitles(columns: unknown): string[] | undefined {
  if (!Array.isArray(columns) || columns.length === 0) return undefined
  const titles = columns.slice(0, maxFields).map(readTitle)
  return titles.includes('') ? undefined : titles
}

/** Rows that are lists as objects. @param beside what stands around them; a list of names in it is that of their columns, else the first row is */
function readRows(rows: readonly unknown[], beside: readonly unknown[]): Fields[] {
  const lists = rows.filter(Array.isArray) as unknown[][]
  if (lists.length < rows.length || lists.length < minRecords) return []
  const width = Math.min(maxFields, Math.max(...lists.map((row) => row.length)))
  const named = beside.map(readTitles).find((titles) => titles !== undefined && titles.length >= width)
  const titles = named ?? (lists[0]?.length === width ? readTitles(lists[0]) : undefined)
  if (!titles) return []
  const taken = new Map<string, number>()
  const unique = titles.map((title) => {
    const count = (taken.get(title) ?? 0) + 1
    taken.set(title, count)
    return count === 1 ? title : `${title} ${count}`
  })
  return lists
    .slice(named ? 0 : 1)
    .map((row) => Object.fromEntries(unique.map((title, column) => [title, row[column] ?? null])))
}

/** The fields of an object by their paths; those of objects within it each have their own. Lists are JSON, which SQLite reads. */
function* listFields(
  record: Fields,
  path = '',
  depth = 0,
): Generator<[title: string, value: RecordTable['rows'][0][0]]> {
  for (const [name, value] of Object.entries(record)) {
    const words = name.replaceAll(/([\p{Ll}\d])(?=\p{Lu})/gu, '$1 ')
    const title = path === '' ? words : `${path} ${words}`
    if (isObject(value) && depth + 1 < maxDepth) yield* listFields(value, title, depth + 1)
    else if (typeof value === 'string') yield [title, value]
    else if (typeof value === 'number' || typeof value === 'boolean') yield [title, value]
    else yield [title, value === null || value === undefined ? null : JSON.stringify(value)]
  }
}

/** The longest list of objects in a tool's result, if most of them have fields in common. */
export function toRecordTable(data: unknown): RecordTable | undefined {
  const list = findList(toPlainNumbers(data))
  if (list.length < minRecords) return undefined
  const counts = new Map<string, number>()
  const records = list.map((record) => new Map(listFields(record)))
  for (const record of records)
    for (const title of record.keys()) counts.set(title, (counts.get(title) ?? 0) + 1)
  if (Math.max(0, ...counts.values()) < list.length * minShare) return undefined
  const titles = [...counts.keys()].slice(0, maxFields)
  return { titles, rows: records.map((record) => titles.map((title) => record.get(title) ?? null)) }
}

export function readRecords({ titles, rows }: RecordTable): { table: ReadTable; habits: FileHabits } {
  const sheetRows = rows.map((row, index) => ({
    number: index + 1,
    cells: row.map((value): Cell => value ?? undefined),
  }))
  const readers = titles.map((_, column) => {
    const reader = new ColumnReader()
    for (const { cells } of sheetRows) reader.add(cells[column])
    return reader
  })
  const found = {
    sheet: { name: '', rows: sheetRows },
    firstColumn: 0,
    lastColumn: titles.length - 1,
    firstRow: 1,
    firstDataRow: 1,
    lastRow: rows.length,
    titles,
    hasValues: true,
  }
  const table = { found, readers, rows: rows.length }
  return {
    table,
    habits: joinHabits(
      readers.map((reader) => reader.habits),
      undefined,
    ),
  }
}

/** Names and types of a table's columns, as `writeRecords` writes them. */
export function planRecords(records: RecordTable): PlannedColumn[] {
  const { table, habits } = readRecords(records)
  return planColumns(table.found, table.readers, habits)
}
