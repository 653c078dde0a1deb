import { listMarks } from '../place-marks.ts'

/** The most characters of a passage: about a page. */
export const passageCharacters = 1_500

/**
 * Splits a text before each place, and after a paragraph, a line or a word, so that each part has at most `passageCharacters`, and no letter
 * is divided.
 */
export function* splitPassages(text: string): Generator<string> {
  const ends = [...listMarks(text).map(({ at }) => at), text.length]
  for (let from = 0, next = 0; from < text.length;) {
    while ((ends[next] ?? text.length) <= from) next += 1
    const end = ends[next] ?? text.length
    const rest = text.slice(from, Math.min(from + passageCharacters, end))
    if (from + rest.length === end) {
      yield rest
      from = end
      continue
    }
    const half = passageCharacters / 2
    const breaks = [rest.lastIndexOf('\n\n') + 2, rest.lastIndexOf('\n') + 1, rest.lastIndexOf(' ') + 1]
    const isDivided = isHighSurrogate(rest.charCodeAt(rest.length - 1))
    const length = breaks.find((at) => at > half) ?? (isDivided ? rest.length - 1 : rest.length)
    yield rest.slice(0, length)
    from += length
  }
}

const isHighSurrogate = (code: number) => code >= 0xd8_00 && code <= 0xdb_ff
