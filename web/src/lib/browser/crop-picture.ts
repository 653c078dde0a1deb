import { maxAssistantPictureBytes, maxAvatarBytes } from '#shared/limits.ts'
import { assistantPicturePx, avatarPx } from './limits.ts'
import { hasTooManyPixels } from './too-many-pixels.ts'

/** The encoding qualities, tried in turn until the image is small enough. Faces are still recognisable at the lowest. */
const qualities = [0.86, 0.75, 0.6, 0.45]

/** The file is no image that this browser can decode and make small enough, or has too many pixels. */
export class UnreadableImageError extends Error {}

/** The side of each kind of picture, and its most bytes. Only an image of pure noise needs a smaller side. */
const kinds = {
  avatar: { largestPx: avatarPx, maxBytes: maxAvatarBytes },
  assistant: { largestPx: assistantPicturePx, maxBytes: maxAssistantPictureBytes },
} as const

/**
 * Crops the middle of an image to a square, small enough to be stored: WebP, or JPEG where the browser cannot encode WebP.
 * Drawing it to a canvas rasterises vector images, takes the first frame of animations and removes scripts and metadata such as locations; what
 * is transparent becomes white.
 * @throws UnreadableImageError
 */
export async function cropPicture(file: Blob, kind: keyof typeof kinds): Promise<Blob> {
  const { largestPx, maxBytes } = kinds[kind]
  const { source, width, height, close } = await decodeImage(file)
  try {
    const cropPx = Math.min(width, height)
    for (const sidePx of [largestPx, largestPx / 2, largestPx / 4]) {
      const canvas = document.createElement('canvas')
      canvas.width = sidePx
      canvas.height = sidePx
      const context = canvas.getContext('2d')
      if (!context) throw new UnreadableImageError('no canvas')
      // JPEG has no transparency
      context.fillStyle = '#fff'
      context.fillRect(0, 0, sidePx, sidePx)
      context.imageSmoothingQuality = 'high'
      const [left, top] = [(width - cropPx) / 2, (height - cropPx) / 2]
      context.drawImage(source, left, top, cropPx, cropPx, 0, 0, sidePx, sidePx)
      const blob = await encodeImage(canvas, maxBytes)
      if (blob) return blob
    }
    throw new UnreadableImageError('does not fit')
  } finally {
    close()
  }
}

/** @returns what a canvas can draw, with its size in pixels; `close` frees its memory */
async function decodeImage(file: Blob) {
  if (await hasTooManyPixels(file)) throw new UnreadableImageError('too many pixels')
  // bitmaps cannot be created from vector images
  if (file.type !== 'image/svg+xml') {
    const bitmap = await createImageBitmap(file).catch(() => undefined)
    if (bitmap)
      return { source: bitmap, width: bitmap.width, height: bitmap.height, close: () => bitmap.close() }
  }
  const url = URL.createObjectURL(file)
  const close = () => URL.revokeObjectURL(url)
  const image = new Image()
  image.src = url
  try {
    await image.decode()
  } catch (error) {
    close()
    throw new UnreadableImageError('not decoded', { cause: error })
  }
  // vector images may have no size
  return {
    source: image,
    width: image.naturalWidth || avatarPx,
    height: image.naturalHeight || avatarPx,
    close,
  }
}

/** @returns undefined if no encoding is small enough */
async function encodeImage(canvas: HTMLCanvasElement, maxBytes: number): Promise<Blob | undefined> {
  for (const type of ['image/webp', 'image/jpeg'])
    for (const quality of qualities) {
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality))
      // a browser that cannot encode this type falls back to another one
      if (blob?.type !== type) break
      if (blob.size <= maxBytes) return blob
    }
  return undefined
}
