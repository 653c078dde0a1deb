import { isEqualSum } from './total-rows.ts'
import type { Cell } from './cells.ts'
import { readDate, readNumber } from './read-value.ts'
import { readCell } from './read-cell.ts'

export type ColumnType = 'number' | 'date' | 'boolean' | 'text'

/** What a file's texts say about the way it writes numbers and dates. */
export interface FileHabits {
  decimal: 'point' | 'comma' | undefined
  order: 'dayFirst' | 'monthFirst' | undefined
  isAssumed?: boolean
}

export interface ColumnPlan {
  type: ColumnType
  /** years are integers; other numbers are real, so that a quotient of two is no integer */
  isYear: boolean
  decimal: 'point' | 'comma'
  order: 'dayFirst' | 'monthFirst'
  hasTime: boolean
  isCompact: boolean
  /** of numbers */
  unit: string
  /** cells that are not of the type, and go to a column of their own */
  others: number
  note: string
}

const minTypedShare = 0.9

const minYear = 1_900
const maxYear = 2_100
/** Whether a number may be a year: a whole one from 1900 to 2100. */
export const isYear = (value: number) => Number.isInteger(value) && value >= minYear && value <= maxYear

/** Titles of columns with years, in the languages of the page. */
const yearTitle = /year|jahr|ann[ée]e|\ba[nñ]os?\b|\banos?\b|年|سنة|عام|\bfy\b|\bbj\b|\bgj\b/i

/** Titles of columns with dates, in the languages of the page. */
const dateTitle = /date|datum|\bdata\b|fecha|\bday\b|\btag\b|jour|\bd[ií]a\b|日付|日期|年月日|تاريخ/i

/** Titles of columns in which 1.10 differs from 1.1. */
const versionTitle = /(?:^|[^a-zA-Z]|[a-z](?=V))(?:[vV]ersion|VERSION)(?![a-z])/

/** Titles of columns that name sections, whose 1.10 follows 1.9. */
const sectionTitle =
  /^(?:ids?|no|nr|num|number|nummer|numéro|número|sections?|chapters?|clauses?|articles?|abschnitt|kapitel|ziffer|artikel)\.?$/i

/** The date in a number such as 20260331, as accounting programs write it. */
export function readCompactDate(value: number | undefined): string | undefined {
  if (value === undefined || !Number.isInteger(value) || value < 19_000_101 || value > 21_001_231)
    return undefined
  const digits = String(value)
  return readDate(`${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`)?.dayFirst
}

export class ColumnReader {
  #filled = 0
  #withoutUnit = 0
  empty = 0
  #ids = 0
  #booleans = 0
  #years = 0
  #compactDates = 0
  #clocks = 0
  #durations = 0
  #longestClock = 0
  #shortestClock = 0
  #isShifted = false
  /** the first number whose mark may divide thousands or decimals */
  #undecided = ''
  readonly #units = new Set<string>()
  /** decimals that the texts of numbers have, as long as they may be numbers of sections */
  readonly #places = new Set<number>()
  #endsWithZero = false
  readonly #numbers = { all: 0, point: 0, comma: 0, undecided: 0 }
  readonly #sums = { point: 0, comma: 0 }
  readonly #dates = { all: 0, dayFirst: 0, monthFirst: 0, undecided: 0, withTime: 0 }

  add(cell: Cell): void {
    const reading = readCell(cell)
    if (reading.kind === 'empty') {
      this.empty += 1
      return
    }
    // counts as filled where the column stays a text
    if (reading.kind === 'nothing') return
    this.#filled += 1
    switch (reading.kind) {
      case 'number': {
        const { point, comma, unit } = reading
        this.#numbers.all += 1
        if (typeof cell === 'string' && !Number.isInteger(point)) this.#addPlaces(cell)
        if (readCompactDate(point) !== undefined) this.#compactDates += 1
        if (point === comma) this.#years += isYear(point ?? 0) ? 1 : 0
        else if (point === undefined) this.#numbers.comma += 1
        else if (comma === undefined) this.#numbers.point += 1
        else {
          this.#numbers.undecided += 1
          if (this.#undecided === '' && typeof cell === 'string') this.#undecided = cell.trim()
        }
        if (unit === '') this.#withoutUnit += 1
        else this.#units.add(unit)
        this.#sums.point += point ?? 0
        this.#sums.comma += comma ?? 0
        break
      }
      case 'date': {
        const { dayFirst, monthFirst, time, isShifted } = reading
        if (isShifted) this.#isShifted = true
        this.#dates.all += 1
        if (dayFirst === undefined) this.#dates.monthFirst += 1
        else if (monthFirst === undefined) this.#dates.dayFirst += 1
        else if (dayFirst !== monthFirst) this.#dates.undecided += 1
        // midnight is how a database writes a day
        if (time !== '' && time !== '00:00:00') this.#dates.withTime += 1
        break
      }
      case 'clock':
        this.#clocks += 1
        if (reading.isDuration) this.#durations += 1
        this.#longestClock = Math.max(this.#longestClock, reading.hours)
        this.#shortestClock = Math.min(this.#shortestClock, reading.hours)
        break
      case 'boolean':
        this.#booleans += 1
        break
      case 'id':
        this.#ids += 1
        break
      default:
        break
    }
  }

  #addPlaces(cell: string): void {
    const [, places = ''] = /^\s{0,5}\d{1,3}\.(\d{1,3})\s{0,5}$/.exec(cell) ?? []
    if (places === '') return
    this.#places.add(places.length)
    if (places.endsWith('0')) this.#endsWithZero = true
  }

