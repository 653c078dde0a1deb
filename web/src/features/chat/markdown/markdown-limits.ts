/** How many blocks, or items and rows, of a text are formatted. More would make the page slow, and are shown as plain text. */
export const maxParts = 3_000
/** The lines of the longest text that is parsed as a whole, as footnotes and reference links need: the cost grows with their square. */
export const maxLinesAtOnce = 2_000
