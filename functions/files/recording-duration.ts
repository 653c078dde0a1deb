import { measureAacFrame } from './aac-frame.ts'

export interface Recording {
  bytes: Uint8Array
  type: 'webm' | 'mp4' | 'wav'
  /** of its sound */
  seconds: number
}

/*
 * How long a recording is for whoever decodes it. A container can be read in several ways, so what is sent is none of it: the frames are
 * taken out and put into a new container of the same kind, with nothing else. Then only they can be heard, each once and in their order.
 */

/** Opus: a packet has at most 120 ms (RFC 6716, section 3.2.5). */
const maxOpusSeconds = 0.12
/** Frames of AAC have 1,024 samples. */
const aacSamples = 1_024
const aacRates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
]

type Bytes = Buffer
type Rewritten = Omit<Recording, 'type'>

/** The sound of a packet of Opus, by its first bytes. @see https://www.rfc-editor.org/rfc/rfc6716#section-3.1 */
function measureOpus(packet: Bytes): number {
  const [toc, count = 0] = packet
  if (toc === undefined) return 0
  const config = toc >> 3
  const frameMs =
    config < 12
      ? [10, 20, 40, 60][config % 4]
      : config < 16
        ? [10, 20][config % 2]
        : [2.5, 5, 10, 20][config % 4]
  const frames = [1, 2, 2, count & 63][toc & 3] ?? 1
  return Math.min(maxOpusSeconds, ((frameMs ?? 60) * frames) / 1_000)
}

// --- WebM: https://www.matroska.org/technical/elements.html

/** Elements that hold others. */
const masters = new Set([0x18538067, 0x1f43b675, 0xa0, 0x1654ae6b, 0xae, 0xe1, 0x1549a966])
/** With `encodings` packets begin with something else. */
const ids = {
  encodings: 0x6d80,
  simpleBlock: 0xa3,
  block: 0xa1,
  codec: 0x86,
  codecPrivate: 0x63a2,
}

/** A number with its length in front; `keepMark` for ids. */
function readVint(bytes: Bytes, at: number, keepMark: boolean): { value: number; end: number } | undefined {
  const first = bytes[at]
  if (first === undefined || first === 0) return undefined
  const length = Math.clz32(first) - 23
  if (at + length > bytes.length) return undefined
  let value = keepMark ? first : first & (0xff >> length)
  let isUnknown = value === 0xff >> length
  for (let index = 1; index < length; index += 1) {
    const next = bytes[at + index] ?? 0
    if (next !== 0xff) isUnknown = false
    value = value * 256 + next
  }
  return { value: isUnknown && !keepMark ? Infinity : value, end: at + length }
}

/** The frames of Opus and its configuration. */
function readWebm(bytes: Bytes): { head: Bytes; packets: Bytes[] } | undefined {
  const packets: Bytes[] = []
  let isOpus = false
  let head: Bytes | undefined
  for (let at = 0; at < bytes.length;) {
    const id = readVint(bytes, at, true)
    const size = id && readVint(bytes, id.end, false)
    // a recording may end in the middle
    if (!id || !size) {
      if (bytes.length - at > 16) return undefined
      break
    }
    at = size.end
    // a recorder does not know how long what it writes will be
    if (masters.has(id.value)) continue
    const data = bytes.subarray(at, at + size.value)
    at += data.length
    if (id.value === ids.encodings) return undefined
    if (id.value === ids.codec) {
      if (data.toString('latin1', 0, 6) !== 'A_OPUS') return undefined
      isOpus = true
    }
    if (id.value === ids.codecPrivate) head = data
    if ((id.value !== ids.simpleBlock && id.value !== ids.block) || data.length < size.value) continue
    const track = readVint(data, 0, false)
    if (!track || data.length <= track.end + 3) continue
    // several packets in one block: recorders of browsers do not write this, and their borders would have to be found
    if (((data[track.end + 2] ?? 0) & 6) !== 0) return undefined
    packets.push(data.subarray(track.end + 3))
  }
  // RFC 7845, section 5.1: version 1, mono or stereo, in one stream
  const isPlain = head?.toString('latin1', 0, 9) === 'OpusHead\u0001' && head.length >= 19 && head[18] === 0
  return isOpus && head && isPlain && [1, 2].includes(head[9] ?? 0)
    ? { head: head.subarray(0, 19), packets }
    : undefined
}