  /** What the column tells about the file; a dot between the parts of a date is used with the day first alone. */
  get habits(): FileHabits {
    const { point, comma } = this.#numbers
    const { dayFirst, monthFirst } = this.#dates
    return {
      decimal: point > 0 === comma > 0 ? undefined : point > 0 ? 'point' : 'comma',
      order: dayFirst > 0 === monthFirst > 0 ? undefined : dayFirst > 0 ? 'dayFirst' : 'monthFirst',
    }
  }

  /** Whether a number is the sum of those that were added; undefined if it is none, or the column has none. */
  isSum(cell: Cell): boolean | undefined {
    const reading = readCell(cell)
    if (reading.kind !== 'number' || this.#numbers.all === 0) return undefined
    return isEqualSum(reading.point, this.#sums.point) || isEqualSum(reading.comma, this.#sums.comma)
  }

  plan(title: string, file: FileHabits): ColumnPlan {
    const { decimal = file.decimal ?? 'point', order = file.order ?? 'dayFirst' } = this.habits
    const base = {
      decimal,
      order,
      isYear: false,
      hasTime: false,
      isCompact: false,
      unit: '',
      others: 0,
      note: '',
    }
    const asText = (note = ''): ColumnPlan => ({ ...base, type: 'text', note })
    const filled = this.#filled
    if (filled === 0) return asText()
    if (this.#booleans === filled) return { ...base, type: 'boolean' }
    const isTyped = (count: number) => count / filled >= minTypedShare
    if (isTyped(this.#numbers.all + this.#ids) && this.#ids > 0)
      return asText('digits that are names, as they are written')
    if (isTyped(this.#numbers.all)) return this.#planNumbers(title, { base, asText, file })
    if (isTyped(this.#clocks)) {
      const others = filled - this.#clocks
      return this.#durations === 0 && this.#longestClock < 24 && this.#shortestClock >= 0
        ? { ...base, type: 'date', others, note: 'times of a day' }
        : { ...base, type: 'number', unit: 'hours', others }
    }
    if (isTyped(this.#dates.all)) {
      const { dayFirst, monthFirst, undecided, withTime, all } = this.#dates
      if (dayFirst > 0 && monthFirst > 0) return asText('dates with the day first and with the month first')
      if (undecided > 0 && this.habits.order === undefined && file.order === undefined)
        return asText('dates whose day and month cannot be told apart')
      const note = this.#isShifted ? 'times in UTC' : ''
      return { ...base, type: 'date', hasTime: withTime > 0, others: filled - all, note }
    }
    return asText()
  }

  #planNumbers(
    title: string,
    {
      base,
      asText,
      file,
    }: { base: Omit<ColumnPlan, 'type'>; asText: (note: string) => ColumnPlan; file: FileHabits },
  ): ColumnPlan {
    const { all, point, comma, undecided } = this.#numbers
    if (point > 0 && comma > 0) return asText('numbers with decimal points and with decimal commas')
    if (point + comma + undecided > 0 && versionTitle.test(title))
      return asText('versions, as they are written')
    // measures have as many decimals, or no zeros at the end
    if (this.#places.size > 1 && this.#endsWithZero && sectionTitle.test(title.trim()))
      return asText('numbers of sections, as they are written')
    const units = [...this.#units]
    if (units.length > 1) return asText(`several units: ${units.slice(0, 5).join(', ')}`)
    const [unit = ''] = units
    if (unit === '%' && this.#withoutUnit > 0) return asText('some with % and some without')
    const others = this.#filled - all
    if (this.#compactDates === all && others === 0 && dateTitle.test(title))
      return { ...base, type: 'date', isCompact: true }
    const areYears = this.#years === all && others === 0 && yearTitle.test(title)
    const note = unit === '%' || unit === '‰' ? `12.5 ${unit} is ${unit === '%' ? '0.125' : '0.0125'}` : ''
    const isUnclear = file.isAssumed && point + comma === 0 && this.#undecided.includes('.')
    const example = isUnclear ? readNumber(this.#undecided) : undefined
    const assumed =
      typeof example === 'object'
        ? `${this.#undecided} is read as ${example[base.decimal]}: nothing tells the decimal mark`
        : ''
    return { ...base, type: 'number', isYear: areYears, unit, others, note: note || assumed }
  }
}

/** Joins what columns say about their file; where they differ, nothing. */
export function joinHabits(habits: readonly FileHabits[], separator: string | undefined): FileHabits {
  const join = <Value>(values: readonly (Value | undefined)[]): Value | undefined => {
    const found = new Set(values.filter((value) => value !== undefined))
    return found.size === 1 ? [...found][0] : undefined
  }
  const decimals = habits.map(({ decimal }) => decimal)
  // semicolons divide cells where commas are decimal marks
  const usual = separator === ';' && decimals.every((one) => one === undefined) ? 'comma' : undefined
  return {
    decimal: join(decimals) ?? usual,
    order: join(habits.map(({ order }) => order)),
    ...(usual && { isAssumed: true }),
  }
}
