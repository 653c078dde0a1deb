import { constants, inflateSync } from 'node:zlib'
import * as z from 'zod'

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

export function isGarbled(text: string): boolean {
  const characters = text.replaceAll(/\s/g, '')
  if (characters.length < 8) return false
  const strange = text.match(/[\p{Co}\p{Cn}\ufffd]|(?!\s)\p{Cc}/gu)?.length ?? 0
  if (strange > characters.length / 20) return true
  const letters = text.match(/[a-z]/gi)?.length ?? 0
  const vowels = text.match(/[aeiouy]/gi)?.length ?? 0
  return letters >= 60 && letters > characters.length / 2 && vowels < letters / 8
}

/** The characters of the 258 glyphs whose names a font need not write (OpenType, post, version 2); U+FFFD for those that have none. */
const standardGlyphs = Array.from(
  '\ufffd\ufffd\ufffd !"#$%&\'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü\u2020\u00b0\u00a2\u00a3\u00a7\u2022\u00b6ß\u00ae\u00a9\u2122\u00b4\u00a8\u2260ÆØ\u221e\u00b1\u2264\u2265\u00a5µ\u2202\u2211\u220f\u03c0\u222bªº\u2126æø\u00bf\u00a1\u00ac\u221aƒ\u2248\u2206\u00ab\u00bb\u2026 ÀÃÕŒœ\u2013\u2014\u201c\u201d\u2018\u2019\u00f7\u25caÿŸ\u2044\u00a4\u2039\u203a\ufb01\ufb02\u2021\u00b7\u201a\u201e\u2030ÂÊÁËÈÍÎÏÌÓÔ\ufffdÒÚÛÙı\u02c6\u02dc\u00af\u02d8\u02d9\u02da\u00b8\u02dd\u02db\u02c7ŁłŠšŽž\u00a6ÐðÝýÞþ\u2212\u00d7\u00b9\u00b2\u00b3\u00bd\u00bc\u00be\u20a3ĞğİŞşĆćČčđ',
)

