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

/** Messages of the frame to the page: ready; then the height of the drawing at the frame's width, or that it failed. */
export type FrameMessage =
  | { readonly state: 'ready' }
  | { readonly state: 'drawn'; readonly heightPx: number }
  | { readonly state: 'failed' }

/**
 * The frame may run the scripts of its own folder and draw, nothing else: it sends no requests, and only this site's pages may embed it. The header
 * includes `sandbox`, so that the document has no origin even if its URL is opened directly.
 */
const policy = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

/** @param headers of every page. @returns those of the frame and its scripts; CORS allows all, because a document without an origin loads its scripts cross-origin */
export const diagramFrameHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> => ({
  ...headers,
  'content-security-policy': policy,
  'x-frame-options': 'SAMEORIGIN',
  'access-control-allow-origin': '*',
})

/** Whether a path belongs to the frame, as the distribution tells it apart (`/diagram/*`). */
export const isDiagramFramePath = (pathname: string) => pathname.startsWith(diagramFramePath)
