import { createDecoder } from './code-pages.ts'
import { listPairs } from './list-pairs.ts'
import { detectUnicode, isUtf8, type UnicodeEncoding } from '../files/text-bytes.ts'

export interface DecodedText {
  text: string
  encoding: string
  /** whether neither the bytes nor a declaration name the encoding */
  isGuess: boolean
  /** sequences of bytes that are not valid in the encoding; the text has U+FFFD in their place */
  damaged: number
  /** whether the text has so many signs within its words, and other faults, that it is none: its encoding is not known */
  isGarbled: boolean
}

const named = (encoding: string, text: string, damaged: number): DecodedText => ({
  text,
  encoding,
  isGuess: false,
  damaged,
  isGarbled: false,
})

/** Encodings that the detector knows and that can be decoded, by the detector's names (chardet 7). */
const detectable = new Map(
  listPairs(`cp1250:windows-1250 cp1251:windows-1251 cp1252:windows-1252 cp1253:windows-1253 cp1254:windows-1254
cp1255:windows-1255 cp1256:windows-1256 cp1257:windows-1257 cp1258:windows-1258 iso8859_2:iso-8859-2
iso8859_5:iso-8859-5 iso8859_7:iso-8859-7 koi8_r:koi8-r koi8_u:koi8-u iso8859_3:iso-8859-3
iso8859_6:iso-8859-6 iso8859_13:iso-8859-13 iso8859_16:iso-8859-16 cp720:ibm720 cp737:ibm737
cp775:ibm775 cp850:ibm850 cp852:ibm852 cp855:ibm855 cp857:ibm857 cp861:ibm861 cp862:ibm862 cp869:ibm869
cp866:ibm866 mac_roman:macintosh mac_cyrillic:x-mac-cyrillic mac_greek:mac-greek mac_latin2:mac-latin2
mac_turkish:mac-turkish cp874:windows-874 cp932:shift_jis euc_jis_2004:euc-jp gb18030:gb18030
big5hkscs:big5 cp949:euc-kr`),
)
const detectorName = (name: string) => name.toLowerCase().replaceAll('-', '_')
const detectableNames = [...detectable.keys()].map((name) => name.replaceAll('_', '-'))

/** Encodings of DOS and old Macs that are rare today. */
const isOld = (encoding: string) => /^(?:ibm(?!850|866)|mac-|iso-8859-(?:3|6|13|16)$)/.test(encoding)
const minOldConfidence = 0.12
const usualNames = [...detectable]
  .filter(([, encoding]) => !isOld(encoding))
  .map(([name]) => name.replaceAll('_', '-'))

const detectionBytes = 65_536
const declarationBytes = 1_024

/** What a file says about its own encoding: XML, HTML, CSS, gettext, and the coding line of Python, Ruby, Emacs and Vim. */
const declarations: readonly RegExp[] = [
  /^\s{0,20}<\?xml\s[^>]{0,200}?encoding\s{0,5}=\s{0,5}["']([\w.:-]{1,40})/i,
  /<meta\s[^>]{0,200}?charset\s{0,5}=\s{0,5}["']?([\w.:-]{1,40})/i,
  /^@charset "([\w.:-]{1,40})"/i,
  /^"Content-Type:[^\n]{0,100}?charset=([\w.:-]{1,40})/im,
  /^(?:[^\n]{0,200}\n)?[ \t]{0,20}(?:#|\/\/|\/\*|;|--|%|"|<!--)[^\n]{0,200}?coding[:=][ \t]{0,5}([\w.-]{1,40})/i,
]

/** @returns the declared encoding if it can be decoded; a file whose declaration can be read is neither UTF-16 nor UTF-32 */
function findDeclaredEncoding(bytes: Uint8Array): string | undefined {
  const beginning = Buffer.from(bytes.subarray(0, declarationBytes)).toString('latin1').replaceAll('\r', '\n')
  for (const declaration of declarations) {
    const label = declaration.exec(beginning)?.[1]
    if (label === undefined) continue
    try {
      const { encoding } = new TextDecoder(label.replace(/-(?:unix|dos|mac)$/i, ''))
      if (!encoding.startsWith('utf-16')) return encoding
    } catch {
      // a name that is not known
    }
  }
  return undefined
}

/** Counts U+FFFD, and all other characters that are not ASCII. Without arrays, which a text of 20 MB would fill. */
function countForeign(text: string): { replacements: number; others: number } {
  let replacements = 0
  let others = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0xff_fd) replacements += 1
    else if (code >= 0x80) others += 1
  }
  return { replacements, others }
}

function countWrittenReplacements(bytes: Uint8Array): number {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let count = 0
  for (let at = content.indexOf('\ufffd'); at >= 0; at = content.indexOf('\ufffd', at + 3)) count += 1
  return count
}

function decodeDamagedUtf8(bytes: Uint8Array): DecodedText | undefined {
  const text = new TextDecoder().decode(bytes)
  const { replacements, others: characters } = countForeign(text)
  const damaged = replacements - countWrittenReplacements(bytes)
  if (damaged > (characters < 3 ? 0 : Math.max(1, characters / 10))) return undefined
  return named('utf-8', text, damaged)
}

function decodeUtf32(bytes: Uint8Array, isLittleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: string[] = []
  let part = ''
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, isLittleEndian)
    part += code > 0x10_ff_ff || (code >= 0xd8_00 && code < 0xe0_00) ? '\ufffd' : String.fromCodePoint(code)
    if (part.length > 4_096) {
      parts.push(part)
      part = ''
    }
  }
  return [...parts, part].join('').replace(/^\ufeff/, '')
}

