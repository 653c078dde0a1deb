/** Characters of the beginning that tell the separator. */
const sampleCharacters = 65_536
const sampleRows = 50
const separators = [',', ';', '\t', '|'] as const

/** A first line of Excel's that names the separator. */
const separatorLine = /^\ufeff?"?sep=(.)"?(?:\r\n?|\n|$)/i

/** A row, and its place among the rows: from 1, with empty ones. */
export interface CsvRow {
  number: number
  cells: string[]
}

/** Rows of wide tables may lack their last cell, or end with a separator. */
const minWideCells = 4
const isNearly = (width: number, usual: number) =>
  width === usual || (usual >= minWideCells && Math.abs(width - usual) === 1)

/** How a CSV is written. */
export interface CsvForm {
  separator: string
  /** where its rows begin */
  start: number
  /** whether a backslash stands before each quote within quotes, as MySQL and many programs write it */
  hasBackslashes: boolean
  /** the sign around cells, if it is a single quote */
  isSingle?: boolean
}

/** How equal the first rows are, in cells. */
interface Regularity {
  /** of the rows that have the usual width, 0 to 1; 0 if that is one cell */
  share: number
  width: number
  /** cells with a line end, or with a quote that is not closed; a quote that is read wrongly makes them */
  longCells: number
}

function measure(sample: string, form: CsvForm): Regularity {
  const widths = new Map<number, number>()
  let rows = 0
  let longCells = 0
  for (const { cells } of scanCsv(sample, form)) {
    if (rows === sampleRows) break
    rows += 1
    longCells += cells.filter((cell) => cell.includes('\n') || cell.startsWith('"')).length
    widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1)
  }
  const [width = 1] = [...widths].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? []
  const count = [...widths].reduce((sum, [one, rowsOfIt]) => sum + (isNearly(one, width) ? rowsOfIt : 0), 0)
  return { share: width > 1 ? count / rows : 0, width, longCells }
}

/** A comma within prices divides as regularly as a semicolon between cells, so equal rows count more than many cells. */
const score = (regularity: Regularity) =>
  regularity.share === 0 ? 0 : scoreReading(regularity) + Math.min(regularity.width, 50) / 1_000
/** A quote that is read wrongly makes more cells, so their number says nothing about the reading. */
const scoreReading = ({ share, longCells }: Regularity) => share - Math.min(longCells, 50) / 100_000