function element(id: number, ...parts: readonly Bytes[]): Bytes {
  const data = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(id)
  // a size of four bytes
  head.writeUInt32BE(0x10000000 + data.length, 4)
  return Buffer.concat([head.subarray(head.findIndex((byte) => byte !== 0)), data])
}

const uint = (value: number) => Buffer.from(value.toString(16).padStart(8, '0'), 'hex')
const latin1 = (text: string) => Buffer.from(text, 'latin1')

const clusterMs = 20_000

function rewriteWebm(bytes: Bytes): Rewritten | undefined {
  const read = readWebm(bytes)
  if (!read) return undefined
  const { head, packets } = read
  const clusters: { startMs: number; blocks: Bytes[] }[] = []
  let seconds = 0
  for (const packet of packets) {
    const ms = Math.round(seconds * 1_000)
    let cluster = clusters.at(-1)
    if (!cluster || ms - cluster.startMs >= clusterMs) {
      cluster = { startMs: ms, blocks: [] }
      clusters.push(cluster)
    }
    // of track 1, with its time in the cluster; a key frame
    const start = Buffer.from([0x81, 0, 0, 0x80])
    start.writeInt16BE(ms - cluster.startMs, 1)
    cluster.blocks.push(element(ids.simpleBlock, start, packet))
    seconds += measureOpus(packet)
  }
  const rate = Buffer.alloc(8)
  rate.writeDoubleBE(48_000)
  const audio = element(0xe1, element(0xb5, rate), element(0x9f, head.subarray(9, 10)))
  const track = element(
    0xae,
    element(0xd7, uint(1)),
    element(0x73c5, uint(1)),
    element(0x83, uint(2)),
    element(ids.codec, latin1('A_OPUS')),
    element(ids.codecPrivate, head),
    audio,
  )
  const segment = element(
    0x18538067,
    element(0x1549a966, element(0x2ad7b1, uint(1_000_000))),
    element(0x1654ae6b, track),
    ...clusters.map(({ startMs, blocks }) => element(0x1f43b675, element(0xe7, uint(startMs)), ...blocks)),
  )
  const type = element(
    0x1a45dfa3,
    element(0x4282, latin1('webm')),
    element(0x4287, uint(4)),
    element(0x4285, uint(2)),
  )
  return { bytes: Buffer.concat([type, segment]), seconds }
}

// --- MP4: ISO 14496-12

interface Box {
  type: string
  /** where it begins in the file */
  at: number
  data: Bytes
}

/** The boxes beside each other in a part of the file; what cannot be read ends them. @param from where the part begins in the file */
function listBoxes(part: Bytes, from = 0): Box[] {
  const boxes: Box[] = []
  for (let at = 0; at + 8 <= part.length;) {
    const short = part.readUInt32BE(at)
    const isLong = short === 1 && at + 16 <= part.length
    const size = isLong ? Number(part.readBigUInt64BE(at + 8)) : short
    const start = isLong ? 16 : 8
    const end = size === 0 ? part.length : at + size
    if (end < at + start) break
    boxes.push({
      type: part.toString('latin1', at + 4, at + 8),
      at: from + at,
      data: part.subarray(at + start, end),
    })
    at = end
  }
  return boxes
}

/** The boxes on a path. */
const findBoxes = (boxes: readonly Box[], ...path: readonly string[]): Box[] =>
  path.reduce(
    (found, type, depth) => {
      const next = depth === 0 ? found : found.flatMap(({ data }) => listBoxes(data))
      return next.filter((box) => box.type === type)
    },
    [...boxes],
  )

/** Reads 32-bit numbers one after the other; 0 after the end. */
function numberReader(data: Bytes, from: number) {
  let at = from
  const read = () => {
    at += 4
    return at <= data.length ? data.readUInt32BE(at - 4) : 0
  }
  return { read, skip: (bytes: number) => void (at += bytes), hasMore: () => at + 4 <= data.length }
}

