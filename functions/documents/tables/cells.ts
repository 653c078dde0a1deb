import { isLongNumber } from './read-value.ts'

/**
 * A number that its cell shows with a unit: a currency, or what its format adds. In hours: `clock` for a time or a duration, `duration` where
 * the format says that it is no time of a day.
 */
export interface Amount {
  value: number
  unit: string
}

export const isHours = ({ unit }: Amount): boolean => unit === 'clock' || unit === 'duration'

/** Dates are ISO texts; undefined if the cell is empty. */
export type Cell = string | number | boolean | Amount | undefined

export interface SheetRow {
  number: number
  cells: readonly Cell[]
}

export interface Sheet {
  name: string
  isHidden?: boolean
  /** can be iterated more than once */
  rows: Iterable<SheetRow>
  separator?: string
  /** where the file itself says that a table is */
  areas?: TableArea[]
}

/** A table that a workbook names. Columns count from 0, rows from 1; its first row is the header. */
export interface TableArea {
  firstColumn: number
  lastColumn: number
  firstRow: number
  lastRow: number
  /** rows at its end that sum up the others */
  totalRows: number
}

/** @param ref for example `A4:E9`, or `$A$4:$E$9` @returns undefined for one cell, or what is no range */
export function parseArea(ref: string, totalRows = 0): TableArea | undefined {
  const [, from = '', first, to = '', last] =
    /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(ref.replaceAll('$', '')) ?? []
  const area = {
    firstColumn: columnIndex(from),
    lastColumn: columnIndex(to),
    firstRow: Number(first),
    lastRow: Number(last),
    totalRows,
  }
  return area.lastColumn > area.firstColumn && area.lastRow > area.firstRow + 1 ? area : undefined
}

export const maxCells = 12_000_000

const maxFilled = 1_000_000

/** Collects the cells of a workbook. Too many end the collection: sums of a part would be wrong. */
export class SheetCollector {
  readonly sheets: Sheet[] = []
  #rows: SheetRow[] = []
  #cells = 0
  #filled = 0

  get isFull(): boolean {
    return this.#cells > maxCells
  }

  open(name: string, isHidden: boolean): void {
    this.#rows = []
    this.sheets.push({ name, isHidden, rows: this.#rows })
  }

  /** Adds a table that the file names on the sheet that was opened last. One that overlaps another is left out. */
  addArea(area: TableArea | undefined): void {
    const areas = (this.sheets.at(-1) ?? { areas: [] }).areas ?? []
    const overlaps = (other: TableArea) =>
      area !== undefined &&
      other.firstRow <= area.lastRow &&
      other.lastRow >= area.firstRow &&
      other.firstColumn <= area.lastColumn &&
      other.lastColumn >= area.firstColumn
    if (area && !areas.some(overlaps)) Object.assign(this.sheets.at(-1) ?? {}, { areas: [...areas, area] })
  }

  drop(): void {
    this.sheets.pop()
  }

  add(number: number, cells: readonly Cell[], repeat = 1): void {
    if (cells.length === 0) return
    this.#cells += (cells.length + 1) * repeat
    if (this.isFull) return
    for (let count = 0; count < repeat; count += 1) this.#rows.push({ number: number + count, cells })
  }

  /** Gives the text of a merged cell to all of its rows: a group of rows is named once. Numbers would be counted twice. */
  merge(ref: string): void {
    const [, name = '', from, to] = /^([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})$/.exec(ref) ?? []
    const first = Number(from)
    const last = Math.min(Number(to), this.#rows.at(-1)?.number ?? 0)
    if (name === '' || last <= first || this.#filled > maxFilled) return
    const column = columnIndex(name)
    let at = this.#find(first)
    const start = this.#rows[at]
    const value = start?.number === first ? start.cells[column] : undefined
    if (typeof value !== 'string' || value.trim() === '') return
    for (at += 1; at < this.#rows.length; at += 1) {
      const row = this.#rows[at]
      if (!row || row.number > last || this.#filled > maxFilled) return
      if ((row.cells[column] ?? '') !== '') continue
      const cells = Array.from(
        { length: Math.max(row.cells.length, column + 1) },
        (_, index) => row.cells[index],
      )
      cells[column] = value
      this.#rows[at] = { ...row, cells }
      this.#filled += cells.length
    }
  }

  #find(number: number): number {
    let low = 0
    let high = this.#rows.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#rows[middle]?.number ?? 0) < number) low = middle + 1
      else high = middle
    }
    return low
  }

  end(): Sheet[] | undefined {
    return this.isFull ? undefined : this.sheets.filter(({ rows }) => (rows as SheetRow[]).length > 0)
  }
}

const maxUnitCharacters = 8

const toHours = (days: number) => Math.round(days * 86_400_000) / 3_600_000

/** @param shown what its format makes of it; dates in ISO 8601 @param isDuration whether its format counts hours without end */
export function toNumberCell(raw: string, shown: string, isDuration = false): Cell {
  const value = Number(raw)
  if (raw.trim() === '' || !Number.isFinite(value)) return shown === '' ? undefined : shown
  if (isDuration) return { value: toHours(value), unit: 'duration' }
  if (shown === raw) return isLongNumber(raw) ? raw : value
  if (/^\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d)?$/.test(shown)) return shown
  // what the format does not show: the day, or all hours
  const [, day] = / \((\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d)?)\)$/.exec(shown) ?? []
  if (day !== undefined) return day
  if (
    / \(\d{1,7}:\d\d:\d\d\)$/.test(shown) ||
    /^-?\d{1,7}:\d\d(?::\d\d)?(?:[.,]\d{1,3})?(?: ?[AP]M)?(?: \(.{1,20}\))?$/i.test(shown)
  )
    return { value: toHours(value), unit: 'clock' }
  // article numbers and postal codes
  if (/^0\d+$/.test(shown) && /^\d+$/.test(raw)) return shown
  if (isLongNumber(raw)) return raw
  const unit = shown.replaceAll(/[\d.,+()\-\s'’–−]|E[+-]?\d+/g, '')
  return unit === '' ||
    unit === '%' ||
    unit === '/' ||
    unit.length > maxUnitCharacters ||
    !showsValue(shown, value)
    ? value
    : { value, unit }
}

function showsValue(shown: string, value: number): boolean {
  const [digits = ''] = /\d[\d.,'’ \u00a0\u202f]*/.exec(shown) ?? []
  const plain = digits.replaceAll(/[^\d.,]/g, '')
  const readings = [plain.replaceAll(',', ''), plain.replaceAll('.', '').replace(',', '.')]
  const size = Math.abs(value)
  return readings.some((reading) => Math.abs(Number(reading) - size) <= Math.max(0.5, size * 0.01))
}

const letters = 26

const columnIndex = (name: string) =>
  Array.from(name).reduce((sum, letter) => sum * letters + letter.charCodeAt(0) - 64, 0) - 1

export function columnLetters(column: number): string {
  let rest = column + 1
  let name = ''
  while (rest > 0) {
    name = String.fromCodePoint(65 + ((rest - 1) % letters)) + name
    rest = Math.floor((rest - 1) / letters)
  }
  return name
}
