import type { Attachment } from '#shared/contracts/files.ts'
import { getOwn } from '#shared/get-own.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { isDataUrl } from '../../../lib/browser/data-url.ts'
import { hasTooManyPixels } from '../../../lib/browser/too-many-pixels.ts'

/** A picture that Word can show, with its size in pixels. */
export interface Picture {
  type: 'jpg' | 'png' | 'gif' | 'bmp'
  data: Uint8Array
  width: number
  height: number
}

/** A picture that takes longer is left out: the document waits for each. */
const timeoutMs = 30_000

const wordTypes: Readonly<Record<string, Picture['type']>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/bmp': 'bmp',
}

/** Converts a picture to PNG, for types that Word does not know. */
async function toPng(bitmap: ImageBitmap): Promise<Blob> {
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
  return canvas.convertToBlob({ type: 'image/png' })
}

/** Loads the picture of a file. @returns undefined if it is gone, cannot be read, or has too many pixels to be decoded */
export async function loadPicture({ id, url }: Attachment): Promise<Picture | undefined> {
  try {
    const link = isDataUrl(url) ? url : (await callApi('files.link', { params: { attachmentId: id } })).url
    if (link === undefined) return undefined
    const response = await fetch(link, {
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!response.ok) return undefined
    const stored = await response.blob()
    if (await hasTooManyPixels(stored)) return undefined
    const bitmap = await createImageBitmap(stored)
    try {
      const { width, height } = bitmap
      const wordType = getOwn(wordTypes, stored.type)
      const blob = wordType ? stored : await toPng(bitmap)
      return { type: wordType ?? 'png', data: new Uint8Array(await blob.arrayBuffer()), width, height }
    } finally {
      bitmap.close()
    }
  } catch {
    // the document is written without it
    return undefined
  }
}
