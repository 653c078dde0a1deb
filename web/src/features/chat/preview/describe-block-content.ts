import { truncate } from '#shared/truncate.ts'
import type { PreviewKind } from '../preview-context.ts'
import { findRoot } from '../markdown/preview-kind.ts'
import { readTable } from '../../../lib/browser/read-table.ts'

/** The content of a code block, in parts by which it can be compared with other blocks. */
export interface BlockContent {
  /** its heading or title; empty without one */
  title: string
  /** the words that it shows, in small letters */
  words: ReadonlySet<string>
  /** lines and parts that two artifacts share only if one is made of the other: scripts, geometry, lines of text */
  parts: ReadonlySet<string>
  /** its structure without its words, which a translation does not change */
  structure: readonly string[]
}

const maxTitleCharacters = 200
/** Shorter lines, such as a bracket, are in every script, and short rows in many tables. */
const minLineCharacters = 8
/** Shorter lines of a text may be in others by chance. */
const minTextCharacters = 16

const toTitle = (text: string | null | undefined) =>
  truncate((text ?? '').replaceAll(/\s+/g, ' ').trim(), maxTitleCharacters).trim()

/** Lists the words of a text. Single letters are none: they are names of variables or parts of abbreviations. */
const toWords = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{M}]{2,}/gu))

/** Empties the texts in quotes, which a translation changes. */
const emptyQuotes = (code: string) =>
  code.replaceAll(/"[^"\n]{0,500}"|'[^'\n]{0,500}'|`[^`\n]{0,500}`/g, '""')

/** Attributes that have words or styles, and so are no structure. */
const ignoredAttributes = new Set(
  'alt title placeholder aria-label label value content lang style fill stroke opacity color class stroke-width'.split(
    ' ',
  ),
)

/** Lists the lines of a script by which it can be recognised. */
const listCodeLines = (code: string) =>
  emptyQuotes(code)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length >= minLineCharacters)

/** Describes an element by its name and attributes. @returns `isSpecific`: whether it has geometry or an event handler, as few elements have by chance */
function describeElement(element: Element): { text: string; isSpecific: boolean } {
  const attributes = [...element.attributes].filter(({ name }) => !ignoredAttributes.has(name))
  const details = attributes.map(
    ({ name, value }) => `${name}=${name.startsWith('on') ? emptyQuotes(value) : value}`,
  )
  return {
    text: [element.localName, ...details].join(' '),
    isSpecific:
      attributes.some(({ name }) => name === 'd' || name.startsWith('on')) ||
      attributes.filter(({ value }) => /\d/.test(value)).length > 1,
  }
}

function describeMarkup(code: string): BlockContent {
  // an inert document: nothing in it runs or loads
  const page = new DOMParser().parseFromString(code, 'text/html')
  const heading = page.querySelector('h1, h2')?.textContent ?? page.querySelector('title')?.textContent
  const parts: string[] = []
  const structure: string[] = []
  for (const element of page.body.querySelectorAll('*')) {
    if (element.localName === 'style') continue
    const { text, isSpecific } = describeElement(element)
    structure.push(text)
    if (isSpecific) parts.push(text)
  }
  for (const script of page.querySelectorAll('script')) parts.push(...listCodeLines(script.textContent ?? ''))
  for (const element of page.querySelectorAll('script, style')) element.remove()
  const texts = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT)
  const visibleTexts: string[] = []
  while (texts.nextNode()) visibleTexts.push(texts.currentNode.nodeValue ?? '')
  return { title: toTitle(heading), words: toWords(visibleTexts.join(' ')), parts: new Set(parts), structure }
}

/** Lines of a diagram that say nothing about its subject. */
const diagramSyntax =
  /^\s*(?:%%|(?:flowchart|graph|subgraph|end|style|classDef|class|linkStyle|direction|section|participant)\b)/

/** The title of a diagram, in any of the ways in which Mermaid writes it. */
const diagramTitle = /^(?:pie\s{1,9}(?:showData\s{1,9})?)?(?:accTitle\s{0,9}:|title\b:?)\s{0,9}(\S.{0,199})/