/** The configuration of AAC in a description of samples (ISO 14496-14 and -1, 7.2.6); undefined for another codec. */
function readAacConfig(stsd: Bytes): Bytes | undefined {
  const version = stsd.length >= 34 && stsd.readUInt32BE(4) === 1 ? stsd.readUInt16BE(24) : 2
  if (version > 1 || stsd.toString('latin1', 12, 16) !== 'mp4a') return undefined
  const [esds, ...others] = listBoxes(stsd.subarray(version === 1 ? 60 : 44)).filter(
    ({ type }) => type === 'esds',
  )
  if (!esds || others.length > 0) return undefined
  let data = esds.data.subarray(4)
  /** Opens a descriptor of this tag at the beginning of the data. */
  const open = (tag: number): boolean => {
    const isTag = data[0] === tag
    let [at, length] = [1, 0]
    do length = length * 128 + ((data[at] ?? 0) & 0x7f)
    while (((data[at++] ?? 0) & 0x80) !== 0 && at < 5)
    data = data.subarray(at, at + length)
    return isTag
  }
  if (!open(3) || data[2] !== 0) return undefined
  data = data.subarray(3)
  // 0x40 is AAC
  if (!open(4) || data[0] !== 0x40) return undefined
  data = data.subarray(13)
  return open(5) && data.length >= 2 ? data.subarray(0, 16) : undefined
}

/** @returns the index of the rate; undefined for a configuration that recorders of browsers do not write */
function readAacRate(config: Bytes): number | undefined {
  let at = 0
  const read = (bits: number) => {
    let value = 0
    for (; bits > 0; bits -= 1, at += 1) value = value * 2 + (((config[at >> 3] ?? 0) >> (7 - (at & 7))) & 1)
    return value
  }
  const kind = read(5)
  const index = read(4)
  const channels = read(4)
  // with a copy of the high bands (SBR), and with parametric stereo
  const isExtended = kind === 5 || kind === 29
  if (isExtended && read(4) === 15) return undefined
  const profile = isExtended ? read(5) : kind
  // frames of 960 samples, or in layers
  const isOther = read(3) !== 0
  return profile === 2 && !isOther && (channels === 1 || channels === 2) && aacRates[index]
    ? index
    : undefined
}

interface Sample {
  at: number
  size: number
}

/** The samples that the tables of a track name. ISO 14496-12, 8.7 */
function listTrackSamples(tables: Bytes): Sample[] {
  const boxes = listBoxes(tables)
  const find = (type: string) => boxes.find((box) => box.type === type)?.data
  const [sizes, runs] = [find('stsz'), find('stsc')]
  const [offsets, wide] = [find('stco'), find('co64')]
  if (!sizes || !runs) return []
  const sizeReader = numberReader(sizes, 4)
  const sameSize = sizeReader.read()
  let left = Math.min(sizeReader.read(), sameSize === 0 ? sizes.length / 4 : maxSamples)
  const chunks = wide
    ? Array.from({ length: Math.floor((wide.length - 8) / 8) }, (_, index) =>
        Number(wide.readBigUInt64BE(8 + index * 8)),
      )
    : Array.from(
        { length: Math.floor(((offsets?.length ?? 8) - 8) / 4) },
        (_, index) => offsets?.readUInt32BE(8 + index * 4) ?? 0,
      )
  const runReader = numberReader(runs, 8)
  let perChunk = 0
  let nextRun = runReader.hasMore() ? runReader.read() : Infinity
  const samples: Sample[] = []
  for (const [index, chunk] of chunks.entries()) {
    if (index + 1 === nextRun) {
      perChunk = runReader.read()
      runReader.skip(4)
      nextRun = runReader.hasMore() ? runReader.read() : Infinity
    }
    let at = chunk
    for (let count = 0; count < perChunk && left >= 1; count += 1, left -= 1) {
      const size = sameSize === 0 ? sizeReader.read() : sameSize
      samples.push({ at, size })
      at += size
    }
  }
  return samples
}

