import { createContext } from 'react'

/** What can be previewed. HTML and SVG run, on the sandbox's origin; the page shows the others itself. */
export type PreviewKind = 'html' | 'svg' | 'mermaid' | 'vega-lite' | 'csv' | 'markdown'

export interface PreviewSource {
  kind: PreviewKind
  code: string
}

export interface OpenedPreview {
  source: PreviewSource
  /** the element that opened it gets the focus back */
  opener: HTMLElement
  onClose: () => void
}

export interface Previews {
  /** whether there is a sandbox for code that runs */
  hasSandbox: boolean
  /** @param opener gets the focus back */
  open: (source: PreviewSource, opener: HTMLElement) => void
}

/** Absent where code blocks have no previews. */
export const PreviewContext = createContext<Previews | undefined>(undefined)
