import { diagramFramePath } from './diagram-frame.ts'

/** The document that draws charts, in the folder of the one that draws diagrams: it has the same headers, and no origin either. */
export const chartFrameFile = `${diagramFramePath}chart.html`

/** What a drawing depends on besides its specification. */
export interface ChartLook {
  readonly isDark: boolean
  /** for numbers and dates, such as `de-AT-u-nu-latn` */
  readonly locale: string
  /** the page's words for `count`, `mean` and other aggregates, in titles of axes; absent: the library's, in English */
  readonly aggregates?: Readonly<Record<string, string>>
}

/** The page asks the frame to draw a chart. */
export interface ChartRequest extends ChartLook {
  /** given back with the answer */
  readonly id: number
  /** a checked Vega-Lite specification with all its data */
  readonly spec: object
}

/** Messages of the frame to the page. A frame that says nothing for long loops, or ran out of memory. */
export type ChartMessage =
  | { readonly state: 'ready' }
  | { readonly state: 'drawn'; readonly id: number; readonly heightPx: number; readonly svg: string }
  /** @property reason of the library, in English */
  | { readonly state: 'failed'; readonly id: number; readonly reason: string }
