/*
 * In the stored text of a document, a line of its own says where each page, slide, sheet or chapter begins: `[page 17]`, `[sheet Orders]`.
 * What stands behind it, until the next one, has the place `page 17`. Documents without pages have none.
 */

export const maxLabelCharacters = 100
const mark = String.raw`\[((?:page|slide|chapter) \d{1,6}|sheet [^\n]{1,${maxLabelCharacters}})\]`
const marks = new RegExp(`^${mark}$`, 'gm')
const lookalikes = new RegExp(
  String.raw`^(?=[^\S\n]{0,100}\[(?:page|slide|chapter|sheet) [^\n]{1,200}\][^\S\n]{0,100}$)`,
  'gim',
)

/** @param label `page 17`, or `sheet` and a name as its author wrote it */
export const toMark = (label: string): string =>
  `[${label
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, maxLabelCharacters + 'sheet '.length)}]`

/** Quotes the lines of a document that look like marks. */
export const quoteMarks = (text: string): string => text.replaceAll(lookalikes, '> ')

/** The places of a text, in order. */
export const listMarks = (text: string): { place: string; at: number }[] =>
  [...text.matchAll(marks)].map(({ 1: place = '', index }) => ({ place, at: index }))
