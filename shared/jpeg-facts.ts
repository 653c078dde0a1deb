/** What models may get wrong about a JPEG. */
export interface JpegFacts {
  /** of EXIF: 1 is upright, 2 to 8 are turned or mirrored */
  orientation: number
  /** 3 for colours of screens, 4 for those of printers (CMYK) */
  components: number
  /** in pixels, as stored; absent where the beginning does not say them */
  width?: number
  height?: number
}

/**
 * Reads the segments of a JPEG up to its picture.
 * @see ITU-T T.81, annex B; CIPA DC-008 (EXIF), 4.6
 */
export function readJpegFacts(bytes: Uint8Array): JpegFacts {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const facts: JpegFacts = { orientation: 1, components: 3 }
  let at = 2
  while (at + 10 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    const length = view.getUint16(at + 2)
    if (marker === 0xe1) facts.orientation = readOrientation(view, at + 4) ?? facts.orientation
    // start of frame; C4, C8 and CC are other segments
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)]
      return { ...facts, components: bytes[at + 9] ?? 3, width, height }
    }
    at += 2 + length
  }
  return facts
}

const orientationTag = 0x0112

/** 'Exif' and two zeros precede the TIFF header of EXIF in JPEGs, and in the WebPs of some programs. */
const exifHeader = 0x45_78_69_66

/** @returns undefined for anything but EXIF with an orientation */
export function readOrientation(view: DataView, at: number): number | undefined {
  if (at + 14 > view.byteLength || view.getUint32(at) !== exifHeader) return undefined
  return readTiffOrientation(view, at + 6)
}

/** As `readOrientation`, of a TIFF header: EXIF as PNGs and WebPs have it. */
export function readTiffOrientation(view: DataView, tiff: number): number | undefined {
  if (tiff + 8 > view.byteLength) return undefined
  const isLittleEndian = view.getUint16(tiff) === 0x49_49
  const directory = tiff + view.getUint32(tiff + 4, isLittleEndian)
  if (directory + 2 > view.byteLength) return undefined
  const count = view.getUint16(directory, isLittleEndian)
  for (let entry = directory + 2; entry < directory + 2 + count * 12; entry += 12) {
    if (entry + 12 > view.byteLength) return undefined
    if (view.getUint16(entry, isLittleEndian) === orientationTag)
      return view.getUint16(entry + 8, isLittleEndian)
  }
  return undefined
}
