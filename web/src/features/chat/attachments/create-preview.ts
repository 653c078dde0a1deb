import { isImage } from '#shared/file-kinds.ts'
import { maxPreviewBytes, maxPreviewPx } from '#shared/limits.ts'

export interface ImagePreview {
  type: 'image/jpeg' | 'image/png' | 'image/webp'
  blob: Blob
}

/** Tried in order until the copy is small enough. */
const qualities = [0.86, 0.7, 0.5] as const

/** Scales a size down to fit a square; never up. */
export function fitInside(width: number, height: number, max = maxPreviewPx): [number, number] {
  const scale = Math.min(1, max / Math.max(width, height))
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))]
}

/**
 * Creates a smaller copy for the model, for images larger than 2,048 px or 4 MB, or of a type that models cannot read.
 * @returns undefined when none is needed, or this browser cannot decode the image
 */
export async function createPreview(file: File): Promise<ImagePreview | undefined> {
  let bitmap: ImageBitmap
  try {
    bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
  } catch {
    return undefined
  }
  try {
    const [width, height] = fitInside(bitmap.width, bitmap.height)
    const fits = width === bitmap.width && height === bitmap.height && file.size <= maxPreviewBytes
    if (fits && isImage(file)) return undefined
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
