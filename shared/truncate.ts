/** The first so many UTF-16 units of a text, fewer by one where that would cut a letter in two. */
export const truncate = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, Math.max(0, length)).replace(/[\ud800-\udbff]$/, '')
