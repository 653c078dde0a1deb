import { type Cell, type Sheet, type SheetRow, type TableArea, columnLetters } from './cells.ts'
import { isValue, readCell } from './read-cell.ts'
import { isYear } from './infer.ts'
import { toText } from './convert-cell.ts'

export interface FoundTable {
  sheet: Sheet
  /** columns from 0, rows from 1 */
  firstColumn: number
  lastColumn: number
  firstRow: number
  firstDataRow: number
  lastRow: number
  titles: string[]
  hasValues: boolean
  /** rows at its end that the file says sum up the others */
  totalRows?: number
  notes?: { from: number; to: number; text: string } | undefined
}

interface Block {
  firstRow: number
  lastRow: number
  rows: number
  filled: number[]
  lastFilled: number[]
  head: SheetRow[]
  /** rows of one cell at its end */
  tail: SheetRow[]
  hasNarrow: boolean
}

/** Titles and header lines are looked for in so many rows. */
const headRows = 12
const maxTitleRows = 6
const maxHeaderRows = 3
/** Data may go on behind so many empty rows. */
const maxGap = 2

const isFilled = (cell: Cell) => cell !== undefined && (typeof cell !== 'string' || cell.trim() !== '')

/**
 * Finds the tables of a sheet: where the file says that they are, else rows between empty rows, divided where columns are empty. A CSV is one
 * table, unless a block of it begins with a header of its own.
 */
export function findTables(sheet: Sheet): FoundTable[] {
  const named = (sheet.areas ?? []).flatMap((area) => readArea(sheet, area) ?? [])
  const isNamed = ({ number }: SheetRow) =>
    named.some(({ firstRow, lastRow }) => number >= firstRow && number <= lastRow)
  const tables = findBlockTables(sheet, isNamed)
  if (named.length === 0) return tables
  // beside tables that are named, a few lines are notes
  const isTable = ({ titles, firstDataRow, lastRow }: FoundTable) =>
    lastRow > firstDataRow + 1 && titles.some((title) => title !== '')
  return [...named, ...tables.filter(isTable)]
}

/** The table of an area. @returns undefined if its first row is no header */
function readArea(sheet: Sheet, area: TableArea): FoundTable | undefined {
  const { firstColumn, lastColumn, firstRow, totalRows } = area
  let header: SheetRow | undefined
  let firstData: SheetRow | undefined
  let lastRow = 0
  for (const { number, cells } of sheet.rows) {
    if (number < firstRow || number > area.lastRow) continue
    const row = { number, cells: cells.slice(firstColumn, lastColumn + 1) }
    if (!row.cells.some(isFilled)) continue
    if (number === firstRow) header = row
    else firstData ??= row
    lastRow = number
  }
  if (!header || !firstData || !isHeader(header, firstData)) return undefined
  return {
    sheet,
    firstColumn,
    lastColumn,
    firstRow,
    firstDataRow: firstData.number,
    lastRow,
    titles: joinTitles([header.cells], lastColumn - firstColumn + 1),
    hasValues: firstData.cells.some(isValue),
    ...(totalRows > 0 && { totalRows }),
  }
}

function findBlockTables(sheet: Sheet, isTaken: (row: SheetRow) => boolean): FoundTable[] {
  const isCsv = sheet.separator !== undefined
  const tables: FoundTable[] = []
  const blocks = findBlocks(sheet, isTaken)
  if (!isCsv) joinHeadersAlone(blocks)
  for (const [index, block] of blocks.entries()) {
    for (const [firstColumn, lastColumn] of isCsv ? [[0, block.filled.length - 1] as const] : divide(block)) {
      const head = block.head
        .map(({ number, cells }) => ({ number, cells: cells.slice(firstColumn, lastColumn + 1) }))
        .filter(({ cells }) => cells.some(isFilled))
      const notes = lastColumn - firstColumn === block.filled.length - 1 ? findNotes(block, isCsv) : undefined
      const lastRow = notes
        ? notes.from - 1
        : // tables beside each other differ in length
          Math.max(...block.lastFilled.slice(firstColumn, lastColumn + 1))
      const before = tables.find(
        (table) =>
          table.lastRow < block.firstRow &&
          firstColumn >= table.firstColumn &&
          lastColumn <= table.lastColumn &&
          (isCsv || block.firstRow - table.lastRow <= maxGap + 1),
      )
      const isSpaced = isCsv && block.rows === 1 && blocks[index - 1]?.rows === 1
      if (
        before &&
        findHeaderLine(head) === 0 &&
        (goesOn(before, head, isCsv) || (isSpaced && before.titles.length === block.filled.length))
      ) {
        before.lastRow = lastRow
        before.notes = notes
        continue
      }
      const header = isCsv ? findHeaderAlone(blocks, index - 1) : undefined
      const table = readHead(sheet, header ? [header, ...head] : head, { firstColumn, lastColumn, lastRow })
      if (table) tables.push({ ...table, notes })
    }
  }
  // lines above the table of a CSV
  const wide = tables.filter(({ titles }) => titles.length > 1)
  return isCsv && wide.length > 0 ? wide : tables
}