/** The samples of a fragment. ISO 14496-12, 8.8 @param usual size of a sample for which nothing is said */
function listFragmentSamples(moof: Box, usual: number): Sample[] {
  return findBoxes([moof], 'moof', 'traf').flatMap(({ data }) => {
    const boxes = listBoxes(data)
    const head = numberReader(boxes.find(({ type }) => type === 'tfhd')?.data ?? Buffer.alloc(0), 0)
    const headFlags = head.read()
    head.skip(4)
    const base = (headFlags & 1) !== 0 ? head.read() * 2 ** 32 + head.read() : moof.at
    if ((headFlags & 2) !== 0) head.skip(4)
    if ((headFlags & 8) !== 0) head.skip(4)
    const size = (headFlags & 0x10) !== 0 ? head.read() : usual
    let at = base
    const samples: Sample[] = []
    for (const { type, data: run } of boxes) {
      if (type !== 'trun') continue
      const { read, skip } = numberReader(run, 0)
      const flags = read()
      const count = Math.min(read(), (flags & 0x200) !== 0 ? run.length / 4 : maxSamples)
      if ((flags & 1) !== 0) at = base + (read() | 0)
      if ((flags & 4) !== 0) skip(4)
      for (let index = 0; index < count; index += 1) {
        if ((flags & 0x100) !== 0) skip(4)
        const own = (flags & 0x200) !== 0 ? read() : size
        if ((flags & 0x400) !== 0) skip(4)
        if ((flags & 0x800) !== 0) skip(4)
        samples.push({ at, size: own })
        at += own
      }
    }
    return samples
  })
}

/** Far more than ten minutes have. */
const maxSamples = 100_000

/** The frames of the only track and the configuration of its codec. */
function readMp4(bytes: Bytes): { config: Bytes; samples: Bytes[] } | undefined {
  const boxes = listBoxes(bytes)
  const movies = findBoxes(boxes, 'moov')
  const tables = findBoxes(boxes, 'moov', 'trak', 'mdia', 'minf', 'stbl')
  const [description] = findBoxes(tables, 'stbl', 'stsd')
  const config = description && readAacConfig(description.data)
  if (movies.length !== 1 || tables.length !== 1 || !config) return undefined
  const usual = numberReader(findBoxes(boxes, 'moov', 'mvex', 'trex')[0]?.data ?? Buffer.alloc(0), 16).read()
  const listed = [
    ...tables.flatMap(({ data }) => listTrackSamples(data)),
    ...boxes.flatMap((box) => (box.type === 'moof' ? listFragmentSamples(box, usual) : [])),
  ]
  if (listed.length > maxSamples) return undefined
  // a recording may end in the middle
  const samples = listed.flatMap(({ at, size }) =>
    size > 0 && at >= 0 && at + size <= bytes.length ? [bytes.subarray(at, at + size)] : [],
  )
  // the same bytes again and again
  return samples.reduce((sum, { length }) => sum + length, 0) > bytes.length ? undefined : { config, samples }
}

const box = (type: string, ...parts: readonly Bytes[]): Bytes => {
  const data = Buffer.concat(parts)
  return Buffer.concat([uint(8 + data.length), latin1(type), data])
}
/** Numbers of 32 bits. */
const uints = (...values: readonly number[]) => Buffer.concat(values.map(uint))
const descriptor = (tag: number, ...parts: readonly Bytes[]) => {
  const data = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, data.length]), data])
}
/** Places and sizes are as they are. */
const matrix = uints(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)

