/*
 * Where a frame of AAC ends, which only its code words tell: decoders take a sample with several frames, so that hours of sound fit into
 * samples of seconds. ISO 14496-3, 4.4.2 (syntax), 4.5.4 (bands of frequencies) and 4.A.1 (code books).
 */

/** Widths of the bands of long and short windows, by the index of the rate; `4x3` are three of 4. */
const parseWidths = (text: string): number[] =>
  text.split(' ').flatMap((part) => {
    const [width, count = 1] = part.split('x').map(Number)
    return Array.from({ length: count }, () => width ?? 0)
  })
const longBands = [
  '4x14 8x5 12x5 16x2 24 28 36 44 64x11',
  '4x14 8x4 12x3 16x3 20 24x2 28 36 40x18',
  '4x10 8x7 12x4 16x2 20x2 24x2 28x2 32x19 96',
  '4x10 8x7 12x4 16x2 20x2 24x2 28x2 32x22',
  '4x11 8x10 12x4 16x3 20x2 24x2 28x2 32 36x2 40 44 48 52x2 64x5',
  '8x11 12x9 16x4 20x3 24x2 28x2 32 36 40x2 44 48 52 56 60 64x3',
  '12x13 16x7 20x4 24x3 28x2 32 36x2 40 44 48 52 56 60 64 80',
].map(parseWidths)
const shortBands = [
  '4x6 8x3 16 28 36',
  '4x5 8x3 12x3 16x3',
  '4x7 8x3 12x2 16x2 20',
  '4x8 8x2 12x2 16 20x2',
  '4x7 8x4 12 16 20x2',
].map(parseWidths)
const longByRate = [0, 0, 1, 2, 2, 3, 4, 4, 5, 5, 5, 6, 6]
const shortByRate = [0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4]

/**
 * How many code words of a book have 1, 2, 3 … bits. With that all are known, as shorter ones are smaller. And what follows each, in their
 * order: a digit is the number of signs; a, b and c are one escape with one sign, one with two, two with two.
 */
type CodeBook = readonly [counts: readonly number[], following?: string]

const scaleFactors: CodeBook = [[1, 0, 1, 3, 2, 4, 3, 5, 4, 6, 6, 6, 5, 8, 4, 7, 3, 7, 46]]
const spectrum: readonly (CodeBook | undefined)[] = [
  undefined,
  [[1, 0, 0, 0, 8, 0, 24, 0, 24, 8, 16]],
  [[0, 0, 1, 1, 7, 24, 15, 19, 14]],
  [
    [1, 0, 0, 4, 2, 6, 3, 5, 15, 15, 8, 9, 3, 3, 5, 2],
    '011112222232343311223232331221224334323244332333223243344233333344442233434443233',
  ],
  [
    [0, 0, 0, 10, 6, 0, 9, 21, 8, 14, 11, 2],
    '433331202222121144443333333333332222222222221111444444333333333433344422222243333',
  ],
  [[1, 0, 0, 4, 4, 0, 4, 12, 12, 12, 18, 10, 4]],
  [[0, 0, 0, 9, 0, 16, 13, 8, 23, 8, 4]],
  [
    [1, 0, 2, 1, 0, 4, 5, 10, 14, 15, 8, 4],
    '0112221122211222222221122212122222222211222222222222112222222222',
  ],
  [[0, 0, 1, 5, 7, 10, 14, 15, 8, 4], '2212120112222222221122222222221212222222121222222222221212222112'],
  [
    [1, 0, 2, 1, 0, 4, 3, 8, 11, 20, 31, 38, 32, 14, 4],
    '0112221122211222222221122222221212222222212222222212221222212222112222222222222122212222222222222222222212212222222122222222222222212212222122222222222222222222222222222',
  ],
  [
    [0, 0, 0, 3, 8, 14, 17, 25, 31, 41, 22, 8],
    '2222112222211222202211222222222222121222222222222121222222222222222222122222122222222222222222121222222212222221222222222222222221212122222222222222212122212221222222122',
  ],
  [
    [0, 0, 0, 2, 6, 7, 16, 59, 55, 95, 43, 6],
    '02c11222222121222222211222222222222222bbbbb2b121b2bbbb22222bb22bbb22b2bbb2b22bb2221bb222212bb22b2b2222222b221222222122222222222222122222222222a222222a2122222222222222222222222222222212222222222222222221222222222222222222222222222112222222222222222222222222212212122212222211222212212112112',
  ],
]
const escapesAndSigns: Readonly<Record<string, readonly [number, number]>> = {
  a: [1, 1],
  b: [1, 2],
  c: [2, 2],
}
/** Books of four values at a time; the others have two. */
const lastOfFour = 4
const noise = 13
const reserved = 12
/** An error of the encoder would be longer. */
const maxEscapeBits = 8