/** Of the Adobe Glyph List for New Fonts: https://github.com/adobe-type-tools/agl-aglfn */
const namedCharacters: ReadonlyMap<string, string> = new Map(
  `AEacute:1fc Abreve:102 Alpha:391 Alphatonos:386 Amacron:100 Aogonek:104 Aringacute:1fa Beta:392 Ccircumflex:108
Cdotaccent:10a Chi:3a7 Dcaron:10e Dcroat:110 Ebreve:114 Ecaron:11a Edotaccent:116 Emacron:112 Eng:14a Eogonek:118
Epsilon:395 Epsilontonos:388 Eta:397 Etatonos:389 Euro:20ac Gamma:393 Gcaron:1e6 Gcircumflex:11c Gdotaccent:120 Hbar:126
Hcircumflex:124 IJ:132 Ibreve:12c Ifraktur:2111 Imacron:12a Iogonek:12e Iota:399 Iotadieresis:3aa Iotatonos:38a
Itilde:128 Jcircumflex:134 Kappa:39a Lacute:139 Lambda:39b Lcaron:13d Ldot:13f Mu:39c Nacute:143 Ncaron:147 Nu:39d
Obreve:14e Ohorn:1a0 Ohungarumlaut:150 Omacron:14c Omegatonos:38f Omicron:39f Omicrontonos:38c Oslashacute:1fe Phi:3a6
Pi:3a0 Psi:3a8 Racute:154 Rcaron:158 Rfraktur:211c Rho:3a1 Sacute:15a Scircumflex:15c Sigma:3a3 Tau:3a4 Tbar:166
Tcaron:164 Theta:398 Ubreve:16c Uhorn:1af Uhungarumlaut:170 Umacron:16a Uogonek:172 Upsilon:3a5 Upsilon1:3d2
Upsilondieresis:3ab Upsilontonos:38e Uring:16e Utilde:168 Wacute:1e82 Wcircumflex:174 Wdieresis:1e84 Wgrave:1e80 Xi:39e
Ycircumflex:176 Ygrave:1ef2 Zacute:179 Zdotaccent:17b Zeta:396 abreve:103 acutecomb:301 aeacute:1fd aleph:2135 alpha:3b1
alphatonos:3ac amacron:101 anoteleia:387 aogonek:105 aringacute:1fb arrowboth:2194 arrowdblboth:21d4 arrowdbldown:21d3
arrowdblleft:21d0 arrowdblright:21d2 arrowdblup:21d1 arrowdown:2193 arrowleft:2190 arrowright:2192 arrowup:2191
arrowupdn:2195 arrowupdnbse:21a8 beta:3b2 carriagereturn:21b5 ccircumflex:109 cdotaccent:10b chi:3c7 colonmonetary:20a1
dcaron:10f delta:3b4 dieresistonos:385 dong:20ab dotbelowcomb:323 ebreve:115 ecaron:11b edotaccent:117 emacron:113
eng:14b eogonek:119 epsilon:3b5 epsilontonos:3ad estimated:212e eta:3b7 etatonos:3ae exclamdbl:203c figuredash:2012
fiveeighths:215d gamma:3b3 gcaron:1e7 gcircumflex:11d gdotaccent:121 gravecomb:300 hbar:127 hcircumflex:125
hookabovecomb:309 ibreve:12d ij:133 imacron:12b iogonek:12f iota:3b9 iotadieresis:3ca iotadieresistonos:390
iotatonos:3af itilde:129 jcircumflex:135 kappa:3ba kgreenlandic:138 lacute:13a lambda:3bb lcaron:13e ldot:140 lira:20a4
longs:17f minute:2032 nacute:144 napostrophe:149 ncaron:148 nu:3bd obreve:14f ohorn:1a1 ohungarumlaut:151 omacron:14d
omega:3c9 omega1:3d6 omegatonos:3ce omicron:3bf omicrontonos:3cc onedotenleader:2024 oneeighth:215b onethird:2153
oslashacute:1ff peseta:20a7 phi:3c6 phi1:3d5 prescription:211e psi:3c8 quotereversed:201b racute:155 rcaron:159 rho:3c1
sacute:15b scircumflex:15d second:2033 seveneighths:215e sigma:3c3 sigma1:3c2 tau:3c4 tbar:167 tcaron:165 theta:3b8
theta1:3d1 threeeighths:215c tildecomb:303 tonos:384 twodotenleader:2025 twothirds:2154 ubreve:16d uhorn:1b0
uhungarumlaut:171 umacron:16b underscoredbl:2017 uogonek:173 upsilon:3c5 upsilondieresis:3cb upsilondieresistonos:3b0
upsilontonos:3cd uring:16f utilde:169 wacute:1e83 wcircumflex:175 wdieresis:1e85 weierstrass:2118 wgrave:1e81 xi:3be
ycircumflex:177 ygrave:1ef3 zacute:17a zdotaccent:17c zeta:3b6`
    .split(/\s+/)
    .map((entry) => entry.split(':') as [string, string])
    .map(([name, code]) => [name, String.fromCodePoint(Number.parseInt(code, 16))]),
)

/** @returns undefined for a name that says nothing, such as g17 */
function toCharacter(name: string): string | undefined {
  const [, hex] = /^(?:uni([0-9A-F]{4})|u([0-9A-F]{4,6}))$/.exec(name)?.filter(Boolean) ?? []
  const code = hex === undefined ? undefined : Number.parseInt(hex, 16)
  if (code !== undefined) return code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined
  if (/^[A-Za-z]$/.test(name)) return name
  return namedCharacters.get(name)
}

const maxGlyphs = 65_535

export function readGlyphNames(post: DataView | undefined): Map<number, string> {
  const characters = new Map<number, string>()
  if (!post || post.byteLength < 34 || post.getUint32(0) !== 0x2_00_00) return characters
  const count = Math.min(post.getUint16(32), maxGlyphs)
  const names: string[] = []
  for (let at = 34 + count * 2; at < post.byteLength && names.length < maxGlyphs;) {
    const length = post.getUint8(at)
    const end = Math.min(at + 1 + length, post.byteLength)
    names.push(
      Array.from({ length: end - at - 1 }, (_, index) =>
        String.fromCharCode(post.getUint8(at + 1 + index)),
      ).join(''),
    )
    at = end
  }
  for (let glyph = 0; glyph < count && 36 + glyph * 2 <= post.byteLength; glyph += 1) {
    const index = post.getUint16(34 + glyph * 2)
    const [base = ''] = (names[index - standardGlyphs.length] ?? '').split('.', 1)
    const character = standardGlyphs[index] ?? toCharacter(base)
    if (character !== undefined && character !== '\ufffd') characters.set(glyph, character)
  }
  return characters
}
