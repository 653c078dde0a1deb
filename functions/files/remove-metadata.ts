import { crc32 } from 'node:zlib'
import { readJpegFacts, readOrientation, readTiffOrientation } from '#shared/jpeg-facts.ts'

type ImageType = 'image/png' | 'image/jpeg' | 'image/webp'

const removers: Readonly<Record<ImageType, (bytes: Uint8Array) => Uint8Array[]>> = {
  'image/jpeg': cleanJpeg,
  'image/png': cleanPng,
  'image/webp': cleanWebp,
}

/**
 * Removes from an image all that is neither pixels nor how they are shown: places, cameras, names, thumbnails, texts, and what follows its end.
 * Colour profiles stay, and of EXIF how the image is turned. Pixels are not decoded.
 * @returns undefined if its structure cannot be read
 */
export function removeMetadata(bytes: Uint8Array, type: ImageType): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new Uint8Array(Buffer.concat(removers[type](bytes)))
  } catch (error) {
    // the bytes end too early
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const toView = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const hasText = (bytes: Uint8Array, at: number, text: string) =>
  Buffer.from(bytes.subarray(at, at + text.length)).toString('latin1') === text

/** The bytes from `at`. @throws RangeError if there are fewer */
function take(bytes: Uint8Array, at: number, length: number): Uint8Array {
  if (at + length > bytes.length) throw new RangeError(`${at + length} of ${bytes.length} bytes`)
  return bytes.subarray(at, at + length)
}

/** A TIFF header and a directory of one entry. @param orientation 2 to 8 @see CIPA DC-008, 4.6 */
const formatOrientation = (orientation: number) =>
  Buffer.concat([
    Buffer.from([0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8]),
    Buffer.from([0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]),
    Buffer.alloc(4),
  ])
const isTurned = (orientation: number | undefined): orientation is number =>
  orientation !== undefined && orientation >= 2 && orientation <= 8

const [soi, eoi, sos, app0, app2, app14] = [0xd8, 0xd9, 0xda, 0xe0, 0xe2, 0xee]
const isApplication = (marker: number) => marker >= 0xe0 && marker <= 0xef
const comment = 0xfe
const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7

/** @see ITU-T T.81, annex B; T.871 (JFIF) */
function cleanJpeg(bytes: Uint8Array): Uint8Array[] {
  const view = toView(bytes)
  const parts: Uint8Array[] = [Uint8Array.of(0xff, soi)]
  const { orientation } = readJpegFacts(bytes)
  const exif = isTurned(orientation) ? formatOrientation(orientation) : undefined
  // after JFIF, which has to be first
  const addExif = () => {
    if (exif) parts.push(Buffer.from([0xff, 0xe1, 0, exif.length + 8, ...Buffer.from('Exif\0\0')]), exif)
  }
  let at = 2
  let isFirst = true
  for (;;) {
    if (view.getUint8(at) !== 0xff) throw new RangeError('no marker')
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) {
      // fill bytes
      at += 1
      continue
    }
    if (isFirst && marker !== app0) addExif()
    if (marker === eoi) return [...parts, Uint8Array.of(0xff, eoi)]
    const length = view.getUint16(at + 2)
    const segment = take(bytes, at, 2 + length)
    const shown = cleanSegment(segment, marker)
    if (shown) parts.push(shown)
    if (isFirst && marker === app0) addExif()
    isFirst = false
    at += segment.length
    if (marker !== sos) continue
    const end = findScanEnd(bytes, at)
    parts.push(bytes.subarray(at, end))
    // cut off: a browser shows what is there
    if (end === bytes.length) return parts
    at = end
  }
}

/** @returns undefined for a segment that is left out */
function cleanSegment(segment: Uint8Array, marker: number): Uint8Array | undefined {
  // without its thumbnail
  if (marker === app0 && hasText(segment, 4, 'JFIF\0'))
    return Uint8Array.of(0xff, app0, 0, 16, ...take(segment, 4, 12), 0, 0)
  if (marker === app2 && hasText(segment, 4, 'ICC_PROFILE\0')) return segment
  // how colours are stored
  if (marker === app14 && hasText(segment, 4, 'Adobe')) return segment
  return isApplication(marker) || marker === comment ? undefined : segment
}

