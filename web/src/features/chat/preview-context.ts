import { createContext } from 'react'

/** The kinds of code that can be previewed. HTML and SVG run on the sandbox's origin; the page itself shows the others. */
export type PreviewKind = 'html' | 'svg' | 'mermaid' | 'vega-lite' | 'csv' | 'markdown'

/** A code block to preview. */
export interface PreviewSource {
  kind: PreviewKind
  code: string
}

/** The open preview, of which there is at most one beside a conversation. */
export interface OpenedPreview {
  source: PreviewSource
  /** the element that opened it gets the focus back */
  opener: HTMLElement
  onClose: () => void
}

/** What a code block needs to open its preview. */
export interface Previews {
  /** whether this deployment has a sandbox, without which HTML and SVG have no preview */
  hasSandbox: boolean
  /** @param opener gets the focus back when the preview is closed */
  open: (source: PreviewSource, opener: HTMLElement) => void
}

/** Undefined where code blocks have no previews. */
export const PreviewContext = createContext<Previews | undefined>(undefined)
