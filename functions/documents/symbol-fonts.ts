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

/** Writes the characters of a symbol font as what they look like. @param symbolFont of its characters in the private area, where that is another */
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

/** Names in a PDF, such as `ABCDEF+Wingdings-Regular`, `SymbolMT` and `Wingdings2`. */
const toTypefaceName = (name: string) =>
  name
    .replace(/^[A-Z]{6}\+/, '')
    .replace(/^(Symbol)MT\b/i, '$1')
    .replace(/(?<=dings)(?=[23])/i, ' ')
    .split(/[-,]/, 1)[0]

/** Writes characters of the private area of a PDF as what they look like. Most that have no known font are bullets. @param name of their font */
export function decodePrivate(text: string, name: string): string {
  if (!/[\uf020-\uf0ff]/.test(text)) return text
  return decodeSymbols(text, '', toTypefaceName(name)).replaceAll('\uf0b7', '•')
}

const decodeOne = (typeface: string, code: number, character: string) =>
  codePoint(typeface, code)?.string ?? character
