/** How many blocks, or items and rows, of a text are formatted. More would make the page slow, and are shown as plain text. */
export const maxParts = 3_000
/** The lines of the longest text that is parsed as a whole, as footnotes and reference links need: the cost grows with their square. */
export const maxLinesAtOnce = 2_000
/** Longer code is not highlighted, because that would block the page. */
export const maxHighlightedCharacters = 30_000
/** How many macros a formula may expand. KaTeX allows 1,000, which takes long if each expands to much. */
export const maxMacroExpansions = 200
