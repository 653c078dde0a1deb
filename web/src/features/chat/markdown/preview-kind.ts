import { maxDiagramCharacters } from '#shared/diagram-frame.ts'
import { isChart } from '../charts/is-chart.ts'
import { getLanguageNames } from './language-names.ts'
import type { PreviewKind } from '../preview-context.ts'

/** The kinds of previews, by the names of languages. */
const kinds = new Map<string, PreviewKind>([
  ['html', 'html'],
  ['html5', 'html'],
  ['htm', 'html'],
  ['xhtml', 'html'],
  ['svg', 'svg'],
  ['mermaid', 'mermaid'],
  ['mmd', 'mermaid'],
  ['vnd.mermaid', 'mermaid'],
  ['csv', 'csv'],
  ['tsv', 'csv'],
  ['tab-separated-values', 'csv'],
  ['markdown', 'markdown'],
  ['md', 'markdown'],
  ['gfm', 'markdown'],
])

/** Names that do not say what the code is, so that its beginning decides. */
const unspecificNames = new Set(['', 'text', 'txt', 'plain', 'plaintext', 'xml', 'code'])

/** The first words of Mermaid diagrams. */
const diagramStart =
  /^(?:(?:flowchart|graph)(?:-elk)?\s+(?:TB|TD|BT|RL|LR)|sequenceDiagram|classDiagram(?:-v2)?|stateDiagram(?:-v2)?|erDiagram|gitGraph|gantt|mindmap|quadrantChart|xychart(?:-beta)?|sankey(?:-beta)?|journey|timeline)\s/

/** Elements of HTML that may be the root of a fragment of a page. */
const fragmentRoots = /^(?:head|body|style|script|main|section|header|nav|article|form|div|table|canvas)$/

/** How many declarations, document types and comments are skipped before the root. */
const maxPrologItems = 20

/** @returns the offset after a mark, -1 if it does not occur */
const findEnd = (code: string, mark: string, from: number): number => {
  const at = code.indexOf(mark, from)
  return at < 0 ? -1 : at + mark.length
}

/** @returns the end of a declaration, comment or document type that begins there, -1 if there is none */
function findPrologEnd(code: string, at: number): number {
  if (code.startsWith('<!--', at)) return findEnd(code, '-->', at + 4)
  if (code.startsWith('<?', at)) return findEnd(code, '?>', at)
  const end = /^<!doctype/i.test(code.slice(at, at + 9)) ? findEnd(code, '>', at) : -1
  const subset = end < 0 ? -1 : code.slice(at, end).indexOf('[')
  // an internal subset has declarations of its own
  const subsetEnd = subset < 0 ? -1 : code.indexOf(']', at + subset)
  return subsetEnd < 0 ? end : code.indexOf('>', subsetEnd) + 1 || code.length
}

/**
 * Finds the root element of XML or HTML, after declarations, comments and blanks.
 * @returns its name in small letters, empty if there is none, and its offset
 */
export function findRoot(code: string): { name: string; start: number } {
  const blank = /[\s\ufeff]*/y
  let start = 0
  for (let item = 0; item < maxPrologItems; item += 1) {
    blank.lastIndex = start
    start += blank.exec(code)?.[0].length ?? 0
    const end = findPrologEnd(code, start)
    if (end < 0) break
    start = end
  }
  return {
    name: /^<([a-z][\w:-]{0,30})/i.exec(code.slice(start, start + 40))?.[1]?.toLowerCase() ?? '',
    start,
  }
}

/** Recognises a page, a picture or a diagram by its beginning. */
function recognise(code: string, { isXml }: { isXml: boolean }): PreviewKind | undefined {
  const { name, start } = findRoot(code)
  if (name === 'svg') return 'svg'
  if (name === 'html' || /^<!doctype html/i.test(code.trimStart().slice(0, 20))) return 'html'
  // a fragment of HTML; not a component of React, which has such attributes
  if (!isXml && fragmentRoots.test(name) && code.trimEnd().endsWith('>') && !/className=|=\{/.test(code))
    return 'html'
  return diagramStart.test(code.slice(start, start + 40)) ? 'mermaid' : undefined
}

/** Recognises code by its beginning, unless its fence names a language. */
const recogniseUnnamed = (code: string, name: string): PreviewKind | undefined =>
  unspecificNames.has(name) ? recognise(code, { isXml: name === 'xml' }) : undefined

/**
 * Decides how code can be previewed.
 * @param language the first word of the fence, in any spelling
 * @returns undefined if it has no preview
 */
export function getPreviewKind(language: string, code: string): PreviewKind | undefined {
  if (isChart(language, code)) return 'vega-lite'
  const names = getLanguageNames(language)
  const name = names.find((one) => kinds.has(one))
  const kind = name === undefined ? recogniseUnnamed(code, names[1] ?? '') : kinds.get(name)
  // an SVG in a fence of HTML is shown as a picture, which fits the panel; a page that begins with an SVG stays a page
  if (kind === 'html' && findRoot(code).name === 'svg' && code.trimEnd().endsWith('</svg>')) return 'svg'
  if (kind === 'svg' && findRoot(code).name === 'html') return 'html'
  return kind === 'mermaid' && code.length > maxDiagramCharacters ? undefined : kind
}