/** A quoted cell that goes on behind a quote with a backslash. */
const backslashQuote = /(?:^|[,;\t|\r\n])"[^"]*\\"[^",;\t|\r\n]/
/** A separator between single quotes, as databases write it; nothing is between double ones. */
const singleQuoted = /(?:^|[,;\t|\r\n])'[^'\r\n]{0,300}[,;\t|][^'\r\n]{0,300}'(?=[,;\t|\r\n]|$)/
const doubleQuoted = /(?:^|[,;\t|\r\n])"/
const hasDecimalCommasOnly = (sample: string) => !/(?:^|\D),|,(?:\D|$)/.test(sample)

/**
 * How a CSV is written: its separator is what its first line names, else what divides most of the first rows into equally many cells. Few
 * texts have a tab, so it divides cells wherever it is as regular as another sign.
 */
export function detectForm(text: string): CsvForm {
  const named = separatorLine.exec(text.slice(0, 20))
  const start = named ? named[0].length : text.startsWith('\ufeff') ? 1 : 0
  const sample = text.slice(start, start + sampleCharacters)
  const hasBackslashes = backslashQuote.test(sample)
  // where both readings are as regular, a backslash is a letter unless its quote would end a cell too early
  const readings = hasBackslashes ? [true, false] : sample.includes('\\"') ? [false, true] : [false]
  const possible = named?.[1] === undefined ? separators : [named[1]]
  const found = possible.map((separator) =>
    readings
      .map((one) => {
        const form = { separator, start: 0, hasBackslashes: one }
        return { form, regularity: measure(sample, form) }
      })
      .reduce((most, one) => (scoreReading(one.regularity) > scoreReading(most.regularity) ? one : most)),
  )
  const best = found.reduce((most, one) => (score(one.regularity) > score(most.regularity) ? one : most))
  const isAsRegular = (other: (typeof found)[number]) =>
    other.regularity.share > 0 && other.regularity.share >= best.regularity.share - 0.02
  const preferred = found.find(
    (other) =>
      isAsRegular(other) &&
      (other.form.separator === '\t' ||
        (best.form.separator === ',' &&
          /[;|]/.test(other.form.separator) &&
          hasDecimalCommasOnly(sample.slice(0, 2_000)))),
  )
  const { form, regularity } = preferred ?? best
  if (!singleQuoted.test(sample) || doubleQuoted.test(sample)) return { ...form, start }
  const single = { ...form, isSingle: true }
  const { share, longCells } = measure(sample, single)
  return { ...(share > regularity.share && longCells === 0 ? single : form), start }
}

/**
 * Reads the rows of a CSV (RFC 4180) one by one. A quote within a cell is a character; text behind a closing quote belongs to the cell; a quote
 * that is never closed is a character too, so that it does not swallow the rest, and so are quotes around words within a quoted cell. Spaces around the quotes of a cell are no part of it.
 * @param isOpen the text is still being written: a quote that is not closed begins its last cell
 */
export function* scanCsv(text: string, form: CsvForm, isOpen = false): Generator<CsvRow> {
  const { separator, start } = form
  const quote = findQuote(form)
  let at = start
  let number = 1
  const { length } = text
  while (at < length) {
    const cells: string[] = []
    for (;;) {
      let cell = ''
      const isQuoted = text[at] === quote
      const quoted = isQuoted ? readQuoted(text, at, form) : readIndented(text, at, form)
      if (quoted) [cell, at] = quoted
      else if (isQuoted && isOpen) [cell, at] = [text.slice(at + 1).replaceAll(quote + quote, quote), length]
      const from = at
      let code = text.charCodeAt(at)
      const separatorCode = separator.charCodeAt(0)
      while (at < length && code !== separatorCode && code !== lineFeed && code !== carriageReturn) {
        at += 1
        code = text.charCodeAt(at)
      }
      cells.push(from === at ? cell : cell + text.slice(from, at))
      if (at < length && code === separatorCode) at += 1
      else break
    }
    if (text.charCodeAt(at) === carriageReturn && text.charCodeAt(at + 1) === lineFeed) at += 1
    at += 1
    yield { number, cells }
    number += 1
  }
}

const findQuote = ({ isSingle }: Pick<CsvForm, 'isSingle'>) => (isSingle ? "'" : '"')
const backslash = 0x5c
const lineFeed = 0x0a
const carriageReturn = 0x0d

/** A cell of a spreadsheet has no more; a quoted text that is longer has lost its end. */
const maxQuotedCharacters = 1_000_000

/**
 * Whether a quote begins the next cell rather than ends this one: the quote of this one was never closed, and it would swallow rows.
 * @param at of the quote that seems to end a cell
 */
const isNextCell = (text: string, at: number, separator: string) =>
  [separator, '\n', '\r'].includes(text.charAt(at - 1)) &&
  ![separator, '\n', '\r', ''].includes(text.charAt(at + 1))

/** @returns the text of a quoted cell, and where it ends; undefined if its quote is not closed */
function readQuoted(
  text: string,
  at: number,
  { separator, hasBackslashes, isSingle }: Omit<CsvForm, 'start'>,
): [string, number] | undefined {
  const quote = isSingle ? "'" : '"'
  let cell = ''
  let from = at + 1
  for (;;) {
    const end = text.indexOf(quote, from)
    if (end < 0 || end - at > maxQuotedCharacters) return undefined
    cell += text.slice(from, end)
    const isMarked = hasBackslashes && hasOpenBackslash(text, from, end)
    if (!isMarked && text[end + 1] !== quote) {
      const close = hasBackslashes ? undefined : findUnescapedEnd(text, from, { end, at, separator, quote })
      if (close !== undefined)
        return [cell + text.slice(end, close).replaceAll(quote + quote, quote), close + 1]
      if (isNextCell(text, end, separator) && /[\r\n]/.test(cell)) return undefined
      return [hasBackslashes ? cell.replaceAll(/\\(["\\\r\n])/g, '$1') : cell, end + 1]
    }
    cell += quote
    from = isMarked ? end + 1 : end + 2
  }
}

/** A sentence with quotes; a search that goes on would read a long line again and again. */
const maxUnescapedCharacters = 1_000

/**
 * Where a cell ends that has quotes as a text has them, none of which is doubled: behind a space or a bracket, before a word, a quote begins
 * something within the cell, and does not end it. The cell ends on its line, before a separator.
 * @param from where the text before the quote begins
 * @returns the place of its last quote; undefined if the quote at `end` ends the cell
 */
function findUnescapedEnd(
  text: string,
  from: number,
  { end, at, separator, quote }: { end: number; at: number; separator: string; quote: string },
): number | undefined {
  const isBeginning = end === at + 1 || (end > from && /[ \t([{]/.test(text.charAt(end - 1)))
  if (!isBeginning || !/^[\p{L}\p{N}]/u.test(text.slice(end + 1, end + 3))) return undefined
  const last = Math.min(text.length, end + maxUnescapedCharacters)
  for (let index = end + 1; index < last; index += 1) {
    const sign = text[index]
    if (sign === '\n' || sign === '\r') return undefined
    if (sign !== quote) continue
    // it begins the next cell
    if (text[index - 1] === separator) return undefined
    if (['', separator, '\n', '\r'].includes(text.charAt(index + 1))) return index
  }
  return undefined
}

/** Whether an odd number of backslashes stands before the end. */
function hasOpenBackslash(text: string, start: number, end: number): boolean {
  let at = end
  while (at > start && text.charCodeAt(at - 1) === backslash) at -= 1
  return (end - at) % 2 === 1
}

/** A quoted cell between spaces, as people type it: its quotes count only if nothing else is in the cell. */
function readIndented(text: string, at: number, form: CsvForm): [string, number] | undefined {
  const { separator } = form
  const start = skipSpaces(text, at)
  const isQuoted = start > at && text[start] === findQuote(form)
  const quoted = isQuoted ? readQuoted(text, start, { ...form, hasBackslashes: false }) : undefined
  if (!quoted) return undefined
  const end = skipSpaces(text, quoted[1])
  const isOver = end === text.length || text[end] === separator || /[\r\n]/.test(text.charAt(end))
  return isOver ? [quoted[0], end] : undefined
}

function skipSpaces(text: string, at: number): number {
  let end = at
  while (text.charCodeAt(end) === 0x20) end += 1
  return end
}
