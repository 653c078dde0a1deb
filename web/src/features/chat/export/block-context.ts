import type { IParagraphOptions } from 'docx'

/** Twentieths of a point: half an inch. */
export const indentStep = 720

/** The lists and quotes around a block. */
export interface BlockContext {
  /** levels of lists and quotes around it */
  depth: number
  listLevel: number
  isQuoted: boolean
  /** the numbering of the first paragraph of a list item */
  numbering?: NonNullable<IParagraphOptions['numbering']>
}
/** The context outside of lists and quotes. */
export const topContext: BlockContext = { depth: 0, listLevel: -1, isQuoted: false }

/** The context of the blocks in a quote: one level deeper, and outside of any list. */
export const toQuoteContext = (context: BlockContext): BlockContext => ({
  ...withoutNumbering(context),
  depth: context.depth + 1,
})

/** The context without its numbering, for the blocks of an item after its first paragraph. */
export function withoutNumbering(context: BlockContext): BlockContext {
  const { depth, listLevel, isQuoted } = context
  return { depth, listLevel, isQuoted }
}
