// Rows that sum others: subtotals below or above their rows, totals of these, accounts above others. A label, or a code that others begin
// with, makes a row a candidate; only arithmetic makes it a total.

export interface SummableRow {
  label: string | undefined
  /** digits in its first column, such as `4010` */
  code: string
  isUnnamed: boolean
  numbers: readonly (number | undefined)[]
}

interface Sums {
  rows: number
  numbers: number[]
}

interface Candidate {
  id: number
  row: SummableRow
  behind: Sums
}

const maxWaiting = 30
const maxGroups = 1_000

/** Whether a number is a sum as it is written: with two decimals. */
export const isEqualSum = (value: number | undefined, sum: number): boolean =>
  value !== undefined && Math.abs(value - sum) <= Math.max(0.011, Math.abs(sum) * 1e-7)

/** Whether a row has these sums: with a label one of them is enough, such as a total of amounts beside prices. */
function hasSums({ label, numbers }: SummableRow, { rows, numbers: sums }: Sums): boolean {
  let [equal, different, zeros] = [0, 0, 0]
  for (const [column, value] of numbers.entries()) {
    if (value === undefined) continue
    if (!isEqualSum(value, sums[column] ?? 0)) different += 1
    else if (value === 0) zeros += 1
    else equal += 1
  }
  if (label !== undefined) return rows > 0 && (equal > 0 || (different === 0 && zeros > 0))
  return rows > 1 && equal > 0 && different === 0
}

export class TotalFinder {
  readonly totals = new Set<number>()
  readonly #width: number
  #rows = 0
  #unnamed = 0
  #previous: Candidate | undefined
  /** all rows that are no totals, and those since the last total */
  readonly #all: Sums
  #open: Sums
  #groups: Sums[] = []
  /** rows that may sum what is behind them */
  #waiting: Candidate[] = []

  constructor(width: number) {
    this.#width = width
    this.#all = this.#empty()
    this.#open = this.#empty()
  }

  #empty(): Sums {
    return { rows: 0, numbers: Array.from({ length: this.#width }, () => 0) }
  }

  /** @param isKnown it describes the others, whatever its numbers are */
  add(row: SummableRow, isKnown = false): void {
    const { label, code } = row
    const candidate = { id: (this.#rows += 1), row, behind: this.#empty() }
    if (isKnown) {
      this.totals.add(candidate.id)
      return
    }
    const before = this.#previous
    this.#previous = candidate
    const isWithin = (inner: string, outer: string) =>
      outer !== '' && inner.length > outer.length && inner.startsWith(outer)
    if (before && isWithin(code, before.row.code) && !this.totals.has(before.id)) this.#wait(before)
    this.#settle(
      (one) => label !== undefined || (one.row.label === undefined && !isWithin(code, one.row.code)),
    )
    this.#waiting = this.#waiting.filter((one) => one.row.label !== undefined || isWithin(code, one.row.code))
    const isParent = before !== undefined && isWithin(before.row.code, code)
    if ((label !== undefined || isParent) && this.#closes(row)) {
      this.totals.add(candidate.id)
      return
    }
    if (row.isUnnamed) this.#unnamed += 1
    for (const sums of [this.#all, this.#open, ...this.#waiting.map(({ behind }) => behind)])
      addTo(sums, row, 1)
    if (label !== undefined) this.#wait(candidate)
  }

  /** Looks at what only the end tells. */
  end(): void {
    this.#settle(() => true)
    const last = this.#previous
    if (!last || this.totals.has(last.id) || !last.row.isUnnamed || this.#unnamed > 1) return
    addTo(this.#all, last.row, -1)
    if (this.#all.rows > 2 && hasSums(last.row, this.#all)) this.totals.add(last.id)
  }

  #wait(candidate: Candidate): void {
    if (this.#waiting.length < maxWaiting) this.#waiting.push(candidate)
  }

  /** Marks waiting rows that have the sums of what is behind them, the last ones first. */
  #settle(isDue: (candidate: Candidate) => boolean): void {
    for (const one of this.#waiting.toReversed()) {
      if (!isDue(one) || one.behind.rows < 2 || !hasSums(one.row, one.behind)) continue
      this.totals.add(one.id)
      this.#waiting = this.#waiting.filter((other) => other !== one)
      // it was added as if it were none
      addTo(this.#all, one.row, -1)
      addTo(this.#open, one.row, -1)
      for (const other of this.#waiting) if (other.id < one.id) addTo(other.behind, one.row, -1)
    }
  }

  /** Whether a row sums those since the last total, the totals before them too, or all. */
  #closes(row: SummableRow): boolean {
    const sums = { rows: this.#open.rows, numbers: [...this.#open.numbers] }
    for (let at = this.#groups.length; ; at -= 1) {
      if (hasSums(row, sums)) {
        this.#groups.splice(at, Infinity, sums)
        this.#open = this.#empty()
        return true
      }
      const group = this.#groups[at - 1]
      if (!group || this.#groups.length - at >= maxGroups) break
      sums.rows += group.rows
      for (const [column, value] of group.numbers.entries())
        sums.numbers[column] = (sums.numbers[column] ?? 0) + value
    }
    if (!hasSums(row, this.#all)) return false
    this.#groups = [{ rows: this.#all.rows, numbers: [...this.#all.numbers] }]
    this.#open = this.#empty()
    return true
  }
}

function addTo(sums: Sums, { numbers }: SummableRow, sign: 1 | -1): void {
  sums.rows += sign
  for (const [column, value = 0] of numbers.entries())
    sums.numbers[column] = (sums.numbers[column] ?? 0) + sign * value
}

/** Words at the beginning of a total's label, in the languages of the page and others of offices. */
const totalStart =
  /^(?:(?:grand |sub-?|sous-?)?totals?|sums?|summen?|zwischensumme|teilsumme|gesamt(?:summe|betrag|ergebnis)?|insgesamt|somme|total g[ée]n[ée]ral|suma|soma|razem|celkem|összesen|részösszeg|totaal|totale|summa|итого|всего|小計|小计|合計|合计|総計|总计|総合計|소계|합계|총계|المجموع|الإجمالي|الاجمالي)(?:$|[\s:.(])/i
const totalEnd = /\s(?:(?:sub-?)?total|summe|gesamt|ergebnis|suma|összesen|合計|小計)$/i

/** Rows at the end of a table that describe the others, by their titles. */
export const averageLabel =
  /^(?:average|mean|median|avg\.?|durchschnitt|mittelwert|moyenne|m[ée]diane?|m[ée]dia|mediana|promedio|平均|المتوسط)$/i

/** Whether a text calls its row a total: `Total`, `North Total`, `Summe Nord`. */
export const isTotalLabel = (text: string): boolean =>
  text.length <= 60 && (totalStart.test(text.trim()) || totalEnd.test(text.trim()))
