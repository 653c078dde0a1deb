import { setTimeout as wait } from 'node:timers/promises'
import { readCapped } from '../platform/net/read-capped.ts'
import { waitLimitsMs } from '../platform/wait-limits.ts'
import { DocumentError } from './extracted-text.ts'

const maxAttempts = 3

/**
 * Downloads an object of the bucket from a presigned URL.
 * @param origin of the bucket; other origins are not requested, and redirects are not followed
 * @returns undefined if the object does not exist
 * @throws DocumentError if it is larger than `maxBytes`; Error if the bucket does not respond, or for another origin
 */
export async function fetchObject(
  url: string,
  { origin, maxBytes }: { origin: string; maxBytes: number },
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (new URL(url).origin !== origin) throw new Error('The address is not one of the bucket.')
  const signal = AbortSignal.timeout(waitLimitsMs.object)
  for (let attempt = 1; ; attempt += 1)
    try {
      return await download(url, { maxBytes, signal })
    } catch (error) {
      if (attempt === maxAttempts || signal.aborted || error instanceof DocumentError) throw error
      await wait(attempt * 100)
    }
}

async function download(
  url: string,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const response = await fetch(url, { redirect: 'error', signal })
  if (!response.ok || !response.body) {
    await response.body?.cancel()
    // without permission to list the bucket, S3 responds 403 for a missing object
    if (response.status === 403 || response.status === 404) return undefined
    throw new Error(`The bucket answered ${response.status}.`)
  }
  return readCapped(response, maxBytes, () => new DocumentError('tooLarge', `more than ${maxBytes} bytes`))
}
