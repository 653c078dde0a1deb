/** Twentieths of a point: half an inch. */
export const indentStep = 720

/** The lists and quotes around a block. */
export interface BlockContext {
  /** levels of lists and quotes around it */
  depth: number
  /** the level of the innermost list around it, from 0; -1 outside of lists */
  listLevel: number
  isQuoted: boolean
}

export const topContext: BlockContext = { depth: 0, listLevel: -1, isQuoted: false }
