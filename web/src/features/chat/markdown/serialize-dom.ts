import { formatCsv } from '#shared/format-csv.ts'
import { formatTable } from './format-table.ts'
import { inlineElements } from './extensions/inline-tags.ts'
import { toSuperscript } from './superscript.ts'

/**
 * How a text is written: as one reads it, as Markdown that renders to the same text, or as Markdown that a person goes on with: marks that the
 * text itself has are not escaped.
 */
type TextFormat = 'text' | 'markdown' | 'draft'

/** Elements that are no part of the text: buttons, icons, labels, hosts of links. A hidden h2 says who has written a message. */
const excluded = 'button, svg, [data-not-copied], [aria-hidden="true"], .select-none, .sr-only:not(h2)'

const isContent = (node: Node): boolean =>
  node.nodeType === Node.TEXT_NODE ||
  (node instanceof Element && (findFormula(node) === node || !node.matches(excluded)))

const listContent = (parent: Node): Node[] => [...parent.childNodes].filter(isContent)

const isFormula = (node: Node): node is Element =>
  node instanceof Element && (node.classList.contains('katex') || node.classList.contains('katex-display'))

/** Reads a formula as TeX, which KaTeX keeps in an annotation, with delimiters as replies have them. */
function readFormula(formula: Element): string {
  const tex = formula.querySelector('annotation')?.textContent ?? ''
  return formula.classList.contains('katex-display') ? `$$${tex}$$` : `$${tex}$`
}

const blockTags = new Set(
  'ADDRESS,BLOCKQUOTE,DETAILS,DIV,H1,H2,H3,H4,H5,H6,HR,LI,OL,P,PRE,SECTION,SUMMARY,TABLE,TBODY,THEAD,TR,UL'.split(
    ',',
  ),
)
const isBlock = (node: Node) => blockTags.has(node.nodeName)

/** Reads a text node, without a line end that only repeats the `<br>` before it. */
const readTextNode = (node: Node) =>
  (node.nodeValue ?? '').replace(node.previousSibling?.nodeName === 'BR' ? /^\n/ : '', '')

const emphasisMarkers: Readonly<Record<string, string>> = { STRONG: '**', EM: '*', DEL: '~~' }
const inlineElementNames = new Set(inlineElements.map((name) => name.toUpperCase()))

/** Writes the text of an element that Markdown has no notation for. */
function readElement(name: string, text: string, format: TextFormat): string {
  const tag = name.toLowerCase()
  if (format !== 'text') return `<${tag}>${text}</${tag}>`
  if (tag === 'rt') return `(${text})`
  if (tag === 'rp') return ''
  // raised, because 10³ must not become 103
  return (tag === 'sup' ? toSuperscript(text) : undefined) ?? text
}

/** Writes the box of a task as Markdown does. Texts have no other inputs. */
function readCheckbox({ type, checked }: HTMLInputElement): string {
  if (type !== 'checkbox') return ''
  return checked ? '[x] ' : '[ ] '
}

