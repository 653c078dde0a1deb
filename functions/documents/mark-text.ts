export type TextMark = '^' | '_' | '~~'

/** Writes in plain text what is shown by its position, or by a line: 10^3 is not 103. */
export function markText(text: string, mark: TextMark): string {
  if (mark === '~~') return `~~${text}~~`
  return /^[\p{L}\p{N}]*$/u.test(text) ? `${mark}${text}` : `${mark}(${text})`
}
