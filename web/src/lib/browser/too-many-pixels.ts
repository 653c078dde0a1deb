import { readImageFacts } from '#shared/image-facts.ts'
import { maxDecodedPixels } from './limits.ts'

/** How much of a file is read to find its size in pixels, which may follow a thumbnail and a colour profile. */
const headBytes = 256 * 1024

/**
 * Whether an image has more pixels than there may be memory for: a small file can have that many. False for a vector image, which is drawn
 * in any size, and for what this browser cannot show.
 */
export async function hasTooManyPixels(file: Blob): Promise<boolean> {
  if (file.type === 'image/svg+xml') return false
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  const { width, height } = readImageFacts(head) ?? (await measureImage(file))
  return width * height > maxDecodedPixels
}

/** The size of an image of any kind: browsers read it when they load one, and decode the pixels when they are drawn. */
async function measureImage(file: Blob): Promise<{ width: number; height: number }> {
  const url = URL.createObjectURL(file)
  const image = new Image()
  try {
    await new Promise((resolve) => {
      image.addEventListener('load', resolve)
      image.addEventListener('error', resolve)
      image.src = url
    })
    return { width: image.naturalWidth, height: image.naturalHeight }
  } finally {
    URL.revokeObjectURL(url)
  }
}