/** Reads bits; those after the end are 0. */
class BitReader {
  readonly bytes: Uint8Array
  at = 0
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  readBit(): number {
    const bit = ((this.bytes[this.at >> 3] ?? 0) >> (7 - (this.at & 7))) & 1
    this.at += 1
    return bit
  }

  read(count: number): number {
    let value = 0
    for (let index = 0; index < count; index += 1) value = value * 2 + this.readBit()
    return value
  }

  /** @returns the number of a code word in its book */
  readWord([counts]: CodeBook): number {
    let code = 0
    let first = 0
    let before = 0
    for (const count of counts) {
      code = code * 2 + this.readBit()
      if (code - first < count) return before + code - first
      before += count
      first = (first + count) * 2
    }
    throw new UnknownFrame()
  }
}

/** What no recorder of a browser writes, or what is no frame at all. */
class UnknownFrame extends Error {}

const require = (isTrue: boolean): void => {
  if (!isTrue) throw new UnknownFrame()
}

interface Windows {
  isShort: boolean
  maxBand: number
  /** how many windows share their bands, for each group */
  groups: number[]
}

function readWindows(bits: BitReader): Windows {
  require(bits.readBit() === 0)
  const isShort = bits.read(2) === 2
  bits.read(1)
  const maxBand = bits.read(isShort ? 4 : 6)
  if (!isShort) {
    // the prediction of another profile
    require(bits.readBit() === 0)
    return { isShort, maxBand, groups: [1] }
  }
  const groups = [1]
  for (let window = 1; window < 8; window += 1)
    if (bits.readBit() === 1) groups[groups.length - 1] = (groups.at(-1) ?? 0) + 1
    else groups.push(1)
  return { isShort, maxBand, groups }
}

function skipPulses(bits: BitReader): void {
  const count = bits.read(2) + 1
  bits.read(6)
  for (let pulse = 0; pulse < count; pulse += 1) bits.read(9)
}

function skipNoiseShaping(bits: BitReader, isShort: boolean): void {
  for (let window = 0; window < (isShort ? 8 : 1); window += 1) {
    const filters = bits.read(isShort ? 1 : 2)
    const resolution = filters > 0 ? bits.read(1) : 0
    for (let filter = 0; filter < filters; filter += 1) {
      bits.read(isShort ? 4 : 6)
      const order = bits.read(isShort ? 3 : 5)
      if (order === 0) continue
      bits.read(1)
      bits.read(order * (3 + resolution - bits.read(1)))
    }
  }
}

/** The book of each band, for each group. */
function readSections(bits: BitReader, { isShort, maxBand, groups }: Windows): number[][] {
  const lengthBits = isShort ? 3 : 5
  const isContinued = (1 << lengthBits) - 1
  return groups.map(() => {
    const books: number[] = []
    while (books.length < maxBand) {
      const book = bits.read(4)
      require(book !== reserved)
      let length = 0
      for (let part = isContinued; part === isContinued;) {
        part = bits.read(lengthBits)
        length += part
        require(books.length + length <= maxBand)
      }
      for (let band = 0; band < length; band += 1) books.push(book)
      // sections of no band would go on for ever
      require(length > 0)
    }
    return books
  })
}

