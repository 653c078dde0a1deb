import { inflateSync, constants } from 'node:zlib'
import * as z from 'zod'
import { readGlyphNames } from './glyph-names.ts'

// Fonts without a table of their characters (ToUnicode): the text has numbers of glyphs. Their own table (cmap) may still know them.

const maxFonts = 64
const maxFontBytes = 8 * 1024 * 1024
const dictionaryBytes = 500
const maxCodes = 200_000

export const pdfFont = z.object({
  composite: z.boolean().catch(false).default(false),
  data: z.instanceof(Uint8Array).optional().catch(undefined),
  toUnicode: z.unknown().optional(),
  /**
   * by the codes of the text: the codes in the font that pdf.js has made of it. Codes of four bytes make it a list with billions of gaps,
   * which nothing may go through: the process would end.
   */
  toFontChar: z.instanceof(Object).catch({}).default({}),
})

interface EmbeddedFont {
  fingerprint: string
  characters: ReadonlyMap<number, string>
}

function findTables(font: Uint8Array): Map<string, DataView> {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength)
  const tables = new Map<string, DataView>()
  if (font.length < 12) return tables
  const count = view.getUint16(4)
  for (let index = 0; index < Math.min(count, 64); index += 1) {
    const at = 12 + index * 16
    if (at + 16 > font.length) break
    const tag = Buffer.from(font.subarray(at, at + 4)).toString('latin1')
    const [offset, length] = [view.getUint32(at + 8), view.getUint32(at + 12)]
    if (offset + length <= font.length)
      tables.set(tag, new DataView(font.buffer, font.byteOffset + offset, length))
  }
  return tables
}

/** What pdf.js keeps of a font: its dates and its box. */
function toFingerprint(tables: ReadonlyMap<string, DataView>): string | undefined {
  const head = tables.get('head')
  return head && head.byteLength >= 44
    ? Buffer.from(head.buffer, head.byteOffset + 18, 26).toString('hex')
    : undefined
}

/** Reads the characters of glyphs from a table of format 4 or 12 (OpenType, cmap). */
function readGlyphs(cmap: DataView | undefined): [glyph: number, code: number][] {
  const characters: [glyph: number, code: number][] = []
  if (!cmap || cmap.byteLength < 4) return characters
  let seen = 0
  const add = (glyph: number, code: number) => {
    seen += 1
    if (glyph > 0 && code >= 0x20 && code <= 0x10_ff_ff) characters.push([glyph, code])
  }
  const tables = Array.from({ length: Math.min(cmap.getUint16(2), 20) }, (_, index) => 4 + index * 8)
    .filter((at) => at + 8 <= cmap.byteLength)
    .map((at) => ({
      platform: cmap.getUint16(at),
      encoding: cmap.getUint16(at + 2),
      offset: cmap.getUint32(at + 4),
    }))
    // a table of symbols has no characters
    .filter(
      ({ platform, encoding }) => platform === 0 || (platform === 3 && (encoding === 1 || encoding === 10)),
    )
  for (const { offset } of tables) {
    if (offset + 16 > cmap.byteLength) continue
    const format = cmap.getUint16(offset)
    if (format === 12) {
      const groups = Math.min(cmap.getUint32(offset + 12), 10_000)
      for (let at = offset + 16; at < offset + 16 + groups * 12 && at + 12 <= cmap.byteLength; at += 12) {
        const [start, end, glyph] = [cmap.getUint32(at), cmap.getUint32(at + 4), cmap.getUint32(at + 8)]
        for (let code = start; code <= end && seen < maxCodes; code += 1) add(glyph + code - start, code)
      }
    } else if (format === 4) {
      const segments = cmap.getUint16(offset + 6) / 2
      const [ends, starts, deltas, ranges] = [
        14,
        16 + segments * 2,
        16 + segments * 4,
        16 + segments * 6,
      ].map((part) => offset + part) as [number, number, number, number]
      for (let index = 0; index < segments && ranges + index * 2 + 2 <= cmap.byteLength; index += 1) {
        const [end, start] = [cmap.getUint16(ends + index * 2), cmap.getUint16(starts + index * 2)]
        const [delta, range] = [cmap.getUint16(deltas + index * 2), cmap.getUint16(ranges + index * 2)]
        for (let code = start; code <= end && code < 0xff_ff && seen < maxCodes; code += 1) {
          const at = ranges + index * 2 + range + (code - start) * 2
          const found = range === 0 ? code : at + 2 <= cmap.byteLength ? cmap.getUint16(at) : 0
          add(found === 0 ? 0 : (found + delta) & 0xff_ff, code)
        }
      }
    }
  }
  return characters
}