/** A row of titles before an empty row belongs to the rows behind it, where it names each of their columns. */
function joinHeadersAlone(blocks: Block[]): void {
  for (let at = blocks.length - 2; at >= 0; at -= 1) {
    const [block, next] = [blocks[at], blocks[at + 1]]
    const [header] = block?.head ?? []
    const isTitled =
      block?.rows === 1 &&
      header !== undefined &&
      next !== undefined &&
      next.firstRow - block.lastRow <= maxGap + 1 &&
      block.filled.filter((count) => count > 0).length > 1 &&
      !beginsWithValues(block) &&
      beginsWithValues(next) &&
      next.filled.every((count, column) => count === 0 || (block.filled[column] ?? 0) > 0)
    if (!isTitled) continue
    const filled = block.filled.map((count, column) => count + (next.filled[column] ?? 0))
    const lastFilled = block.lastFilled.map((row, column) => Math.max(row, next.lastFilled[column] ?? 0))
    blocks.splice(at, 2, {
      ...next,
      firstRow: block.firstRow,
      rows: next.rows + 1,
      filled,
      lastFilled,
      head: [header, ...next.head],
    })
  }
}

const beginsWithValues = ({ head: [first] }: Block) => first?.cells.some(isValue) ?? false

/** The header of a CSV before an empty line: some programs write one behind each row. */
function findHeaderAlone(blocks: readonly Block[], at: number): SheetRow | undefined {
  const [block, next] = [blocks[at], blocks[at + 1]]
  const [row] = block?.head ?? []
  if (!row || !block || !next || block.rows > 1 || block.filled.length < 2 || beginsWithValues(block))
    return undefined
  if (block.filled.length !== next.filled.length) return undefined
  const isHeader = beginsWithValues(next) || (at === 0 && next.rows === 1 && !blocks.some(beginsWithValues))
  return isHeader ? row : undefined
}

function findBlocks({ rows }: Sheet, isTaken: (row: SheetRow) => boolean): Block[] {
  const blocks: Block[] = []
  let block: Block | undefined
  for (const row of rows) {
    if (isTaken(row)) {
      block = undefined
      continue
    }
    let filledCells = 0
    for (let column = 0; column < row.cells.length; column += 1) {
      if (!isFilled(row.cells[column])) continue
      filledCells += 1
      if (!block || block.lastRow < row.number - 1) {
        block = {
          firstRow: row.number,
          lastRow: row.number - 1,
          rows: 0,
          filled: [],
          lastFilled: [],
          head: [],
          tail: [],
          hasNarrow: false,
        }
        blocks.push(block)
      }
      const { filled, lastFilled } = block
      while (filled.length <= column) {
        filled.push(0)
        lastFilled.push(0)
      }
      filled[column] = (filled[column] ?? 0) + 1
      lastFilled[column] = row.number
      if (block.lastRow < row.number) {
        block.lastRow = row.number
        block.rows += 1
        if (block.head.length < headRows) block.head.push(row)
      }
    }
    if (filledCells === 0 || !block) block = undefined
    else if (filledCells === 1 && block.tail.length <= maxNotes) block.tail.push(row)
    else if (filledCells > 1 && block.tail.length > 0) {
      // those above the first row of several cells are its title
      if (block.tail.length < block.rows - 1) block.hasNarrow = true
      block.tail = []
    }
  }
  return blocks
}

const maxNotes = 5

