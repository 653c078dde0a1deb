/** The texts of a table's cells, row by row, header first. */
const readCells = (table: HTMLTableElement, read: (cell: Node) => string): string[][] =>
  [...table.rows].map((row) => [...row.cells].map((cell) => read(cell).trim()))

/** The TeX of a formula, which KaTeX keeps in an annotation. */
const readFormula = (node: Node): string | undefined =>
  node instanceof Element && node.classList.contains('katex')
    ? (node.querySelector('annotation')?.textContent ?? undefined)
    : undefined

const isLinkHost = (node: Node) => node instanceof HTMLElement && node.dataset['linkHost'] !== undefined

/** The text of a node. A line end that follows a `<br>` belongs to it. */
const readText = (node: Node) =>
  (node.nodeValue ?? '').replace(node.previousSibling?.nodeName === 'BR' ? /^\n/ : '', '')

function readPlain(node: Node): string {
  if (isLinkHost(node)) return ''
  if (node.nodeName === 'BR') return '\n'
  if (node.nodeType === Node.TEXT_NODE) return readText(node)
  return readFormula(node) ?? [...node.childNodes].map(readPlain).join('')
}

const emphasisMarkers: Readonly<Record<string, string>> = { STRONG: '**', EM: '*', DEL: '~~' }

function readMarkdown(node: Node): string {
  if (isLinkHost(node)) return ''
  if (node.nodeName === 'BR') return '<br>'
  if (node.nodeName === 'CODE') return `\`${(node.textContent ?? '').replaceAll('|', String.raw`\|`)}\``
  if (node.nodeType === Node.TEXT_NODE) return readText(node).replaceAll(/[\\`*_~[\]|<$]/g, String.raw`\$&`)
  const formula = readFormula(node)
  if (formula !== undefined) return `$${formula.replaceAll('|', String.raw`\|`)}$`
  const text = [...node.childNodes].map(readMarkdown).join('')
  if (node instanceof HTMLAnchorElement) return `[${text}](<${node.href.replaceAll('|', '%7C')}>)`
  const marker = emphasisMarkers[node.nodeName] ?? ''
  return text === '' ? '' : marker + text + marker
}

/** Spreadsheets run cells that begin like this as formulas, unless they are numbers. */
const formulaStart = /^[=+\-@\t\r]/
const numberPattern = /^[+-]?(?:\d[\d.,]*|[.,]\d+)\s?%?$/

/** Quotes a cell by RFC 4180. An apostrophe stops spreadsheets from running it as a formula, as OWASP advises. */
function quoteCell(text: string): string {
  const cell = formulaStart.test(text) && !numberPattern.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** Formats a table as CSV by RFC 4180: lines end with CRLF. */
export const formatTableAsCsv = (table: HTMLTableElement): string =>
  readCells(table, readPlain)
    .map((row) => `${row.map(quoteCell).join(',')}\r\n`)
    .join('')

const delimiters: Readonly<Record<string, string>> = { left: ':--', right: '--:', center: ':-:' }

/** Formats a table as GitHub's markdown. */
export function formatTableAsMarkdown(table: HTMLTableElement): string {
  const [head = [], ...rows] = readCells(table, readMarkdown)
  const delimiterRow = [...(table.rows[0]?.cells ?? [])].map((cell) => delimiters[cell.align] ?? '---')
  return [head, delimiterRow, ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('')
}
