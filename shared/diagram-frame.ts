/**
 * The path of the document that draws diagrams. It is shown in a frame without an origin: what a model wrote is parsed and drawn apart from
 * the page, its session and its storage.
 */
export const diagramFramePath = '/diagram/'
export const diagramFrameFile = `${diagramFramePath}index.html`

/** Longer ones stay code: laying them out could take minutes. */
export const maxDiagramCharacters = 20_000

/** The page asks the frame to draw a diagram. */
export interface DrawRequest {
  readonly source: string
  readonly isDark: boolean
}

/** Why a diagram could not be drawn, as far as that is known. */
export interface DiagramFailure {
  /** of the source, from 1 */
  readonly line?: number
  /** what was not expected in that line */
  readonly found?: string
  /** the first line names no kind of diagram */
  readonly isUnknown?: boolean
  /** what Mermaid says where it names no line */
  readonly reason?: string | undefined
}

/** Messages of the frame to the page: ready; then the height of the drawing at the frame's width, or that it failed. */
export type FrameMessage =
  | { readonly state: 'ready' }
  | { readonly state: 'drawn'; readonly heightPx: number }
  | ({ readonly state: 'failed' } & DiagramFailure)

/** Whether a path belongs to the frame, as the distribution tells it apart (`/diagram/*`). */
export const isDiagramFramePath = (pathname: string) => pathname.startsWith(diagramFramePath)