const noteStart =
  /^(?:[*†‡§¹※注]|-{2,}|={2,}|\(?\d+ rows?\b|(?:end of|sources?|quellen?|notes?|hinweise?|anmerkung|stand|generated|exported|erstellt|exportiert|fuente|nota|fonte|remarque)\b|出典|المصدر)/i

/** Lines of one text at the end, where no other row has one cell alone. */
function findNotes({ tail, hasNarrow, rows }: Block, isCsv: boolean): FoundTable['notes'] {
  const [first, last] = [tail[0], tail.at(-1)]
  if (!first || !last || hasNarrow || tail.length > maxNotes || rows - tail.length < 2) return undefined
  const isNote = ({ cells }: SheetRow) => {
    const [cell] = cells
    return isFilled(cell) && !isValue(cell) && ((isCsv && cells.length === 1) || noteStart.test(toText(cell)))
  }
  return tail.every(isNote)
    ? { from: first.number, to: last.number, text: toText(first.cells[0]).slice(0, 80) }
    : undefined
}

/**
 * Columns that are empty in all rows divide a block into tables beside each other. A single column that is filled in all rows, beside others
 * that are, is one of their columns: the empty one is a gap of the layout.
 */
function divide({ filled, rows }: Block): (readonly [first: number, last: number])[] {
  const ranges: [number, number][] = []
  for (const [column, count] of filled.entries()) {
    if (count === 0) continue
    const range = ranges.at(-1)
    if (range?.[1] === column - 1) range[1] = column
    else ranges.push([column, column])
  }
  const isFull = ([first, last]: readonly [number, number]) =>
    filled.slice(first, last + 1).some((count) => count === rows)
  const joined: [number, number][] = []
  for (const range of ranges) {
    const before = joined.at(-1)
    const isSingle = range[0] === range[1] || before?.[0] === before?.[1]
    if (before && rows > 1 && isSingle && isFull(before) && isFull(range)) before[1] = range[1]
    else joined.push(range)
  }
  return joined
}

/** Whether rows behind an empty row belong to the table above: they begin with values, not with a header. */
function goesOn({ titles, hasValues }: FoundTable, [first]: readonly SheetRow[], isCsv: boolean): boolean {
  if (!first) return true
  const filled = first.cells.filter(isFilled)
  if (isCsv && titles.length === 1) return true
  return filled.length > 1 && (filled.some(isValue) || (isCsv && !hasValues))
}

function readHead(
  sheet: Sheet,
  head: readonly SheetRow[],
  { firstColumn, lastColumn, lastRow }: { firstColumn: number; lastColumn: number; lastRow: number },
): FoundTable | undefined {
  const start = lastColumn === firstColumn ? 0 : skipTitles(head) + findHeaderLine(head)
  const rows = head.slice(start)
  const [first] = rows
  if (!first) return undefined
  // lines above the header may be wider
  const width = findHeaderLine(head) > 0 ? countCells(first) : lastColumn - firstColumn + 1
  const lines = countHeaderLines(rows, width)
  const firstData = rows[lines]
  // a header without rows, or notes
  if (!firstData || (width === 1 && sheet.separator === undefined && !firstData.cells.some(isValue)))
    return undefined
  return {
    sheet,
    firstColumn,
    lastColumn: firstColumn + width - 1,
    firstRow: first.number,
    firstDataRow: firstData.number,
    lastRow,
    titles: joinTitles(
      rows.slice(0, lines).map(({ cells }) => cells),
      width,
    ),
    hasValues: firstData.cells.some(isValue),
  }
}

/** Lines of one cell above a table are its title. @returns how many there are */
function skipTitles(head: readonly SheetRow[]): number {
  const wide = head.findIndex(({ cells }) => cells.filter(isFilled).length > 1)
  return wide > maxTitleRows ? 0 : Math.max(0, wide)
}

const countCells = ({ cells }: SheetRow) => cells.findLastIndex(isFilled) + 1

/** How many lines of another width are above the header, such as the settings of an export, besides those of one cell. */
function findHeaderLine(head: readonly SheetRow[]): number {
  const lines = head.slice(skipTitles(head))
  const [first] = lines
  if (!first || isHeader(first, lines[1])) return 0
  const at = lines.findIndex((row, index) => {
    const next = lines[index + 1]
    return (
      index > 0 &&
      next !== undefined &&
      countCells(row) > 1 &&
      countCells(row) === countCells(next) &&
      isHeader(row, next) &&
      next.cells.some(isValue)
    )
  })
  const isAbove = (row: SheetRow) => countCells(row) !== countCells(lines[at] ?? row)
  return at > 0 && at <= maxTitleRows && lines.slice(0, at).every(isAbove) ? at : 0
}

const isPeriod = (cell: Cell) => {
  const reading = readCell(cell)
  return reading.kind === 'date' || (reading.kind === 'number' && isYear(reading.point ?? NaN))
}

/** Numbers from 0 or 1 that count on beside a title, such as weeks, or above rows with names, such as the columns of a plate. */
function isSeries({ cells: [title, ...cells] }: SheetRow, next: SheetRow | undefined): boolean {
  const numbers = cells.map((cell) => readCell(cell)).map((one) => (one.kind === 'number' ? one.point : NaN))
  const [first = NaN] = numbers
  return (
    !isValue(title) &&
    (isFilled(title) || readCell(next?.cells[0]).kind === 'text') &&
    numbers.length > 2 &&
    (first === 0 || first === 1) &&
    numbers.every((value, index) => value === first + index)
  )
}

/** What no title is: an address of a mail or a page, a paragraph, markup. */
const isContent = (cell: Cell) =>
  typeof cell === 'string' &&
  (cell.length > 200 ||
    /^\s*(?:[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{2,63}\s*$|https?:\/\/|<[a-z][^<>]{0,200}>)/i.test(cell))

/** Behind empty cells, groups that are each written over all of their columns, as pandas does in a CSV. */
function isGroupLine(cells: readonly Cell[]): boolean {
  const texts = cells.map(toText)
  const start = texts.findIndex((text) => text !== '')
  return (
    start > 0 &&
    texts
      .slice(start)
      .every((text, at, groups) => text !== '' && (text === groups[at - 1] || text === groups[at + 1]))
  )
}

/** A first row of years or months is a header: beside a title, as in a pivot table, or with holes above a line of titles. */
function isHeader(row: SheetRow, next: SheetRow | undefined): boolean {
  const { cells } = row
  const filled = cells.filter(isFilled)
  const values = filled.filter(isValue)
  if (isSeries(row, next)) return true
  if (values.length === 0) return !filled.some(isContent)
  if (!next) return false
  // texts that all stand above values are titles, and so are the numbers beside them
  const texts = cells.flatMap((cell, column) => (readCell(cell).kind === 'text' ? column : []))
  if (texts.length > 1 && texts.every((column) => isValue(next.cells[column]))) return true
  if (!values.every(isPeriod)) return false
  const isGroup =
    (filled.length < next.cells.filter(isFilled).length || isGroupLine(cells)) && !next.cells.some(isValue)
  const isPivot =
    values.length < filled.length &&
    cells.every((cell, column) => !isValue(cell) || !isPeriod(next.cells[column]))
  return isGroup || isPivot
}

const knownUnits = new Set(
  'EUR USD GBP CHF JPY CNY % € $ £ g kg t mg m km cm mm m² m³ l ml h min s d W kW MW kWh MWh V A °C °F K Pa bar N J kJ Stk Stück pcs pc st'.split(
    ' ',
  ),
)
/** `EUR`, `[kg]` and `(in %)` below a title. */
const isUnit = (cell: Cell) => {
  const text = toText(cell)
  // `km/h`, `kg/m³`
  const parts = text.split('/')
  return /^[[(].{1,20}[\])]$/.test(text) || (parts.length < 3 && parts.every((part) => knownUnits.has(part)))
}

function countHeaderLines(rows: readonly SheetRow[], width: number): number {
  const [first, second] = rows
  if (!first || !isHeader(first, second)) return 0
  const firstValues = rows.findIndex(({ cells }, index) => index > 0 && cells.some(isValue))
  let lines = 1
  while (lines < maxHeaderRows && lines < firstValues) {
    const above = rows[lines - 1]?.cells ?? []
    const line = rows[lines]?.cells ?? []
    const filled = line.filter(isFilled)
    // cells that are merged leave holes
    const hasHoles = above.filter(isFilled).length < width
    const fillsHoles = line.some((cell, column) => isFilled(cell) && !isFilled(above[column]))
    if (!(hasHoles && fillsHoles) && !isGroupLine(above) && !filled.every(isUnit)) break
    lines += 1
  }
  return lines
}

function joinTitles(lines: readonly (readonly Cell[])[], width: number): string[] {
  const last = lines.length - 1
  const columns: string[] = []
  const group = lines.map(() => '')
  for (let column = 0; column < width; column += 1) {
    const parts = lines.map((cells, line) => {
      const text = toText(cells[column])
      const hasOwnBelow = lines.slice(line + 1).some((below) => isFilled(below[column]))
      // the title of a group stands over its first column
      if (text !== '') group[line] = text
      return line < last && text === '' && hasOwnBelow ? (group[line] ?? '') : text
    })
    columns.push([...new Set(parts.filter((part) => part !== ''))].join(' ').replaceAll(/\s+/g, ' '))
  }
  return columns
}

export function* listRows({
  sheet,
  firstColumn,
  lastColumn,
  firstDataRow,
  lastRow,
}: FoundTable): Generator<SheetRow> {
  for (const { number, cells } of sheet.rows) {
    if (number < firstDataRow) continue
    if (number > lastRow) return
    const own =
      firstColumn === 0 && cells.length <= lastColumn + 1 ? cells : cells.slice(firstColumn, lastColumn + 1)
    if (own.some(isFilled)) yield { number, cells: own }
  }
}

export const formatRange = ({ firstColumn, lastColumn, firstRow, lastRow }: Omit<FoundTable, 'sheet'>) =>
  `${columnLetters(firstColumn)}${firstRow}:${columnLetters(lastColumn)}${lastRow}`
