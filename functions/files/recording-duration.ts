export interface Recording {
  bytes: Uint8Array
  type: 'webm' | 'mp4' | 'wav'
  /** of its sound */
  seconds: number
}

/**
 * How long a recording is, at the most that its frames hold: what its container says may be missing or less. Each byte of the container
 * is read once at most, and of the sound the first bytes of a packet.
 */

/** Opus: a packet has at most 120 ms (RFC 6716, section 3.2.5). */
const maxOpusSeconds = 0.12
/** Frames of AAC have 1,024 samples, and the lowest rate is this. */
const aacSamples = 1_024
const aacRates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
]

type Bytes = Buffer

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
  timestamp: 0xe7,
  timestampScale: 0x2ad7b1,
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

const readUint = (bytes: Bytes) => bytes.reduce((value, byte) => value * 256 + byte, 0)

function measureWebm(bytes: Bytes): number | undefined {
  let seconds = 0
  let clusterTime = 0
  let lastTime = 0
  let scale = 1_000_000
  let isOpus = false
  const toSeconds = () => Math.max(seconds, (lastTime * scale) / 1e9)
  for (let at = 0; at < bytes.length;) {
    const id = readVint(bytes, at, true)
    const size = id && readVint(bytes, id.end, false)
    // what cannot be read could still be found by a decoder; a recording may end in the middle
    if (!id || !size) return bytes.length - at > 16 || !isOpus ? undefined : toSeconds()
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
    if (id.value === ids.timestampScale) scale = readUint(data.subarray(0, 8))
    if (id.value === ids.timestamp) clusterTime = readUint(data.subarray(0, 8))
    if (id.value !== ids.simpleBlock && id.value !== ids.block) continue
    const track = readVint(data, 0, false)
    if (!track || data.length < track.end + 3) continue
    // several packets in one block: recorders of browsers do not write this, and their borders would have to be found
    if (((data[track.end + 2] ?? 0) & 6) !== 0) return undefined
    lastTime = Math.max(lastTime, clusterTime + data.readInt16BE(track.end))
    seconds += measureOpus(data.subarray(track.end + 3))
  }
  return isOpus ? toSeconds() : undefined
}

// --- MP4: ISO 14496-12

const containers = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf', 'mvex'])

/** Calls `visit` for each box, also those in containers; none of them is read twice. */
function visitBoxes(bytes: Bytes, visit: (type: string, data: Bytes) => void): void {
  const ends = [bytes.length]
  for (let at = 0; at + 8 <= bytes.length;) {
    while (ends.length > 1 && at >= (ends.at(-1) ?? 0)) ends.pop()
    const type = bytes.toString('latin1', at + 4, at + 8)
    const short = bytes.readUInt32BE(at)
    const isLong = short === 1 && at + 16 <= bytes.length
    const size = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : short
    const start = at + (isLong ? 16 : 8)
    const end = size === 0 ? bytes.length : Math.max(start, Math.min(at + size, ends.at(-1) ?? 0))
    if (containers.has(type)) {
      ends.push(end)
      at = start
    } else {
      visit(type, bytes.subarray(start, end))
      at = end
    }
  }
}

/** The rate of AAC by its configuration in `esds`; undefined for another codec. */
function readAacRate(entry: Bytes): number | undefined {
  const at = entry.indexOf('esds')
  // the descriptor of the configuration (tag 5) stands in that of the decoder (tag 4), whose type 0x40 is AAC
  for (let tag = at + 8; at >= 0 && tag < Math.min(entry.length, at + 80); tag += 1) {
    if (entry[tag] !== 5) continue
    let start = tag + 1
    while (((entry[start] ?? 0) & 0x80) !== 0 && start < tag + 5) start += 1
    const config = entry.subarray(start + 1, start + 6)
    if (config.length < 2 || entry[start] === 0) continue
    const [first = 0, second = 0] = config
    const kind = first >> 3
    if (![1, 2, 3, 4, 5, 29].includes(kind)) return undefined
    return aacRates[((first & 7) << 1) | (second >> 7)]
  }
  return undefined
}

/** Reads bits; those after the end are 0. */
function bitReader(bytes: Bytes, at: number) {
  let bit = at * 8
  return {
    read: (count: number): number => {
      let value = 0
      for (let index = 0; index < count; index += 1, bit += 1)
        value = value * 2 + (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1)
      return value
    },
    skip: (count: number) => void (bit += count),
    getByte: () => (bit + 7) >> 3,
  }
}

/** The most elements that a frame without sound may have. */
const maxElements = 3