/** Removes the labels from a line of a diagram: in brackets, in quotes, between pipes and after colons. */
function removeLabels(line: string): string {
  const [head = '', ...label] = emptyQuotes(line).split(':')
  const structure = head
    .replaceAll(/[[({|>]{1,3}[^[\](){}|]{1,200}[\])}|]{1,3}/g, '[]')
    .replaceAll(/\s+/g, '')
  return label.length === 0 ? structure : `${structure}[]`
}

function describeDiagram(code: string): BlockContent {
  const lines = code.split('\n').flatMap((line) => line.trim() || [])
  const contentLines = lines.filter((line) => !diagramSyntax.test(line))
  const title = lines.map((line) => diagramTitle.exec(line)?.[1]).find((one) => one !== undefined)
  return {
    title: toTitle(title?.replaceAll(/^["']|["']$/g, '')),
    words: toWords(contentLines.join('\n')),
    parts: new Set(contentLines.filter((line) => /\p{L}{3}/u.test(line))),
    structure: lines.map(removeLabels),
  }
}

function describeTable(code: string): BlockContent {
  const [head = [], ...rows] = readTable(code).rows
  const cells = rows.flat().map((cell) => cell.trim())
  const isNumber = (cell: string) => /\d/.test(cell) && !/\p{L}{2}/u.test(cell)
  return {
    title: toTitle(head.join(' ')),
    words: new Set(cells.filter((cell) => /\p{L}/u.test(cell))),
    parts: new Set(rows.map((row) => row.join('\t')).filter((row) => row.length >= minLineCharacters)),
    structure: cells.filter(isNumber),
  }
}

/** The metadata in YAML at the beginning of a Markdown document. */
export const frontMatter = /^---\n([\s\S]{0,5000}?)\n---(?:\n|$)/

function describeMarkdown(code: string): BlockContent {
  const text = code.replaceAll(/\r\n?/g, '\n')
  const lines = text
    .replace(frontMatter, '')
    .split('\n')
    .map((line) => line.trim())
  const heading = findHeading(lines)
  return {
    title: toTitle(
      heading ?? /^title:\s*["']?(.{1,200}?)["']?$/m.exec(frontMatter.exec(text)?.[0] ?? '')?.[1],
    ),
    words: toWords(text),
    parts: new Set(lines.filter((line) => line.length >= minTextCharacters)),
    // marks at the beginning of lines, and numbers
    structure: lines.flatMap((line) =>
      line === ''
        ? []
        : [(/^(?:#{1,6}|[-*+>|]|\d+\.)?/.exec(line)?.[0] ?? '') + (line.match(/\d+/g) ?? []).join()],
    ),
  }
}

/** Finds the first heading outside of code. */
function findHeading(lines: readonly string[]): string | undefined {
  let isCode = false
  for (const [index, line] of lines.entries()) {
    if (/^(?:```|~~~)/.test(line)) isCode = !isCode
    if (isCode) continue
    const heading =
      /^#{1,6}\s+(.{1,300})$/.exec(line)?.[1] ?? (/^=+$/.test(lines[index + 1] ?? '') ? line : undefined)
    if (heading)
      return heading.replace(/\s#+$/, '').replaceAll(/[*_`]|\[([^\]]{0,200})\]\([^)]{0,500}\)/g, '$1')
  }
  return undefined
}

/** Describes the content of a block, to compare it with other blocks. */
export function describeContent(kind: PreviewKind, code: string): BlockContent {
  switch (kind) {
    case 'csv':
      return describeTable(code)
    case 'markdown':
      return describeMarkdown(code)
    case 'html':
    case 'svg':
      return describeMarkup(code)
    // the lines of JSON are compared like those of a diagram
    case 'vega-lite':
    case 'mermaid':
      return describeDiagram(code)
  }
}

/** Finds the title of a block in its content. @returns undefined if none is found; CSV and charts have none */
export function findTitle(kind: PreviewKind, code: string): string | undefined {
  if (kind === 'csv') return undefined
  if (kind !== 'html' && kind !== 'svg') return describeContent(kind, code).title || undefined
  const page = new DOMParser().parseFromString(code.slice(findRoot(code).start), 'text/html')
  // in a page, only the title of its head: a picture in it may have another one
  const title =
    page.querySelector(kind === 'svg' ? 'svg > title' : 'head > title') ?? page.querySelector('h1')
  // the heading also if the title is empty
  return toTitle(title?.textContent) || toTitle(page.querySelector('h1')?.textContent) || undefined
}
