import { detectImageType } from '#shared/image-signatures.ts'
import { readJpegFacts } from '#shared/jpeg-facts.ts'

/** What the beginning of a PNG, JPEG or WebP says of it, before anything decodes it. */
export interface ImageFacts {
  type: 'image/png' | 'image/jpeg' | 'image/webp'
  /** in pixels */
  width: number
  height: number
  isAnimated: boolean
  /** whether its colours are those of printers (CMYK), which some programs show wrongly */
  isForPrinters: boolean
}

const readers: Readonly<Record<string, (view: DataView) => Omit<ImageFacts, 'type'> | undefined>> = {
  'image/png': readPng,
  'image/jpeg': readJpeg,
  'image/webp': readWebp,
}

/** @returns undefined for anything else, and for one whose size does not stand in these bytes */
export function readImageFacts(bytes: Uint8Array): ImageFacts | undefined {
  const type = detectImageType(bytes) ?? ''
  try {
    const facts = readers[type]?.(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    return facts && { type: type as ImageFacts['type'], ...facts }
  } catch (error) {
    // the bytes end too early
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const readName = (view: DataView, at: number) =>
  String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)))

/** @see https://www.w3.org/TR/png-3/ sections 11.2.1 (IHDR) and 11.3.6.1 (acTL, which comes before the pixels) */
function readPng(view: DataView) {
  if (readName(view, 12) !== 'IHDR') return undefined
  const [width, height] = [view.getUint32(16), view.getUint32(20)]
  let isAnimated = false
  for (
    let at = 33;
    at + 8 <= view.byteLength && readName(view, at + 4) !== 'IDAT';
    at += 12 + view.getUint32(at)
  )
    isAnimated ||= readName(view, at + 4) === 'acTL'
  return { width, height, isAnimated, isForPrinters: false }
}

function readJpeg(view: DataView) {
  const { width, height, components } = readJpegFacts(
    new Uint8Array(view.buffer, view.byteOffset, view.byteLength),
  )
  return width !== undefined && height !== undefined
    ? { width, height, isAnimated: false, isForPrinters: components === 4 }
    : undefined
}

/** @see RFC 9649 section 2.7 (VP8X), 3.4 (VP8L); RFC 6386 section 9.1 (VP8) */
function readWebp(view: DataView) {
  const still = { isAnimated: false, isForPrinters: false }
  switch (readName(view, 12)) {
    case 'VP8X': {
      const readSide = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 0x1_00_00 + 1
      const isAnimated = (view.getUint8(20) & 0x02) !== 0
      return { ...still, isAnimated, width: readSide(24), height: readSide(27) }
    }
    case 'VP8L': {
      const sides = view.getUint32(21, true)
      return { ...still, width: (sides & 0x3f_ff) + 1, height: ((sides >>> 14) & 0x3f_ff) + 1 }
    }
    case 'VP8 ':
      return {
        ...still,
        width: view.getUint16(26, true) & 0x3f_ff,
        height: view.getUint16(28, true) & 0x3f_ff,
      }
    default:
      return undefined
  }
}
