/**
 * Removes characters from both ends of a text. A regular expression such as `/^_+|_+$/g` takes time quadratic in the length of a run in the
 * middle; this is linear.
 * @param isTrimmed gets one code point at a time
 */
export function trimCharacters(text: string, isTrimmed: (character: string) => boolean): string {
  let start = 0
  let end = text.length
  const measure = (index: number) => ((text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1)
  for (let size; start < end; start += size) {
    size = measure(start)
    if (!isTrimmed(text.slice(start, start + size))) break
  }
  for (let size; end > start; end -= size) {
    size = measure(end - 2)
    if (!isTrimmed(text.slice(end - size, end))) break
  }
  return text.slice(start, end)
}

/** A base URL without slashes at its end. */
export const trimSlashes = (url: string): string => trimCharacters(url, (character) => character === '/')
