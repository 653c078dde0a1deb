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

/** The separator of a CSV: what its first line names, else what divides most of the first rows into equally many cells. */
export function detectSeparator(text: string): { separator: string; start: number } {
  const named = separatorLine.exec(text.slice(0, 20))
  if (named?.[1] !== undefined) return { separator: named[1], start: named[0].length }
  const start = text.startsWith('\ufeff') ? 1 : 0
  const sample = text.slice(start, start + sampleCharacters)
  let best = { separator: ',', score: 0 }
  for (const separator of separators) {
    const widths = new Map<number, number>()
    let rows = 0
    for (const { cells } of scanCsv(sample, separator)) {
      rows += 1
      if (rows > sampleRows) break
      widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1)
    }
    const [width = 1] = [...widths].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? []
    const count = [...widths].reduce((sum, [one, rowsOfIt]) => sum + (isNearly(one, width) ? rowsOfIt : 0), 0)
    // a comma within prices divides as regularly as a semicolon between cells, so equal rows count more than many cells
    const score = width > 1 ? count / Math.min(rows, sampleRows) + Math.min(width, 50) / 1_000 : 0
    if (score > best.score) best = { separator, score }
  }
  return { separator: best.separator, start }
}

/**
 * Reads the rows of a CSV (RFC 4180, and backslashes before quotes) one by one. A quote within a cell is a character; text behind a closing quote belongs to the cell; a quote
 * that is never closed is a character too, so that it does not swallow the rest. Spaces around the quotes of a cell are no part of it.
 * @param start where the rows begin
 * @param isOpen the text is still being written: a quote that is not closed begins its last cell
 */
export function* scanCsv(text: string, separator: string, start = 0, isOpen = false): Generator<CsvRow> {
  let at = start
  let number = 1
  const { length } = text
  while (at < length) {
    const cells: string[] = []
    for (;;) {
      let cell = ''
      const isQuoted = text.charCodeAt(at) === quote
      const quoted = isQuoted ? readQuoted(text, at, separator) : readIndented(text, at, separator)
      if (quoted) [cell, at] = quoted
      else if (isQuoted && isOpen) [cell, at] = [text.slice(at + 1).replaceAll('""', '"'), length]
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

const quote = 0x22
const backslash = 0x5c
const lineFeed = 0x0a
const carriageReturn = 0x0d

/** A cell of a spreadsheet has no more; a quoted text that is longer has lost its end. */
const maxQuotedCharacters = 1_000_000

/** Whether a cell ends before an offset. */
const endsCell = (text: string, at: number, separator: string): boolean =>
  at >= text.length || text[at] === separator || /[\r\n]/.test(text.charAt(at))

function isBehindBackslash(text: string, at: number, from: number): boolean {
  let count = 0
  while (at - count > from && text.charCodeAt(at - count - 1) === backslash) count += 1
  return count % 2 === 1
}

/**
 * MySQL and JSON escape a quote by a backslash. One that no cell could end with says so; from there on, all of the cell's are escaped.
 * @returns the text of a quoted cell, and where it ends; undefined if its quote is not closed
 */
function readQuoted(text: string, at: number, separator: string): [string, number] | undefined {
  let cell = ''
  let from = at + 1
  let isEscaping = false
  for (;;) {
    const end = text.indexOf('"', from)
    if (end < 0 || end - at > maxQuotedCharacters) return undefined
    const isDoubled = text.charCodeAt(end + 1) === quote
    if (isBehindBackslash(text, end, from)) {
      isEscaping ||= isDoubled ? endsCell(text, end + 2, separator) : !endsCell(text, end + 1, separator)
      if (isEscaping) {
        cell += `${text.slice(from, end - 1)}"`
        from = end + 1
        continue
      }
    }
    cell += text.slice(from, end)
    if (!isDoubled) return [cell, end + 1]
    cell += '"'
    from = end + 2
  }
}

/** A quoted cell between spaces, as people type it: its quotes count only if nothing else is in the cell. */
function readIndented(text: string, at: number, separator: string): [string, number] | undefined {
  const start = skipSpaces(text, at)
  const quoted =
    start > at && text.charCodeAt(start) === quote ? readQuoted(text, start, separator) : undefined
  if (!quoted) return undefined
  const end = skipSpaces(text, quoted[1])
  return endsCell(text, end, separator) ? [quoted[0], end] : undefined
}

function skipSpaces(text: string, at: number): number {
  let end = at
  while (text.charCodeAt(end) === 0x20) end += 1
  return end
}
