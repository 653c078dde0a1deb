import { DatabaseSync } from 'node:sqlite'
import { isTimeOver } from '../extracted-text.ts'
import { columnLetters, type SheetRow } from './cells.ts'
import { formatRange, listRows, type FoundTable } from './find.ts'
import { ColumnReader, type ColumnPlan, type FileHabits } from './infer.ts'
import { convertCell, toText, type ConvertedCell } from './convert-cell.ts'
import { isValue } from './read-cell.ts'
import { makeUnique, toName } from './name.ts'
import type { ColumnInfo, TableInfo } from '../../files/stored-tables.ts'

/** Wider tables have the first of their columns. */
export const maxColumns = 900
/** A database has no more; queries unpack several of them. */
export const maxDatabaseBytes = 160 * 1024 * 1024
export const pageBytes = 4_096

/** A table whose cells were read once, for their types. */
export interface ReadTable {
  found: FoundTable
  readers: ColumnReader[]
  rows: number
  total: SheetRow | undefined
  note: string
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

export class DatabaseWriter {
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

/** The first text of a row. */
export const findLabel = ({ cells }: SheetRow) =>
  toText(cells.find((cell) => typeof cell === 'string' && cell.trim() !== '' && !isValue(cell)))

/** The beginning of a row's first text, in quotes. */
export const quoteLabel = (row: SheetRow) => `“${findLabel(row).slice(0, 40)}”`
