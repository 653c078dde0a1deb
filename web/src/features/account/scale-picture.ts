import { avatarPx, maxAvatarBytes } from '#shared/limits.ts'

/** Tried in turn until the picture fits; a face is well recognised at the last of them. */
const qualities = [0.86, 0.75, 0.6, 0.45, 0.3]

/** What was picked is none that this browser can show. */
export class NotAPicture extends Error {}

/**
 * Makes a square of 512 px from the middle of any image the browser can decode, small enough to be stored: WebP, or JPEG where
 * the browser writes no WebP. A vector image becomes pixels, an animation its first frame, and whatever else a file holds
 * (a script, the place where a photo was taken) is left behind.
 * @throws NotAPicture
 */
export async function scalePicture(file: Blob): Promise<Blob> {
  const { source, width, height, close } = await decode(file)
  try {
    const canvas = document.createElement('canvas')
    canvas.width = avatarPx
    canvas.height = avatarPx
    const context = canvas.getContext('2d')
    if (!context) throw new NotAPicture('no canvas')
    // JPEG knows no transparency
    context.fillStyle = '#fff'
    context.fillRect(0, 0, avatarPx, avatarPx)
    context.imageSmoothingQuality = 'high'
    const side = Math.min(width, height)
    context.drawImage(source, (width - side) / 2, (height - side) / 2, side, side, 0, 0, avatarPx, avatarPx)
    return await encode(canvas)
  } finally {
    close()
  }
}

async function decode(file: Blob) {
  // no bitmap is made of a vector image: it has to be shown once
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
    throw new NotAPicture('not decoded', { cause: error })
  }
  // a vector image need not say how large it is
  return {
    source: image,
    width: image.naturalWidth || avatarPx,
    height: image.naturalHeight || avatarPx,
    close,
  }
}

async function encode(canvas: HTMLCanvasElement): Promise<Blob> {
  for (const type of ['image/webp', 'image/jpeg'])
    for (const quality of qualities) {
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality))
      // a browser that cannot write the type gives another one
      if (blob?.type !== type) break
      if (blob.size <= maxAvatarBytes) return blob
    }
  throw new NotAPicture('does not fit')
}