function rewriteMp4(bytes: Bytes): Rewritten | undefined {
  const read = readMp4(bytes)
  const rateIndex = read && readAacRate(read.config)
  if (!read || rateIndex === undefined) return undefined
  const { config } = read
  const rate = aacRates[rateIndex] ?? 0
  const samples: Bytes[] = []
  for (const sample of read.samples) {
    const length = measureAacFrame(sample, rateIndex)
    if (length === undefined) return undefined
    // decoders would take another frame behind it
    samples.push(sample.subarray(0, length))
  }
  const sound = Buffer.concat(samples)
  const units = samples.length * aacSamples
  const esds = box(
    'esds',
    uints(0),
    descriptor(
      3,
      Buffer.from([0, 0, 0]),
      descriptor(4, Buffer.from([0x40, 0x15]), Buffer.alloc(11), descriptor(5, config)),
      descriptor(6, Buffer.from([2])),
    ),
  )
  const entry = box('mp4a', uints(0, 1, 0, 0), uints(0x20010, 0, (rate % 0x10000) * 0x10000), esds)
  const buildMovie = (soundAt: number) =>
    box(
      'moov',
      box('mvhd', uints(0, 0, 0, rate, units, 0x10000, 0x1000000, 0, 0), matrix, uints(0, 0, 0, 0, 0, 0, 2)),
      box(
        'trak',
        box('tkhd', uints(7, 0, 0, 1, 0, units, 0, 0, 0, 0x1000000), matrix, uints(0, 0)),
        box(
          'mdia',
          box('mdhd', uints(0, 0, 0, rate, units, 0x55c40000)),
          box('hdlr', uints(0, 0), latin1('soun'), uints(0, 0, 0), Buffer.alloc(1)),
          box(
            'minf',
            box('smhd', uints(0, 0)),
            box('dinf', box('dref', uints(0, 1), box('url ', uints(1)))),
            box(
              'stbl',
              box('stsd', uints(0, 1), entry),
              box('stts', uints(0, 1, samples.length, aacSamples)),
              box('stsc', uints(0, 1, 1, samples.length, 1)),
              box('stsz', uints(0, 0, samples.length, ...samples.map(({ length }) => length))),
              box('stco', uints(0, 1, soundAt)),
            ),
          ),
        ),
      ),
    )
  const type = box('ftyp', latin1('M4A '), uints(0), latin1('M4A mp42isom'))
  const soundAt = type.length + buildMovie(0).length + 8
  return {
    bytes: Buffer.concat([type, buildMovie(soundAt), box('mdat', sound)]),
    seconds: units / rate,
  }
}

// --- WAV

/** Sound as it is: whole numbers, or with a point. */
const wavBits: Readonly<Record<number, readonly number[]>> = { 1: [8, 16, 24, 32], 3: [32, 64] }
/** How an identifier of such a format ends in WAVE_FORMAT_EXTENSIBLE. */
const formatIdEnd = '000000001000800000aa00389b71'

function rewriteWav(bytes: Bytes): Rewritten | undefined {
  let format: Bytes | undefined
  for (let at = 12; at + 8 <= bytes.length;) {
    const type = bytes.toString('latin1', at, at + 4)
    const size = bytes.readUInt32LE(at + 4)
    // a recorder that writes as it records does not know the size
    const data = bytes.subarray(at + 8, size === 0 && type === 'data' ? bytes.length : at + 8 + size)
    if (type === 'fmt ' && data.length >= 16) format = data
    if (type === 'data') return format && rewritePcm(format, data)
    at += 8 + size + (size % 2)
  }
  return undefined
}

function rewritePcm(format: Bytes, data: Bytes): Rewritten | undefined {
  const isExtensible = format.readUInt16LE(0) === 0xfffe
  if (isExtensible && (format.length < 40 || format.toString('hex', 26, 40) !== formatIdEnd)) return undefined
  const code = format.readUInt16LE(isExtensible ? 24 : 0)
  const channels = format.readUInt16LE(2)
  const rate = format.readUInt32LE(4)
  const bits = format.readUInt16LE(14)
  if (wavBits[code]?.includes(bits) !== true || ![1, 2].includes(channels)) return undefined
  if (rate < 1_000 || rate > 192_000) return undefined
  const frameBytes = (channels * bits) / 8
  const sound = data.subarray(0, data.length - (data.length % frameBytes))
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + sound.length, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(code, 20)
  head.writeUInt16LE(channels, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * frameBytes, 28)
  head.writeUInt16LE(frameBytes, 32)
  head.writeUInt16LE(bits, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(sound.length, 40)
  return { bytes: Buffer.concat([head, sound]), seconds: sound.length / (rate * frameBytes) }
}

const rewriters = { webm: rewriteWebm, mp4: rewriteMp4, wav: rewriteWav }

/** @returns the recording with nothing but its sound; undefined for a container or codec whose sound cannot be measured */
export function rewriteRecording({ bytes, type }: Pick<Recording, 'bytes' | 'type'>): Recording | undefined {
  const rewritten = rewriters[type](Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  return rewritten && { type, ...rewritten }
}