function skipScaleFactors(bits: BitReader, books: readonly number[][]): void {
  let isFirstNoise = true
  for (const book of books.flat()) {
    if (book === 0) continue
    if (book === noise && isFirstNoise) {
      isFirstNoise = false
      bits.read(9)
    } else bits.readWord(scaleFactors)
  }
}

function skipSpectrum(
  bits: BitReader,
  { groups }: Windows,
  widths: readonly number[],
  books: readonly number[][],
): void {
  for (const [group, windows] of groups.entries())
    for (const [band, number] of (books[group] ?? []).entries()) {
      const book = spectrum[number]
      if (!book) continue
      const [, following = ''] = book
      const words = ((widths[band] ?? 0) * windows) / (number <= lastOfFour ? 4 : 2)
      for (let word = 0; word < words; word += 1) {
        const kind = following[bits.readWord(book)] ?? '0'
        const [escapes, signs] = escapesAndSigns[kind] ?? [0, Number(kind)]
        bits.at += signs
        for (let escape = 0; escape < escapes; escape += 1) {
          let length = 4
          while (bits.readBit() === 1) {
            length += 1
            require(length - 4 <= maxEscapeBits)
          }
          bits.at += length
        }
      }
    }
}

function skipChannel(bits: BitReader, shared: Windows | undefined, rate: number): void {
  bits.read(8)
  const windows = shared ?? readWindows(bits)
  const { isShort, maxBand } = windows
  const widths = (isShort ? shortBands[shortByRate[rate] ?? -1] : longBands[longByRate[rate] ?? -1]) ?? []
  require(maxBand <= widths.length)
  const books = readSections(bits, windows)
  skipScaleFactors(bits, books)
  if (bits.readBit() === 1) {
    require(!isShort)
    skipPulses(bits)
  }
  if (bits.readBit() === 1) skipNoiseShaping(bits, isShort)
  // the gain control of another profile
  require(bits.readBit() === 0)
  skipSpectrum(bits, windows, widths, books)
}

function skipPair(bits: BitReader, rate: number): void {
  const shared = bits.readBit() === 1 ? readWindows(bits) : undefined
  if (shared) {
    const mask = bits.read(2)
    require(mask < 3)
    if (mask === 1) bits.at += shared.groups.length * shared.maxBand
  }
  skipChannel(bits, shared, rate)
  skipChannel(bits, shared, rate)
}

const alignByte = (bits: BitReader) => void (bits.at = Math.ceil(bits.at / 8) * 8)

function skipFrame(bits: BitReader, end: number, rate: number): void {
  for (let channels = 0; ;) {
    require(bits.at < end)
    const id = bits.read(3)
    if (id === 7) return require(channels === 1)
    if (id === 6) {
      const count = bits.read(4)
      const more = count === 15 ? bits.read(8) - 1 : 0
      bits.at += 8 * (count + more)
      continue
    }
    bits.read(4)
    if (id === 4) {
      const isAligned = bits.readBit() === 1
      const count = bits.read(8)
      const more = count === 255 ? bits.read(8) : 0
      if (isAligned) alignByte(bits)
      bits.at += 8 * (count + more)
      continue
    }
    require(id === 0 || id === 1)
    channels += 1
    if (id === 0) skipChannel(bits, undefined, rate)
    else skipPair(bits, rate)
  }
}

/**
 * The length of the frame at the beginning of a sample, in bytes: mono or stereo of the profile LC.
 * @param rate the index of its rate
 * @returns undefined for what recorders of browsers do not write
 */
export function measureAacFrame(sample: Uint8Array, rate: number): number | undefined {
  const bits = new BitReader(sample)
  const end = sample.length * 8
  try {
    skipFrame(bits, end, rate)
  } catch (error) {
    if (error instanceof UnknownFrame) return undefined
    throw error
  }
  alignByte(bits)
  return bits.at <= end ? bits.at / 8 : undefined
}
