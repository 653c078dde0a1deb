import { maxDiagramCharacters } from '#shared/diagram-frame.ts'
import { isChart } from '../charts/is-chart.ts'
import { getLanguageNames } from './language-names.ts'
import type { PreviewKind } from '../preview-context.ts'

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

/** Languages whose code says itself what it is. */
const undecided = new Set(['', 'text', 'txt', 'plain', 'plaintext', 'xml', 'code'])

/** The first words of diagrams. */
const diagramStart =
  /^(?:(?:flowchart|graph)(?:-elk)?\s+(?:TB|TD|BT|RL|LR)|sequenceDiagram|classDiagram(?:-v2)?|stateDiagram(?:-v2)?|erDiagram|gitGraph|gantt|mindmap|quadrantChart|xychart(?:-beta)?|sankey(?:-beta)?|journey|timeline)\s/

/** What an element of a page begins with that stands alone. */
const fragments = /^(?:head|body|style|script|main|section|header|nav|article|form|div|table|canvas)$/

/** Documents have a declaration, a type and a few comments. */
const maxPrologItems = 20

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

/** The name of the first element of XML or HTML, in small letters, and where it begins: behind declarations, comments and blanks. */
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

function recognise(code: string, isXml: boolean): PreviewKind | undefined {
  const { name, start } = findRoot(code)
  if (name === 'svg') return 'svg'
  if (name === 'html' || /^<!doctype html/i.test(code.trimStart().slice(0, 20))) return 'html'
  // of other XML nothing else is known; components of React have such attributes
  if (!isXml && fragments.test(name) && code.trimEnd().endsWith('>') && !/className=|=\{/.test(code))
    return 'html'
  return diagramStart.test(code.slice(start, start + 40)) ? 'mermaid' : undefined
}

/**
 * @param language the first word of the fence, in any spelling
 * @returns undefined for code that has no preview
 */
export function getPreviewKind(language: string, code: string): PreviewKind | undefined {
  if (isChart(language, code)) return 'vega-lite'
  const names = getLanguageNames(language)
  const name = names.find((one) => kinds.has(one))
  const kind =
    name === undefined
      ? undecided.has(names[1] ?? '')
        ? recognise(code, names[1] === 'xml')
        : undefined
      : kinds.get(name)
  // a picture fits the panel, whatever its fence calls it; a page with a picture at its beginning is a page
  if (kind === 'html' && findRoot(code).name === 'svg' && code.trimEnd().endsWith('</svg>')) return 'svg'
  if (kind === 'svg' && findRoot(code).name === 'html') return 'html'
  return kind === 'mermaid' && code.length > maxDiagramCharacters ? undefined : kind
}
