/** Unicode encodings that are known by the bytes, without a guess. */
export type UnicodeEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be'

const sampleBytes = 65_536

const byteOrderMarks: readonly (readonly [UnicodeEncoding, readonly number[]])[] = [
  // before UTF-16, whose mark it begins with
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** Tab, line feed, form feed, carriage return, and what terminals write into logs: bell, backspace, escape. */
const isTextControl = (byte: number) => (byte >= 7 && byte <= 13 && byte !== 11) || byte === 0x1b

/** Counts zeros by position in units of four bytes, and control characters that texts do not have. */
function countBytes(sample: Uint8Array) {
  const zeros = [0, 0, 0, 0]
  let zeroRuns = 0
  let controls = 0
  sample.forEach((byte, index) => {
    if (byte === 0) {
      zeros[index % 4] = (zeros[index % 4] ?? 0) + 1
      // a log of a computer that lost its power has many in a row
      if (sample[index - 1] !== 0) zeroRuns += 1
    } else if ((byte < 0x20 && !isTextControl(byte)) || byte === 0x7f) controls += 1
  })
  const [first = 0, second = 0, third = 0, fourth = 0] = zeros
  return { first, second, third, fourth, zeroRuns, controls, zeros: first + second + third + fourth }
}

/**
 * Detects Unicode by its byte order mark, or by the zeros that UTF-16 and UTF-32 consist of.
 * @returns undefined for UTF-8 without a mark and for all other encodings
 */
export function detectUnicode(bytes: Uint8Array): UnicodeEncoding | undefined {
  const mark = byteOrderMarks.find(([, wanted]) => wanted.every((byte, index) => bytes[index] === byte))
  if (mark) return mark[0]
  const sample = bytes.subarray(0, sampleBytes)
  const { first, second, third, fourth, zeros, controls } = countBytes(sample)
  if (zeros === 0) return undefined
  const quarter = sample.length / 4
  if (third > quarter * 0.9 && fourth > quarter * 0.9 && first < quarter / 10) return 'utf-32le'
  if (first > quarter * 0.9 && second > quarter * 0.9 && fourth < quarter / 10) return 'utf-32be'
  const [even, odd] = [first + third, second + fourth]
  if (zeros > sample.length / 4) {
    // Latin letters
    if (even < odd / 20) return isPlausible(sample, 'utf-16le') ? 'utf-16le' : undefined
    return odd < even / 20 && isPlausible(sample, 'utf-16be') ? 'utf-16be' : undefined
  }
  // Chinese and Japanese have few zeros, and bytes of all values
  if (controls <= sample.length / 100 || countAscii(sample) > sample.length * 0.75) return undefined
  return (['utf-16le', 'utf-16be'] as const).find((encoding) =>
    isPlausible(sample, encoding, /[\n\r\u3001\u3002]/),
  )
}

const countAscii = (sample: Uint8Array) =>
  sample.reduce((count, byte) => (byte >= 0x20 && byte < 0x7f ? count + 1 : count), 0)

/** Whether bytes decode to assigned characters. @param required what the text has to contain */
function isPlausible(sample: Uint8Array, encoding: UnicodeEncoding, required?: RegExp): boolean {
  const text = new TextDecoder(encoding).decode(sample.subarray(0, sample.length - (sample.length % 2)))
  const strange = text.match(/[\p{Cn}\p{Co}\p{Cs}\ufffd]|(?!\s)\p{Cc}/gu)?.length ?? 0
  return strange <= text.length / 50 && (required?.test(text) ?? true)
}

/** @returns whether the bytes are valid UTF-8; a character that is cut at the end does not count */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/**
 * Whether bytes are text in EBCDIC, which mainframes write: blanks are 0x40, digits and most letters are above 0x80, and no blank or line end of
 * ASCII stands between them.
 */
function isEbcdic(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, sampleBytes)
  const counts = new Uint32Array(256)
  for (const byte of sample) counts[byte] = (counts[byte] ?? 0) + 1
  const sum = (from: number, to: number) => counts.subarray(from, to + 1).reduce((all, one) => all + one, 0)
  const blanks = sum(0x40, 0x40)
  // tab, carriage return, new line, line feed
  const controls = sum(0, 0x3f) - sum(5, 5) - sum(0x0d, 0x0d) - sum(0x15, 0x15) - sum(0x25, 0x25)
  return (
    blanks > sample.length / 30 &&
    sum(0x20, 0x20) + sum(0x0a, 0x0a) < blanks / 20 &&
    controls <= sample.length / 100 &&
    sum(0x80, 0xff) > sample.length / 50 &&
    !isUtf8(sample)
  )
}

/** An archive of texts consists of texts and zeros. */
const isTar = (bytes: Uint8Array) => Buffer.from(bytes.subarray(257, 262)).toString('latin1') === 'ustar'

/**
 * Whether bytes are text in any encoding but EBCDIC. A few NUL bytes do not make a text binary.
 * @param bytes the whole file, or its beginning
 */
export function isText(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, sampleBytes)
  const encoding = detectUnicode(sample)
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return isPlausible(sample, encoding)
  if (encoding) return true
  if (isTar(sample) || isEbcdic(sample)) return false
  const { zeroRuns, controls, zeros } = countBytes(sample)
  const strange = controls + zeroRuns
  const rest = sample.length - zeros + zeroRuns
  // protocols separate fields by control characters; in bytes that are not UTF-8 they are no text
  return strange <= rest * (isUtf8(sample) ? 0.15 : 0.02) && (rest > 0 || sample.length === 0)
}