const decodeUnicode = (bytes: Uint8Array, encoding: UnicodeEncoding) =>
  encoding.startsWith('utf-32')
    ? decodeUtf32(bytes, encoding === 'utf-32le')
    : new TextDecoder(encoding).decode(bytes)

/** What stands at 0x5C in fonts of these encodings, before an amount. */
const currencySigns: ReadonlyMap<string, string> = new Map([
  ['shift_jis', '¥'],
  ['euc-kr', '₩'],
])

function decodeAs(bytes: Uint8Array, encoding: string, isGuess: boolean): DecodedText {
  const decoded = createDecoder(encoding).decode(bytes)
  const sign = currencySigns.get(encoding)
  const text = sign === undefined ? decoded : decoded.replaceAll(/(?<![^\s,;("'|+-])\\(?=\d)/g, sign)
  const { replacements, others } = countForeign(text)
  if (!isGuess) return named(encoding, text, replacements)
  const faults = countFaults(text)
  const isSuspect = faults >= minFaults && faults > others * suspectShare
  return {
    text,
    encoding,
    isGuess,
    damaged: replacements + (isSuspect ? faults : 0),
    isGarbled: isSuspect && faults >= minGarbledFaults && faults > text.length * garbledShare,
  }
}

const minFaults = 8
const minGarbledFaults = 20
/** Of the characters that are not ASCII: more faults tell that the encoding is another one. */
const suspectShare = 0.25
/** Of all characters: with more of them nobody can read the text. */
const garbledShare = 0.05

/**
 * Characters that no text has in their place: controls and unassigned ones, signs within words, a large letter behind a small one, letters of
 * two scripts in a word.
 */
function countFaults(text: string): number {
  const patterns = [
    /[\u0080-\u009f\p{Cn}\p{Co}]/gu,
    // not the signs that stand within words: dashes, apostrophes, the middle dot
    /(?<=\p{L})[¡-¬®-¶¸-»¿×÷‘“”‚„†‡•…‰‹›€™←-⟿](?=\p{L})/gu,
    /(?<=\p{Ll})(?![A-Z])\p{Lu}/gu,
    /(?<=\p{Script=Latin})[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}]|(?<=[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}])\p{Script=Latin}/gu,
  ]
  const sample = text.slice(0, faultCharacters)
  const faults = patterns.reduce((sum, pattern) => sum + (sample.match(pattern)?.length ?? 0), 0)
  // different signs in a row; equal ones are a line
  const rows = sample.match(/[¡-¿×÷‘“”‚„†‡•…‰‹›€™]{3,1000}/gu) ?? []
  return rows.reduce((sum, row) => sum + (new Set(row).size > 2 ? row.length : 0), faults)
}
const faultCharacters = 65_536

/** Below it, the letters fit no language; the most frequent encoding is the better guess. */
const minConfidence = 0.02

/** Guesses by the frequency of letters. Loaded on demand: its models take 1.2 MB. */
async function guessEncoding(bytes: Uint8Array): Promise<string> {
  const { chardet } = await import('jschardet')
  const sample = selectSample(bytes)
  const detect = (includeEncodings: string[]) => {
    const { encoding, confidence } = chardet.detect(sample, { includeEncodings, compatNames: false })
    return { known: detectable.get(detectorName(encoding ?? '')), confidence }
  }
  let { known, confidence } = detect(detectableNames)
  // a few signs, such as that of the euro, are letters in many old encodings
  if (known !== undefined && isOld(known) && confidence < minOldConfidence)
    ({ known, confidence } = detect(usualNames))
  return known !== undefined && confidence >= minConfidence ? known : 'windows-1252'
}

const isLineEnd = (byte: number | undefined) => byte === 0x0a || byte === 0x0d
/** Of a long line, only the part around its foreign bytes is taken. */
const lineBytes = 2_048

/** The lines that are not ASCII: the others tell nothing about the encoding, and outweigh them. */
function selectSample(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = []
  let length = 0
  for (let at = 0; at < bytes.length && length < detectionBytes; at += 1) {
    if ((bytes[at] ?? 0) < 0x80) continue
    let start = at
    while (start > 0 && at - start < lineBytes && !isLineEnd(bytes[start - 1])) start -= 1
    let end = at
    while (end < bytes.length && end - at < lineBytes && !isLineEnd(bytes[end])) end += 1
    parts.push(bytes.subarray(start, end), Uint8Array.of(0x0a))
    length += end - start + 1
    at = end
  }
  return Buffer.concat(parts)
}

function hasJapaneseEscape(bytes: Uint8Array): boolean {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return content.includes('\u001b$B') || content.includes('\u001b$@')
}

/**
 * Decodes a text by its bytes: byte order mark, UTF-16 and UTF-32 without one, UTF-8, then what the file declares, UTF-8 with a few
 * damaged bytes, and at last a guess.
 */
export async function decodeText(bytes: Uint8Array): Promise<DecodedText> {
  const unicode = detectUnicode(bytes)
  if (unicode) {
    const text = decodeUnicode(bytes, unicode)
    const written = unicode === 'utf-8' ? countWrittenReplacements(bytes) : 0
    return named(unicode, text, countForeign(text).replacements - written)
  }
  const isAscii = bytes.every((byte) => byte < 0x80)
  const declared = findDeclaredEncoding(bytes)
  // a file that was converted often keeps its old declaration
  if (isUtf8(bytes) && !(isAscii && declared)) {
    if (isAscii && hasJapaneseEscape(bytes)) return decodeAs(bytes, 'iso-2022-jp', false)
    const text = new TextDecoder().decode(bytes)
    const damaged = countForeign(text).replacements - countWrittenReplacements(bytes)
    return named('utf-8', text, damaged)
  }
  if (declared !== undefined && declared !== 'utf-8') {
    const decoded = decodeAs(bytes, declared, false)
    if (decoded.damaged <= decoded.text.length / 100) return decoded
  }
  return (
    decodeDamagedUtf8(bytes) ??
    (await decodeLines(bytes)) ??
    decodeAs(bytes, await guessEncoding(bytes), true)
  )
}

const isSingleByte = /^(?:windows-|iso-8859-|mac|koi8-|ibm)/

function* divideLines(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(0x0a, start) + 1 || bytes.length
    yield bytes.subarray(start, end)
    start = end
  }
}

const isUtf8Line = (line: Uint8Array) =>
  line.some((byte) => byte >= 0x80) && isUtf8(line) && !new TextDecoder().decode(line).includes('\ufffd')

/** Exports are appended to others: lines in UTF-8 stand among lines in another encoding. */
async function decodeLines(bytes: Uint8Array): Promise<DecodedText | undefined> {
  const others: Uint8Array[] = []
  let hasUtf8 = false
  for (const line of divideLines(bytes))
    if (isUtf8Line(line)) hasUtf8 = true
    else others.push(line)
  if (!hasUtf8) return undefined
  const encoding = await guessEncoding(Buffer.concat(others))
  if (!isSingleByte.test(encoding)) return undefined
  const [utf8, other] = [new TextDecoder(), createDecoder(encoding)]
  const parts: string[] = []
  for (const line of divideLines(bytes)) parts.push((isUtf8Line(line) ? utf8 : other).decode(line))
  const text = parts.join('')
  return { ...named(encoding, text, countForeign(text).replacements), isGuess: true }
}
