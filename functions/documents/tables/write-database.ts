import { DatabaseSync } from 'node:sqlite'
import { isTimeOver } from '../extracted-text.ts'
import { columnLetters, type SheetRow } from './cells.ts'
import { formatRange, listRows, type FoundTable } from './find.ts'
import { ColumnReader, type ColumnPlan, type FileHabits } from './infer.ts'
import { convertCell, toText, type ConvertedCell } from './convert-cell.ts'
import { isValue } from './read-cell.ts'
import { makeUnique, toName } from './name.ts'
import { isTotalLabel, TotalFinder, type SummableRow } from './total-rows.ts'
import type { ColumnInfo, TableInfo } from '../../files/stored-tables.ts'

/** Wider tables have the first of their columns. */
export const maxColumns = 900
/** A database has no more; queries unpack several of them. */
export const maxDatabaseBytes = 160 * 1024 * 1024
export const pageBytes = 4_096

export interface ReadTable {
  found: FoundTable
  readers: ColumnReader[]
  rows: number
  /** rows that are called totals; absent for a list in which none is looked for */
  labelled?: readonly SheetRow[]
  summaries?: ReadonlySet<number>
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
      'CREATE TABLE all_columns ("table" INTEGER, name TEXT, title TEXT, type TEXT, unit TEXT, empty INTEGER, note TEXT); CREATE TABLE totals ("table" INTEGER, name TEXT)',
    )
  }

  /** @returns false if the time is over */
  add({ found, readers, labelled, summaries, habits }: ReadTable & { habits: FileHabits }): boolean {
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
    const summed = columns.flatMap(({ plan }, index) => (isSummed(plan) ? index : [])).slice(0, maxSummed)
    const finder = new TotalFinder(summed.length)
    const places = columns.map(
      (_, index) => index + columns.slice(0, index).filter(({ otherName }) => otherName).length,
    )
    const numbers: number[] = []
    for (const { number, cells } of listRows(found)) {
      const values: ConvertedCell['value'][] = []
      for (const [index, { plan, otherName }] of columns.entries()) {
        const { value, other } = convertCell(cells[index], plan)
        if (value === null) empty[index] = (empty[index] ?? 0) + 1
        values.push(value)
        if (otherName !== undefined) values.push(other ?? null)
      }
      insert.run(...values)
      if (sample.length < sampleRows) sample.push(values.map(toSample))
      numbers.push(number)
      if (labelled) {
        const row = toSummable(
          cells,
          summed,
          summed.map((column) => values[places[column] ?? 0]),
        )
        finder.add(row, summaries?.has(number))
      }
      if (numbers.length % 10_000 === 0 && isTimeOver()) return false
    }
    finder.end()
    const { totals } = finder
    const totalName = totals.size > 0 ? this.#markTotals(table, columns, totals) : undefined
    for (const [index, { name }] of totalName === undefined ? [] : columns.entries())
      empty[index] = this.#count(`"${name}" IS NULL AND "${totalName}" = 0`, table)
    const rows = numbers.length - totals.size
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
    if (totalName !== undefined)
      columnInfo.push({ name: totalName, type: 'boolean', empty: 0, note: 'rows that sum up others' })
    this.#describe(table, columnInfo)
    const totalNumbers = new Set([...totals].map((at) => numbers[at - 1]))
    const listed = (labelled ?? []).filter(({ number }) => !totalNumbers.has(number))
    // where most rows are called so, it is a name
    const doubtful = listed.length <= numbers.length / 2 ? listed : []
    const cut = titles.length > maxColumns ? `the first ${maxColumns} of ${titles.length} columns` : ''
    const leftOut = [
      ...(totalName === undefined ? [] : [this.#describeTotals(table, totalName, totals, numbers)]),
      ...(found.notes ? [describeNotes(found.notes)] : []),
    ].join('; ')
    const notes = [describeDoubtful(doubtful), cut].filter((one) => one !== '').join('; ')
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

  /** Adds the column that tells totals from other rows. @returns its name */
  #markTotals(table: number, columns: readonly PlannedColumn[], rows: ReadonlySet<number>): string {
    const taken = new Set(columns.flatMap(({ name, otherName = name }) => [name, otherName]))
    const name = makeUnique('is_total', taken)
    this.#database.exec(`ALTER TABLE t${table} ADD COLUMN "${name}" INTEGER NOT NULL DEFAULT 0`)
    const mark = this.#database.prepare(`UPDATE t${table} SET "${name}" = 1 WHERE rowid = ?`)
    for (const row of rows) mark.run(row)
    this.#database.prepare('INSERT INTO totals VALUES (?, ?)').run(table, name)
    return name
  }

  #count(condition: string, table: number): number {
    const { count } =
      this.#database.prepare(`SELECT count(*) AS count FROM t${table} WHERE ${condition}`).get() ?? {}
    return Number(count)
  }

  #describeTotals(
    table: number,
    name: string,
    totals: ReadonlySet<number>,
    numbers: readonly number[],
  ): string {
    const row = this.#database
      .prepare(`SELECT * FROM t${table} WHERE "${name}" = 1 ORDER BY rowid LIMIT 1`)
      .get()
    const text = Object.values(row ?? {}).find((value) => typeof value === 'string' && value !== '')
    const label = typeof text === 'string' ? `“${text.slice(0, 40)}”` : ''
    const [first = 0] = totals
    const which =
      totals.size > 1
        ? `${totals.size} rows${label && ` such as ${label}`}, which sum up others`
        : `row ${numbers[first - 1]}, which sums up others${label && `: ${label}`}`
    return `${which} (a statement that names ${name} has them)`
  }

  #describe(table: number, columns: readonly ColumnInfo[]): void {
    const insert = this.#database.prepare('INSERT INTO all_columns VALUES (?, ?, ?, ?, ?, ?, ?)')
    for (const { name, title = name, type, unit = null, empty, note = null } of columns)
      insert.run(table, name, title, type, unit, empty, note)
  }
}

const describeDoubtful = ([first, ...others]: readonly SheetRow[]) =>
  first === undefined
    ? ''
    : others.length === 0
      ? `row ${first.number} is called ${quoteLabel(first)}, and is not the sum of others`
      : `${others.length + 1} rows such as ${quoteLabel(first)} are called totals, and are not the sums of others`

const maxSummed = 12
const isSummed = ({ type, isYear, unit }: ColumnPlan) => type === 'number' && !isYear && !/[%‰]/.test(unit)

const labelColumns = 4

/** @param values of the summed columns */
function toSummable(
  cells: SheetRow['cells'],
  summed: readonly number[],
  values: readonly unknown[],
): SummableRow {
  const name = toText(cells[0])
  const code = /^\d[\d.]{0,14}$/.test(name) ? name : ''
  return {
    label: Array.from(cells.slice(0, labelColumns), (cell) => (typeof cell === 'string' ? cell : '')).find(
      isTotalLabel,
    ),
    code,
    isUnnamed: name === '',
    // digits that begin a row may name it
    numbers: values.map((value, at) =>
      typeof value === 'number' && !(summed[at] === 0 && code !== '') ? value : undefined,
    ),
  }
}

const describeNotes = ({ from, to, text }: NonNullable<FoundTable['notes']>) =>
  `${from === to ? `row ${from}, a note` : `rows ${from} to ${to}, notes`}: “${text}”`

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

const quoteLabel = (row: SheetRow) => `“${findLabel(row).slice(0, 40)}”`
