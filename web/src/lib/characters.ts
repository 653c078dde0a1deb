/**
 * Splits a text into grapheme clusters, so that no accent or emoji is cut in two. Text of printable ASCII skips the segmenter: loading its
 * data takes a phone 35 ms before the first paint.
 */
export function splitCharacters(text: string): string[] {
  if (/^[ -~]*$/.test(text)) return Array.from(text)
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
}