/** Writes inline code between more backticks than it has beside each other. */
function writeInlineCode(code: string): string {
  const mark = '`'.repeat(findLongestRun(code, /`+/g) + 1)
  return mark === '`' ? `\`${code}\`` : `${mark} ${code} ${mark}`
}

const findLongestRun = (text: string, runs: RegExp): number =>
  Array.from(text.matchAll(runs)).reduce((longest, [run]) => Math.max(longest, run.length), 0)

/** Reads a node that is no block, and what is in it. Line ends are those of `<br>`. */
function readInline(node: Node, format: TextFormat): string {
  if (!isContent(node)) return ''
  if (node.nodeName === 'BR') return '\n'
  if (node instanceof HTMLInputElement) return readCheckbox(node)
  if (node.nodeType === Node.TEXT_NODE) {
    const text = readTextNode(node)
    return format !== 'markdown' ? text : text.replaceAll(/[\\`*_~[\]|<$]|&(?=#?\w+;)/g, String.raw`\$&`)
  }
  if (isFormula(node)) return readFormula(node)
  if (format !== 'text' && node.nodeName === 'CODE') return writeInlineCode(node.textContent ?? '')
  const text = [...node.childNodes].map((child) => readInline(child, format)).join('')
  if (text !== '' && inlineElementNames.has(node.nodeName)) return readElement(node.nodeName, text, format)
  if (format === 'text' || text === '') return text
  if (node instanceof HTMLAnchorElement)
    return format === 'draft' ? writeLink(text, node.href) : `[${text}](<${node.href}>)`
  const marker = emphasisMarkers[node.nodeName] ?? ''
  return marker + text + marker
}

/** Writes a link as people do. An address alone is one. */
function writeLink(text: string, href: string): string {
  if (text === href || `${text}/` === href) return text
  return /[\s()<>]/.test(href) ? `[${text}](<${href}>)` : `[${text}](${href})`
}

/** Reads the blocks of an element. Neighbours that are no blocks are one, such as the text of an item before its inner list. */
function readBlocks(parent: Node, format: TextFormat): string[] {
  const blocks: string[] = []
  let inline = ''
  for (const child of listContent(parent)) {
    if (!isBlock(child)) {
      inline += readInline(child, format)
      continue
    }
    blocks.push(inline.trim(), ...readBlock(child as Element, format))
    inline = ''
  }
  return [...blocks, inline.trim()].filter((block) => block !== '')
}

/** Indents all lines but the first, which has the marker of an item. Blank lines stay empty. */
const indent = (text: string, by: string) => text.replaceAll(/\n(?=[^\n])/g, `\n${by}`)

function readBlock(block: Element, format: TextFormat): string[] {
  const level = format === 'draft' && !block.matches('.sr-only') ? getHeadingLevel(block) : 0
  if (level > 0) return [`${'#'.repeat(level)} ${readBlocks(block, format).join(' ')}`]
  switch (block.nodeName) {
    case 'UL':
    case 'OL':
      return [readList(block, format)]
    case 'LI':
      return [readItem(block, '- ', format)]
    case 'BLOCKQUOTE':
      return [prefixLines(readBlocks(block, format).join('\n\n'))]
    case 'PRE':
      return [fenceCode(block.textContent ?? '')]
    case 'TABLE':
      return [
        format === 'draft'
          ? formatTableAsMarkdown(block as HTMLTableElement, format).trimEnd()
          : readRows(block),
      ]
    case 'THEAD':
    case 'TBODY':
    case 'TR':
      return [readRows(block)]
    case 'HR':
      return ['---']
    default:
      return readBlocks(block, format)
  }
}

/**
 * Returns the level of a heading as the model wrote it, which a class tells, because in the page all have the same level. 3 also stands for the
 * lower levels, 0 for no heading.
 */
function getHeadingLevel(block: Element): number {
  if (!/^H[1-6]$/.test(block.nodeName)) return 0
  if (block.classList.contains('is-large')) return 1
  return block.classList.contains('is-medium') ? 2 : 3
}

const prefixLines = (text: string) => text.replaceAll(/^.*$/gm, (line) => `> ${line}`.trimEnd())

/** Writes code in a fence that is longer than any in the code. */
function fenceCode(code: string): string {
  if (code.trim() === '') return ''
  const mark = '`'.repeat(Math.max(2, findLongestRun(code, /`+/g)) + 1)
  return `${mark}\n${code.replace(/\n$/, '')}\n${mark}`
}

function readList(list: Element, format: TextFormat): string {
  const items = listContent(list).filter((item): item is HTMLLIElement => item.nodeName === 'LI')
  const numbers = list instanceof HTMLOListElement ? numberItems(list, items) : []
  return items
    .map((item, index) => readItem(item, list.nodeName === 'OL' ? `${numbers[index]}. ` : '- ', format))
    .filter((item) => item !== '')
    .join('\n')
}

/** Numbers the items of a list, some of which have a `value` of their own. */
export function numberItems(list: HTMLOListElement, items: readonly HTMLLIElement[]): number[] {
  let next = list.start
  return items.map((item) => {
    const number = item.hasAttribute('value') ? item.value : next
    next = number + 1
    return number
  })
}

function readItem(item: Element, marker: string, format: TextFormat): string {
  const isLoose = item.querySelector(':scope > p + p, :scope > pre, :scope > div') !== null
  const text = readBlocks(item, format).join(isLoose ? '\n\n' : '\n')
  return text === '' ? '' : indent(marker + text, ' '.repeat(marker.length))
}

const findRows = (part: Element): HTMLTableRowElement[] =>
  part instanceof HTMLTableRowElement ? [part] : [...part.querySelectorAll('tr')]

/** The rows of a table with tabs between cells, as spreadsheets expect them. */
const readRows = (part: Element): string =>
  findRows(part)
    .map((row) =>
      [...row.cells].map((cell) => readInline(cell, 'text').trim().replaceAll('\n', ' ')).join('\t'),
    )
    .filter((row) => row.trim() !== '')
    .join('\n')

/** Formats a part of the page as text: lists have markers, code has fences, formulas are TeX. */
const formatAsText = (content: Node): string => readBlocks(content, 'text').join('\n\n')

const keptTags = new Set([
  ...'A,BLOCKQUOTE,BR,CODE,DEL,EM,HR,LI,OL,P,PRE,STRONG,TABLE,TBODY,TD,TH,THEAD,TR,UL'.split(','),
  ...inlineElementNames,
])
/** The summary of `<details>`, which becomes a paragraph. */
const isSummary = (node: Node) => node.nodeName === 'SUMMARY'

/**
 * Formats a part of the page as HTML for other programs: only the structure, without classes, colours and buttons of this page.
 * Formulas are TeX, because without our style sheet their HTML cannot be read.
 */
export function formatAsHtml(content: Node): string {
  const holder = document.createElement('div')
  holder.append(...listContent(content).flatMap(copyStructure))
  return holder.innerHTML
}

/** Copies a node and what is in it without what other programs do not know. @returns its contents if it is only for the layout */
function copyStructure(node: Node): Node[] {
  if (isFormula(node)) return [document.createTextNode(readFormula(node))]
  if (node instanceof HTMLInputElement) return [document.createTextNode(node.checked ? '☑ ' : '☐ ')]
  if (node.nodeType === Node.TEXT_NODE) return copyText(node)
  const children = listContent(node).flatMap(copyStructure)
  const level = node instanceof Element ? getHeadingLevel(node) : 0
  const isWrapped = keptTags.has(node.nodeName) || level > 0
  const isText = isSummary(node) || (node.nodeName === 'DIV' && !listContent(node).some(isBlock))
  if (!isWrapped && !isText) return children
  const copy = document.createElement(level > 0 ? `h${level}` : isWrapped ? node.nodeName : 'p')
  if (node instanceof HTMLAnchorElement) copy.setAttribute('href', node.href)
  if (node instanceof HTMLOListElement && node.start !== 1) copy.setAttribute('start', String(node.start))
  if (node instanceof HTMLLIElement && node.hasAttribute('value'))
    copy.setAttribute('value', String(node.value))
  if (node instanceof HTMLTableCellElement && node.align) copy.style.textAlign = node.align
  if (node instanceof HTMLElement && node.dir === 'rtl') copy.dir = 'rtl'
  copy.append(...children)
  return copy.childNodes.length > 0 || ['BR', 'HR', 'TD', 'TH'].includes(copy.nodeName) ? [copy] : []
}

/** Copies a text. Line ends become `<br>`, because messages of users show them; in code they stay line ends. */
function copyText(node: Node): Node[] {
  if (node.parentElement?.closest('pre')) return [node.cloneNode()]
  return readTextNode(node)
    .split('\n')
    .flatMap((line, index) => [
      ...(index > 0 ? [document.createElement('br')] : []),
      ...(line === '' ? [] : [document.createTextNode(line)]),
    ])
}

/** Elements whose parts mean nothing without them, such as an item without its list. */
const requiredParents = new Set('OL,UL,TABLE,THEAD,TBODY,TR'.split(','))

/** Copies what a range selects. Formulas are copied whole, items of a list with their list, and rows and cells with their table. */
function copyRange(range: Range): Node {
  const whole = range.cloneRange()
  const start = findFormula(range.startContainer)
  const end = findFormula(range.endContainer)
  if (start) whole.setStartBefore(start)
  if (end) whole.setEndAfter(end)
  const copied = whole.cloneContents()
  for (
    let parent: Node | null = whole.commonAncestorContainer;
    parent instanceof Element && requiredParents.has(parent.nodeName);
    parent = parent.parentNode
  ) {
    const copy = parent.cloneNode() as Element
    if (copy instanceof HTMLOListElement && parent instanceof HTMLOListElement)
      copy.start = findFirstNumber(parent, whole)
    copy.append(copied)
    copied.append(copy)
  }
  return copied
}

function findFirstNumber(list: HTMLOListElement, range: Range): number {
  const items = [...list.querySelectorAll<HTMLLIElement>(':scope > li')]
  return numberItems(list, items)[countItemsBefore(list, range)] ?? list.start
}

/** Counts the items of a list that end before a range begins, in the list or in one of its items. */
function countItemsBefore(list: Element, { startContainer, startOffset }: Range): number {
  const before = [...list.childNodes]
  const end =
    startContainer === list ? startOffset : before.findIndex((child) => child.contains(startContainer))
  return before.slice(0, end).filter((child) => child.nodeName === 'LI').length
}

function findFormula(node: Node): Element | null {
  const formula = (node instanceof Element ? node : node.parentElement)?.closest('.katex')
  return formula?.closest('.katex-display') ?? formula ?? null
}

const isInCode = ({ commonAncestorContainer: node }: Range) =>
  Boolean((node instanceof Element ? node : node.parentElement)?.closest('pre, code'))

/** Reads the text that a range selects. A selection inside code is read as it is, without a fence. */
export const readRangeAsText = (range: Range): string =>
  isInCode(range) ? range.toString() : formatAsText(copyRange(range))

/** Reads what a range selects as Markdown, for a text that goes on with it. */
export const readRangeAsMarkdown = (range: Range): string =>
  isInCode(range) ? range.toString() : readBlocks(copyRange(range), 'draft').join('\n\n')

/** Reads what a range selects as HTML for other programs. */
export function readRangeAsHtml(range: Range): string {
  const content = copyRange(range)
  if (!isInCode(range)) return formatAsHtml(content)
  const code = document.createElement('pre')
  code.textContent = range.toString()
  return code.outerHTML
}

/** The texts of a table's cells, row by row, header first. */
const readCells = (table: HTMLTableElement, read: (cell: Node) => string): string[][] =>
  [...table.rows].map((row) => [...row.cells].map((cell) => read(cell).trim()))

/** Formats a table as CSV by RFC 4180 (lines end with CRLF), and as HTML, because spreadsheets paste CSV into a single column. */
export function formatTableAsCsv(table: HTMLTableElement): { text: string; html: string } {
  const [head = [], ...rows] = readCells(table, (cell) => readInline(cell, 'text'))
  return { text: formatCsv([head, ...rows]), html: formatTable(head, rows).html }
}

const delimiters: Readonly<Record<string, string>> = { left: ':--', right: '--:', center: ':-:' }

/** Reads a cell as Markdown in one line, with pipes escaped. */
const readMarkdownCell = (cell: Node, format: TextFormat): string =>
  readInline(cell, format)
    .replaceAll('\n', '<br>')
    .replaceAll(/(\\?)\|/g, String.raw`\|`)

export function formatTableAsMarkdown(table: HTMLTableElement, format: TextFormat = 'markdown'): string {
  const [head = [], ...rows] = readCells(table, (cell) => readMarkdownCell(cell, format))
  const delimiterRow = [...(table.rows[0]?.cells ?? [])].map((cell) => delimiters[cell.align] ?? '---')
  return [head, delimiterRow, ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('')
}
