import { createContext } from 'react'
import { maxDiagramCharacters } from '#shared/diagram-frame.ts'

/** What can be previewed. HTML and SVG run, on the sandbox's origin; the page shows the others itself. */
export type PreviewKind = 'html' | 'svg' | 'mermaid' | 'csv' | 'markdown'

export interface PreviewSource {
  kind: PreviewKind
  code: string
}

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
  const kind = kinds.get(name)
  return kind === 'mermaid' && code.length > maxDiagramCharacters ? undefined : kind
}

export interface Previews {
  /** whether there is a sandbox for code that runs */
  hasSandbox: boolean
  /** @param opener gets the focus back */
  open: (source: PreviewSource, opener: HTMLElement) => void
}

/** Absent where code blocks have no previews. */
export const PreviewContext = createContext<Previews | undefined>(undefined)
