/** Truncates a text to a number of UTF-16 code units, without splitting a surrogate pair. */
export const truncate = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, Math.max(0, length)).replace(/[\ud800-\udbff]$/, '')
