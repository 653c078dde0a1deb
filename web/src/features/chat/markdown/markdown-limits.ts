/** Blocks, or items and rows, that are formatted; more make a page slow. */
export const maxParts = 3_000
/** A text with footnotes or reference links is parsed as a whole, whose cost grows with the square of its blocks. */
export const maxLinesAtOnce = 2_000
