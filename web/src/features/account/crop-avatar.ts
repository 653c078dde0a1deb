import { avatarPx } from '../../lib/limits.ts'
import { maxAvatarBytes } from '#shared/limits.ts'

/** The encoding qualities, tried in turn until the image is small enough. Faces are still recognisable at the lowest. */
const qualities = [0.86, 0.75, 0.6, 0.45]
/** The side lengths, tried in turn. Only images of pure noise need more than the first. */
const sidesPx = [avatarPx, avatarPx / 2, avatarPx / 4]

/** The file is not an image that this browser can decode. */
export class UnreadableImageError extends Error {}

/**
 * Crops the middle of an image to a square, 512 px if possible, small enough to be stored: WebP, or JPEG
 * where the browser cannot encode WebP.
 * Drawing it to a canvas rasterizes vector images, takes the first frame of animations and removes scripts
 * and metadata such as locations.
 * @throws UnreadableImageError
 */
export async function cropAvatar(file: Blob): Promise<Blob> {
  const { source, width, height, close } = await decodeImage(file)
  try {
    const cropPx = Math.min(width, height)
    for (const side of sidesPx) {
      const canvas = document.createElement('canvas')
      canvas.width = side
      canvas.height = side
      const context = canvas.getContext('2d')
      if (!context) throw new UnreadableImageError('no canvas')
      // JPEG has no transparency
      context.fillStyle = '#fff'
      context.fillRect(0, 0, side, side)
      context.imageSmoothingQuality = 'high'
      context.drawImage(source, (width - cropPx) / 2, (height - cropPx) / 2, cropPx, cropPx, 0, 0, side, side)
      const blob = await encodeImage(canvas)
      if (blob) return blob
    }
    throw new UnreadableImageError('does not fit')
  } finally {
    close()
  }
}

async function decodeImage(file: Blob) {
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

async function encodeImage(canvas: HTMLCanvasElement): Promise<Blob | undefined> {
  for (const type of ['image/webp', 'image/jpeg'])
    for (const quality of qualities) {
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality))
      // a browser that cannot encode this type falls back to another one
      if (blob?.type !== type) break
      if (blob.size <= maxAvatarBytes) return blob
    }
  return undefined
}
