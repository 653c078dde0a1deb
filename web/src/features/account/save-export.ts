import { NetworkError } from '../../lib/api-errors.ts'
import { authorizedFetch } from '../../lib/call-api.ts'

/** A zip without its end was cut on the way. */
const endMark = [0x50, 0x4b, 0x05, 0x06]
const endBytes = 22

/**
 * Fetches the export and hands it to the browser as a download.
 * @param onProgress bytes so far
 * @throws what `authorizedFetch` throws; NetworkError when the archive was cut
 */
export async function saveExport(onProgress: (bytes: number) => void): Promise<void> {
  const response = await authorizedFetch('account.export', {}, { headers: { accept: 'application/zip' } })
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  const zip = await read(response, onProgress)
  const url = URL.createObjectURL(zip)
  const link = document.createElement('a')
  link.href = url
  link.download = name ?? 'export.zip'
  link.click()
  // the download has begun by then
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

async function read(response: Response, onProgress: (bytes: number) => void): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  const reader = response.body?.getReader()
  try {
    for (;;) {
      const chunk = await reader?.read()
      if (!chunk || chunk.done) break
      parts.push(chunk.value)
      bytes += chunk.value.length
      onProgress(bytes)
    }
  } catch (error) {
    throw new NetworkError(false, { cause: error })
  }
  const zip = new Blob(parts, { type: 'application/zip' })
  const end = new Uint8Array(await zip.slice(-endBytes).arrayBuffer())
  if (!endMark.every((byte, index) => end[index] === byte)) throw new NetworkError(false)
  return zip
}
