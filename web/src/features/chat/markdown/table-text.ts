/** What the cells of a table on the page say, row by row, the head first. */
const readCells = (table: HTMLTableElement, read: (cell: Node) => string): string[][] =>
  [...table.rows].map((row) => [...row.cells].map((cell) => read(cell).trim()))

/** A formula's TeX, which KaTeX keeps beside what it draws. */
const readFormula = (node: Node): string | undefined =>
  node instanceof Element && node.classList.contains('katex')
    ? (node.querySelector('annotation')?.textContent ?? undefined)
    : undefined

/** A line end after a line break is the same one. */
const readText = (node: Node) =>
  (node.nodeValue ?? '').replace(node.previousSibling?.nodeName === 'BR' ? /^\n/ : '', '')

function readPlain(node: Node): string {
  if (node.nodeName === 'BR') return '\n'
  if (node.nodeType === Node.TEXT_NODE) return readText(node)
  return readFormula(node) ?? [...node.childNodes].map(readPlain).join('')
}

const emphasisMarkers: Readonly<Record<string, string>> = { STRONG: '**', EM: '*', DEL: '~~' }

function readMarkdown(node: Node): string {
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

/** Spreadsheets run cells that begin like this as formulas; a number is none. */
const formulaStart = /^[=+\-@\t\r]/
const number = /^[+-]?(?:\d[\d.,]*|[.,]\d+)\s?%?$/

/** A cell by RFC 4180. What a spreadsheet would run as a formula is kept text by an apostrophe, as OWASP advises. */
function quoteCell(text: string): string {
  const cell = formulaStart.test(text) && !number.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** A table as CSV by RFC 4180: lines end with CRLF. */
export const formatTableAsCsv = (table: HTMLTableElement): string =>
  readCells(table, readPlain)
    .map((row) => `${row.map(quoteCell).join(',')}\r\n`)
    .join('')

const rules: Readonly<Record<string, string>> = { left: ':--', right: '--:', center: ':-:' }

/** A table as GitHub's markdown. */
export function formatTableAsMarkdown(table: HTMLTableElement): string {
  const [head = [], ...rows] = readCells(table, readMarkdown)
  const rule = [...(table.rows[0]?.cells ?? [])].map((cell) => rules[cell.align] ?? '---')
  return [head, rule, ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('')
}
