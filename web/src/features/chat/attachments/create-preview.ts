import { readChunkOrientation } from '#shared/chunk-orientation.ts'
import { readImageFacts } from '#shared/image-facts.ts'
import { detectImageType } from '#shared/image-signatures.ts'
import { maxPreviewBytes } from '#shared/limits.ts'
import { maxPreviewPx } from '../../../lib/browser/limits.ts'
import { hasTooManyPixels } from '../../../lib/browser/too-many-pixels.ts'
import { readJpegFacts } from '#shared/jpeg-facts.ts'

/** The copy of an image for the model. */
export interface ImagePreview {
  type: 'image/jpeg'
  blob: Blob
}

/** JPEG qualities, tried in this order until the copy is small enough. */
const qualities = [0.86, 0.7, 0.5] as const

/** Scales the size of a picture down to the size of its copy; never up, and to no less than 1 px. */
function fitInside(width: number, height: number): [number, number] {
  const scale = Math.min(1, maxPreviewPx / Math.max(width, height))
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))]
}

/** The beginning of a file in which a JPEG has its size and orientation, even after a thumbnail and a colour profile. */
const headBytes = 256 * 1024

/**
 * Whether all models read a picture as browsers show it. None reads BMP, TIFF and HEIC, some refuse what moves, and some ignore the EXIF
 * orientation or CMYK colours.
 */
async function isReadByModels(file: File, type: string, head: Uint8Array): Promise<boolean> {
  if (type === 'image/jpeg') {
    const { orientation, components } = readJpegFacts(head)
    return orientation === 1 && components !== 4
  }
  if (type !== 'image/png' && type !== 'image/webp') return false
  if (readImageFacts(head)?.isAnimated) return false
  const orientation = readChunkOrientation(new Uint8Array(await file.arrayBuffer()), type)
  return orientation === undefined || orientation < 2 || orientation > 8
}

/**
 * Creates a JPEG copy of a picture for models: of one that is too large for them (`maxPreviewPx`, `maxPreviewBytes`), or that not all of
 * them read. The type of the picture is recognised by its content, not its name. Of one that moves the copy is the first frame.
 * @returns undefined if no copy is needed, none can be made, or the picture has more pixels than there may be memory for
 */
export async function createPreview(file: File): Promise<ImagePreview | undefined> {
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  const type = detectImageType(head)
  if (type === undefined) return undefined
  const image = new Blob([file], { type })
  if (await hasTooManyPixels(image)) return undefined
  let bitmap: ImageBitmap
  try {
    bitmap = await createImageBitmap(image, { imageOrientation: 'from-image' })
  } catch {
    return undefined
  }
  try {
    const [width, height] = fitInside(bitmap.width, bitmap.height)
    const fits = width === bitmap.width && height === bitmap.height && file.size <= maxPreviewBytes
    if (fits && (await isReadByModels(file, type, head))) return undefined
    const canvas = document.createElement('canvas')
    canvas.width = width
    canvas.height = height
    const context = canvas.getContext('2d')
    if (!context) return undefined
    // JPEG has no transparency: use white, as the page does
    context.fillStyle = '#fff'
    context.fillRect(0, 0, width, height)
    context.drawImage(bitmap, 0, 0, width, height)
    for (const quality of qualities) {
      const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', quality))
      if (blob && blob.size > 0 && blob.size <= maxPreviewBytes) return { type: 'image/jpeg', blob }
    }
    return undefined
  } finally {
    bitmap.close()
  }
}
