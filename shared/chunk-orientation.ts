import { readOrientation, readTiffOrientation } from '#shared/jpeg-facts.ts'

/**
 * The orientation that the EXIF of a PNG or WebP states, which may stand behind the pixels.
 * @param bytes the whole file
 * @returns 1 is upright, 2 to 8 are turned or mirrored; undefined without EXIF
 * @see https://www.w3.org/TR/png-3/ section 11.3.4.5; RFC 9649 section 2.7.1.5
 */
export function readChunkOrientation(
  bytes: Uint8Array,
  type: 'image/png' | 'image/webp',
): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isPng = type === 'image/png'
  // a PNG has the length before the name and a checksum behind the data; WebP fills chunks up to an even length
  const [nameAt, lengthAt] = isPng ? [4, 0] : [0, 4]
  const exif = isPng ? 'eXIf' : 'EXIF'
  for (let at = isPng ? 8 : 12; at + 8 <= bytes.length;) {
    const length = view.getUint32(at + lengthAt, !isPng)
    const name = String.fromCharCode(...bytes.subarray(at + nameAt, at + nameAt + 4))
    if (name === exif) return readOrientation(view, at + 8) ?? readTiffOrientation(view, at + 8)
    at += 8 + length + (isPng ? 4 : length % 2)
  }
  return undefined
}
