import { avatarPx, maxAvatarBytes } from '#shared/limits.ts'

/** Tried in turn until the picture fits; a face is well recognised at the last of them. */
const qualities = [0.86, 0.75, 0.6, 0.45]
/** Only what is all noise is made smaller than wanted. */
const sides = [avatarPx, avatarPx / 2, avatarPx / 4]

/** What was picked is none that this browser can show. */
export class NotAPicture extends Error {}

/**
 * Makes a square, of 512 px as a rule, from the middle of any image the browser can decode, small enough to be stored: WebP, or JPEG where
 * the browser writes no WebP. A vector image becomes pixels, an animation its first frame, and whatever else a file holds
 * (a script, the place where a photo was taken) is left behind.
 * @throws NotAPicture
 */
export async function scalePicture(file: Blob): Promise<Blob> {
  const { source, width, height, close } = await decode(file)
  try {
    const part = Math.min(width, height)
    for (const side of sides) {
      const canvas = document.createElement('canvas')
      canvas.width = side
      canvas.height = side
      const context = canvas.getContext('2d')
      if (!context) throw new NotAPicture('no canvas')
      // JPEG knows no transparency
      context.fillStyle = '#fff'
      context.fillRect(0, 0, side, side)
      context.imageSmoothingQuality = 'high'
      context.drawImage(source, (width - part) / 2, (height - part) / 2, part, part, 0, 0, side, side)
      const blob = await encode(canvas)
      if (blob) return blob
    }
    throw new NotAPicture('does not fit')
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

async function encode(canvas: HTMLCanvasElement): Promise<Blob | undefined> {
  for (const type of ['image/webp', 'image/jpeg'])
    for (const quality of qualities) {
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality))
      // a browser that cannot write the type gives another one
      if (blob?.type !== type) break
      if (blob.size <= maxAvatarBytes) return blob
    }
  return undefined
}
