import type { IParagraphOptions } from 'docx'

/** Twentieths of a point: half an inch. */
export const indentStep = 720

/** Where a block stands. */
export interface Place {
  /** levels of lists and quotes around it */
  depth: number
  listLevel: number
  isQuoted: boolean
  /** of the first paragraph of a list item */
  numbering?: NonNullable<IParagraphOptions['numbering']>
}
/** Outside of lists and quotes. */
export const topPlace: Place = { depth: 0, listLevel: -1, isQuoted: false }

/** The place of what is in a quote. */
export const toInner = (place: Place): Place => ({ ...toFollowing(place), depth: place.depth + 1 })

/** The paragraphs of an item after its first one have no number. */
export function toFollowing(place: Place): Place {
  const { depth, listLevel, isQuoted } = place
  return { depth, listLevel, isQuoted }
}