/** Where the next segment begins behind the data of a scan. */
function findScanEnd(bytes: Uint8Array, from: number): number {
  for (
    let at = bytes.indexOf(0xff, from);
    at >= 0 && at + 1 < bytes.length;
    at = bytes.indexOf(0xff, at + 1)
  ) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at
  }
  return bytes.length
}

/** What a PNG is drawn with. @see https://www.w3.org/TR/png-3/ section 11 */
const shownChunks = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP sBIT bKGD pHYs cICP mDCV cLLI'.split(' '),
)
const pngSignatureBytes = 8

function cleanPng(bytes: Uint8Array): Uint8Array[] {
  const view = toView(bytes)
  const parts: Uint8Array[] = [bytes.subarray(0, pngSignatureBytes)]
  let orientation: number | undefined
  for (let at = pngSignatureBytes, name = ''; name !== 'IEND';) {
    const chunk = take(bytes, at, 12 + view.getUint32(at))
    name = Buffer.from(chunk.subarray(4, 8)).toString('latin1')
    if (name === 'eXIf') orientation = readTiffOrientation(toView(chunk), 8)
    if (shownChunks.has(name)) parts.push(chunk)
    at += chunk.length
  }
  // behind the header
  if (isTurned(orientation)) parts.splice(2, 0, formatPngChunk('eXIf', formatOrientation(orientation)))
  return parts
}

function formatPngChunk(name: string, content: Uint8Array): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(name), content, Buffer.alloc(4)])
  chunk.writeUInt32BE(content.length)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4)
  return chunk
}

/** What a WebP is drawn with. @see RFC 9649 section 2.7 */
const drawnChunks = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
const riffHeaderBytes = 12
const [exifFlag, xmpFlag] = [0x08, 0x04]

function cleanWebp(bytes: Uint8Array): Uint8Array[] {
  const view = toView(bytes)
  const chunks: Buffer[] = []
  const end = Math.min(bytes.length, 8 + view.getUint32(4, true))
  let orientation: number | undefined
  for (let at = riffHeaderBytes; at < end;) {
    const length = view.getUint32(at + 4, true)
    const chunk = Buffer.from(take(bytes, at, 8 + length))
    const name = chunk.toString('latin1', 0, 4)
    const [chunkView, isPrefixed] = [toView(chunk), hasText(chunk, 8, 'Exif\0\0')]
    if (name === 'EXIF')
      orientation = isPrefixed ? readOrientation(chunkView, 8) : readTiffOrientation(chunkView, 8)
    if (drawnChunks.has(name)) chunks.push(chunk)
    at += chunk.length + (length % 2)
  }
  const extended = chunks.find((chunk) => chunk.toString('latin1', 0, 4) === 'VP8X')
  // only an extended WebP may have EXIF
  const turned = extended && isTurned(orientation) ? orientation : undefined
  if (extended) {
    const flags = extended.readUInt8(8) & ~exifFlag & ~xmpFlag
    extended.writeUInt8(flags | (turned === undefined ? 0 : exifFlag), 8)
  }
  if (turned !== undefined) chunks.push(formatWebpChunk('EXIF', formatOrientation(turned)))
  const padded = chunks.flatMap((chunk) => (chunk.length % 2 === 0 ? [chunk] : [chunk, Buffer.alloc(1)]))
  const header = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  header.writeUInt32LE(4 + padded.reduce((sum, { length }) => sum + length, 0), 4)
  return [header, ...padded]
}

function formatWebpChunk(name: string, content: Uint8Array): Buffer {
  const chunk = Buffer.concat([Buffer.from(name), Buffer.alloc(4), content])
  chunk.writeUInt32LE(content.length, 4)
  return chunk
}