/**
 * A frame of AAC without sound: mono, stereo or filling, and no band of frequencies. ISO 14496-3, 4.4.2.
 * @returns where it ends; undefined for anything else
 */
function skipSilence(bytes: Bytes, at: number): number | undefined {
  const { read, skip, getByte } = bitReader(bytes, at)
  let hasChannel = false
  const readInfo = () => {
    if (read(1) !== 0) return false
    const isShort = read(2) === 2
    read(1)
    const bands = read(isShort ? 4 : 6)
    return bands === 0 && read(isShort ? 7 : 1) === 0
  }
  const readChannel = (hasInfo: boolean) => {
    skip(8)
    return (hasInfo || readInfo()) && read(3) === 0
  }
  for (let element = 0; element < maxElements; element += 1) {
    const id = read(3)
    // the end
    if (id === 7) return hasChannel && getByte() <= bytes.length ? getByte() : undefined
    if (id === 6) {
      const count = read(4)
      skip(8 * (count === 15 ? 14 + read(8) : count))
      continue
    }
    if (id !== 0 && id !== 1 && id !== 3) return undefined
    read(4)
    const isCommon = id === 1 && read(1) === 1
    if (isCommon && !(readInfo() && read(2) !== 3)) return undefined
    for (let channel = 0; channel < (id === 1 ? 2 : 1); channel += 1)
      if (!readChannel(isCommon)) return undefined
    hasChannel = true
  }
  return undefined
}

/**
 * Decoders take a sample with several frames, which only a decoder can tell apart. Those of silence, by which hours fit into a recording,
 * have few bytes and are found among all others.
 */
function countSilence(bytes: Bytes): number {
  let frames = 0
  for (let at = 0; at < bytes.length;) {
    const end = skipSilence(bytes, at)
    if (end !== undefined) frames += 1
    at = end ?? at + 1
  }
  return frames
}

function measureMp4(bytes: Bytes): number | undefined {
  let frames = 0
  let silentFrames = 0
  let rate: number | undefined
  let isOther = false
  let longest = 0
  visitBoxes(bytes, (type, data) => {
    if (type === 'stsd') {
      const codec = data.toString('latin1', 12, 16)
      const found = codec === 'mp4a' ? readAacRate(data) : undefined
      if (found === undefined) isOther = true
      else rate = Math.min(rate ?? found, found)
    } else if (type === 'mdat') silentFrames += countSilence(data)
    else if (type === 'stsz' && data.length >= 12) frames += data.readUInt32BE(8)
    else if (type === 'stz2' && data.length >= 12) frames += data.readUInt32BE(8)
    else if (type === 'trun' && data.length >= 8) frames += data.readUInt32BE(4)
    else if ((type === 'mvhd' || type === 'mdhd') && data.length >= 32) {
      const isWide = data[0] === 1
      const scale = data.readUInt32BE(isWide ? 20 : 12)
      const units = isWide ? Number(data.readBigUInt64BE(24)) : data.readUInt32BE(16)
      // a recording that is still written has no duration, or all bits of it
      const isKnown = isWide ? units < 2 ** 63 : units < 0xffffffff
      if (scale > 0 && isKnown) longest = Math.max(longest, units / scale)
    }
  })
  if (isOther) return undefined
  if (rate === undefined) return undefined
  return Math.max(longest, (Math.max(frames, silentFrames) * aacSamples) / rate)
}

// --- WAV

/** Sound as it is, at 8 to 32 bits, or in one of the telephone's two codes. */
const wavFormats = new Set([1, 3, 6, 7, 0xfffe])

function measureWav(bytes: Bytes): number | undefined {
  for (let at = 12; at + 8 <= bytes.length;) {
    const type = bytes.toString('latin1', at, at + 4)
    const size = bytes.readUInt32LE(at + 4)
    if (type === 'fmt ' && at + 24 <= bytes.length) {
      const format = bytes.readUInt16LE(at + 8)
      const channels = bytes.readUInt16LE(at + 10)
      const rate = bytes.readUInt32LE(at + 12)
      const bits = bytes.readUInt16LE(at + 22)
      if (!wavFormats.has(format) || channels === 0 || rate === 0 || bits < 8) return undefined
      // the size that the header names may be less than what follows
      return Math.max(0, bytes.length - at - 24) / (channels * rate * (bits >> 3))
    }
    at += 8 + size + (size % 2)
  }
  return undefined
}

const measures = { webm: measureWebm, mp4: measureMp4, wav: measureWav }

/** @returns seconds; undefined for a container or codec whose sound cannot be measured */
export function measureRecording({ bytes, type }: Pick<Recording, 'bytes' | 'type'>): number | undefined {
  return measures[type](Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}