function readCharacters(cmap: DataView | undefined): Map<number, string> {
  const characters = new Map<number, string>()
  for (const [glyph, code] of readGlyphs(cmap))
    if (!characters.has(glyph)) characters.set(glyph, String.fromCodePoint(code))
  return characters
}

/** Finds the TrueType fonts in a PDF by the length that their dictionaries state (ISO 32000-1, 9.9). */
function listFonts(pdf: Uint8Array): EmbeddedFont[] {
  const content = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  const fonts: EmbeddedFont[] = []
  let streams = 0
  for (
    let at = content.indexOf('/Length1');
    at >= 0 && streams < maxFonts;
    at = content.indexOf('/Length1', at + 8)
  ) {
    const start = content.indexOf('stream', at)
    if (start < 0 || start - at > dictionaryBytes) continue
    streams += 1
    const from = content[start + 6] === 0x0d ? start + 8 : start + 7
    const font = tryInflate(content.subarray(from, from + maxFontBytes))
    const tables = font && findTables(font)
    const fingerprint = tables && toFingerprint(tables)
    if (!tables || !fingerprint) continue
    const characters = readCharacters(tables.get('cmap'))
    fonts.push({
      fingerprint,
      characters: characters.size > 0 ? characters : readGlyphNames(tables.get('post')),
    })
  }
  return fonts
}

function tryInflate(stream: Buffer): Uint8Array | undefined {
  if (stream[0] === 0 && stream[1] === 1) return stream
  try {
    return inflateSync(stream, { maxOutputLength: maxFontBytes, finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    return undefined
  }
}

export interface FontCharacters {
  characters: ReadonlyMap<number, string>
  /** the text layer drops some of the codes, which are white space as characters */
  isLossy: boolean
}

export class FontDecoder {
  readonly #pdf: Uint8Array
  #fonts: EmbeddedFont[] | undefined

  constructor(pdf: Uint8Array) {
    this.#pdf = pdf
  }

  /** @returns undefined if the font's text is readable as it is; no characters if they cannot be known */
  findCharacters(font: unknown): FontCharacters | undefined {
    const { composite, data, toUnicode, toFontChar } = pdfFont
      .catch({ composite: false, data: undefined, toFontChar: [] })
      .parse(font)
    // pdf.js then takes the numbers of the glyphs for characters
    const isUnknown =
      composite && typeof toUnicode === 'object' && toUnicode !== null && 'firstChar' in toUnicode
    if (!isUnknown) return undefined
    const fingerprint = data && toFingerprint(findTables(data))
    this.#fonts ??= listFonts(this.#pdf)
    const [found, ...others] = this.#fonts.filter((one) => one.fingerprint === fingerprint)
    // parts of the same font may number their glyphs in other ways
    const isSame = ({ characters }: EmbeddedFont) =>
      [...characters].every(([glyph, text]) => (found?.characters.get(glyph) ?? text) === text)
    if (!found || !data || !others.every(isSame)) return { characters: new Map(), isLossy: false }
    const glyphs = new Map(readGlyphs(findTables(data).get('cmap')).map(([glyph, code]) => [code, glyph]))
    const decoded = new Map(
      Object.entries(toFontChar).flatMap(([code, fontCode]) => {
        const glyph = glyphs.get(Number(fontCode)) ?? Number(code)
        const character = found.characters.get(glyph)
        return character === undefined ? [] : [[Number(code), character] as const]
      }),
    )
    // where the codes are the numbers of the glyphs, all are known
    const isIdentity = [...decoded].every(([code, text]) => found.characters.get(code) === text)
    const characters = isIdentity ? found.characters : decoded
    const isLossy = [...characters].some(
      ([code, text]) => /\s/.test(String.fromCodePoint(code)) && text.trim() !== '',
    )
    return { characters, isLossy }
  }
}

/** Whether a text is improbable: control and private characters, or letters without vowels. */
export function isGarbled(text: string): boolean {
  const characters = text.replaceAll(/\s/g, '')
  if (characters.length < 8) return false
  const strange = text.match(/[\p{Co}\p{Cn}\ufffd]|(?!\s)\p{Cc}/gu)?.length ?? 0
  if (strange > characters.length / 20) return true
  const letters = text.match(/[a-z]/gi)?.length ?? 0
  const vowels = text.match(/[aeiouy]/gi)?.length ?? 0
  return letters >= 60 && letters > characters.length / 2 && vowels < letters / 8
}
