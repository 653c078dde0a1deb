import { codePoint } from 'dingbat-to-unicode'

// Fonts whose characters are pictures: a tick is stored as `ü` in Wingdings, or as U+F0FC.

const typefaces: ReadonlyMap<string, string> = new Map([
  ['symbol', 'Symbol'],
  ['webdings', 'Webdings'],
  ['wingdings', 'Wingdings'],
  ['wingdings 2', 'Wingdings 2'],
  ['wingdings 3', 'Wingdings 3'],
])

const findTypeface = (font: string) => typefaces.get(font.trim().toLowerCase())

/**
 * Writes the characters of a symbol font as the characters that they look like.
 * @param font of the text; empty if unknown
 * @param symbolFont of its characters in the private area, where that is another
 * @returns the text with what is not known unchanged
 */
export function decodeSymbols(text: string, font: string, symbolFont = font): string {
  const own = findTypeface(font)
  const ofPrivate = findTypeface(symbolFont) ?? own
  if (own === undefined && ofPrivate === undefined) return text
  let decoded = ''
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    const isPrivate = code >= 0xf0_20 && code <= 0xf0_ff
    const typeface = isPrivate ? ofPrivate : code >= 0x21 && code <= 0xff ? own : undefined
    decoded +=
      typeface === undefined ? character : decodeOne(typeface, isPrivate ? code - 0xf0_00 : code, character)
  }
  return decoded
}

const decodeOne = (typeface: string, code: number, character: string) =>
  codePoint(typeface, code)?.string ?? character
