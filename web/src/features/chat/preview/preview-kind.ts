import { maxDiagramCharacters } from '#shared/diagram-frame.ts'
import { isChart } from '../charts/is-chart.ts'
import type { PreviewKind } from './preview-context.ts'

const kinds = new Map<string, PreviewKind>([
  ['html', 'html'],
  ['htm', 'html'],
  ['xhtml', 'html'],
  ['svg', 'svg'],
  ['mermaid', 'mermaid'],
  ['csv', 'csv'],
  ['tsv', 'csv'],
  ['markdown', 'markdown'],
  ['md', 'markdown'],
])

/** @param language as named in the fence. @returns undefined for code that has no preview */
export function getPreviewKind(language: string, code: string): PreviewKind | undefined {
  const name = language.toLowerCase()
  if (name === 'xml') return code.trimStart().startsWith('<svg') ? 'svg' : undefined
  if (isChart(name, code)) return 'vega-lite'
  const kind = kinds.get(name)
  return kind === 'mermaid' && code.length > maxDiagramCharacters ? undefined : kind
}
