import { formatTime } from '../lib/dates.ts'
import { hasErrorName } from '../lib/api-errors.ts'
import { saveBlob } from '../lib/download.ts'
import { showToast } from './ui/toast.ts'

/** An image with a link that works now. */
export interface ViewedImage {
  name: string
  type: string
  url: string
  /** ISO 8601; until then the link works */
  expiresAt: string | undefined
}

/** ATT-14, ATT-18, ATT-19 */
export async function downloadImage(image: ViewedImage): Promise<void> {
  try {
    saveBlob(await contentOf(image), image.name)
    showToast('success', 'Image downloaded! 📸')
  } catch {
    showToast('error', 'Download failed', {
      description: "Sorry, couldn't download the image. Try right-clicking and saving instead.",
    })
  }
}

/** ATT-15, ATT-20, ATT-21, DEC-048: the file itself where the system shares files, otherwise a copied link. */
export async function shareImage(image: ViewedImage): Promise<void> {
  try {
    if (typeof navigator.share === 'function' && typeof navigator.canShare === 'function') {
      const blob = await contentOf(image)
      const files = [new File([blob], image.name, { type: image.type || blob.type })]
      if (navigator.canShare({ files })) return await navigator.share({ files, title: image.name })
    }
    await navigator.clipboard.writeText(image.url)
    showToast('success', 'Link copied! 📋', { description: lifetime(image.expiresAt) })
  } catch (error) {
    // the system's dialog was closed: that is an answer
    if (hasErrorName(error, 'AbortError')) return
    showToast('error', 'Share failed', {
      description: "Couldn't share the image, but you can copy the URL manually.",
    })
  }
}

async function contentOf({ url }: ViewedImage): Promise<Blob> {
  // what the cache has of it was loaded as a picture, without the headers that let a page read it
  const response = await fetch(url, { credentials: 'omit', cache: 'no-store' })
  if (!response.ok) throw new Error(`the store answered ${response.status}`)
  return response.blob()
}

function lifetime(expiresAt: string | undefined): string {
  const at = expiresAt === undefined ? Number.NaN : Date.parse(expiresAt)
  return Number.isNaN(at) ? 'It works for a short time.' : `It works until ${formatTime(at)}.`
}
