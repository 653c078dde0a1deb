import { t } from '@lingui/core/macro'
import { formatTime } from '../lib/text/dates.ts'
import { hasErrorName } from '../lib/api/api-errors.ts'
import { dataUrlToBlob, isDataUrl } from '../lib/browser/data-url.ts'
import { downloadBlob } from '../lib/browser/download.ts'
import { showToast } from './ui/toast.ts'

/** An image with a valid link. */
export interface ViewedImage {
  name: string
  type: string
  url: string
  /** ISO 8601; when the link expires; undefined if that is not known, or it does not */
  expiresAt: string | undefined
}

/** Downloads the image; a toast reports the result. @param isClosed whether the user has signed out: then nothing more happens */
export async function downloadImage(image: ViewedImage, isClosed: () => boolean): Promise<void> {
  try {
    const blob = await fetchImage(image)
    if (isClosed()) return
    downloadBlob(blob, image.name)
    showToast('success', t`Image downloaded! 📸`)
  } catch (cause) {
    if (isClosed()) return
    showToast('error', t`Download failed`, {
      cause,
      description: t`Sorry, couldn't download the image. Try right-clicking and saving instead.`,
    })
  }
}

/** Shares the file where the system supports it, otherwise copies the link; a toast reports the result. @param isClosed as in `downloadImage` */
export async function shareImage(image: ViewedImage, isClosed: () => boolean): Promise<void> {
  try {
    if (typeof navigator.share === 'function' && typeof navigator.canShare === 'function') {
      const blob = await fetchImage(image)
      if (isClosed()) return
      const files = [new File([blob], image.name, { type: image.type || blob.type })]
      if (navigator.canShare({ files })) return await navigator.share({ files, title: image.name })
    }
    await navigator.clipboard.writeText(image.url)
    if (isClosed()) return
    const description = describeExpiry(image)
    showToast('success', t`Link copied! 📋`, description === undefined ? {} : { description })
  } catch (error) {
    // the user has closed the system's dialog, or it is still open from another press
    if (isClosed() || hasErrorName(error, 'AbortError') || hasErrorName(error, 'InvalidStateError')) return
    showToast('error', t`Share failed`, {
      cause: error,
      description: t`Couldn't share the image, but you can copy the URL manually.`,
    })
  }
}

async function fetchImage({ url }: ViewedImage): Promise<Blob> {
  if (isDataUrl(url)) return dataUrlToBlob(url)
  // the cached response was loaded by an <img>, without CORS headers
  const response = await fetch(url, { credentials: 'omit', cache: 'no-store' })
  if (!response.ok) throw new Error(`the file storage answered ${response.status}`)
  return response.blob()
}

/** @returns until when the copied address works; undefined for one that has the image in itself */
function describeExpiry({ url, expiresAt }: ViewedImage): string | undefined {
  if (isDataUrl(url)) return undefined
  return expiresAt === undefined
    ? t`It works for a short time.`
    : t`It works until ${{ time: formatTime(Date.parse(expiresAt)) }}.`
}
