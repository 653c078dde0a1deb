import type { IParagraphOptions } from 'docx'

/** Twentieths of a point: half an inch. */
export const indentStep = 720

/** Where a block stands. */
export interface BlockContext {
  /** levels of lists and quotes around it */
  depth: number
  listLevel: number
  isQuoted: boolean
  /** of the first paragraph of a list item */
  numbering?: NonNullable<IParagraphOptions['numbering']>
}
/** Outside of lists and quotes. */
export const topContext: BlockContext = { depth: 0, listLevel: -1, isQuoted: false }

/** The context of what is in a quote. */
export const toInner = (context: BlockContext): BlockContext => ({
  ...toFollowing(context),
  depth: context.depth + 1,
})

/** The paragraphs of an item after its first one have no number. */
export function toFollowing(context: BlockContext): BlockContext {
  const { depth, listLevel, isQuoted } = context
  return { depth, listLevel, isQuoted }
}
