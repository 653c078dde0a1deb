import { setTimeout as wait } from 'node:timers/promises'
import { waitLimitsMs } from '../platform/wait-limits.ts'

const maxAttempts = 3

/**
 * Stores an object of the bucket by a presigned URL.
 * @param origin of the bucket; other origins are not requested, and redirects are not followed
 * @param type what the URL is signed for
 * @throws Error if the bucket does not accept it, or for another origin
 */
export async function putSignedObject(
  url: string,
  { origin, type, body }: { origin: string; type: string; body: Uint8Array<ArrayBuffer> },
): Promise<void> {
  if (new URL(url).origin !== origin) throw new Error('The address is not one of the bucket.')
  const signal = AbortSignal.timeout(waitLimitsMs.object)
  for (let attempt = 1; ; attempt += 1)
    try {
      const headers = { 'content-type': type }
      const response = await fetch(url, { method: 'PUT', redirect: 'error', signal, headers, body })
      await response.body?.cancel()
      if (response.ok) return
      throw new Error(`The bucket answered ${response.status}.`)
    } catch (error) {
      if (attempt === maxAttempts || signal.aborted) throw error
      await wait(attempt * 100)
    }
}
