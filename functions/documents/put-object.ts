import { wait } from '../platform/clock.ts'
import { waitLimitsMs } from '../platform/wait-limits.ts'
import type { ParseRequest } from './parser-contract.ts'

const maxAttempts = 3

/**
 * Stores an object of the bucket by a signed form.
 * @param origin of the bucket; other origins are not requested, and redirects are not followed
 * @throws Error if the bucket does not accept it, or for another origin
 */
export async function putSignedObject(
  { url, fields }: ParseRequest['textForm'],
  { origin, body }: { origin: string; body: Uint8Array<ArrayBuffer> },
): Promise<void> {
  if (new URL(url).origin !== origin) throw new Error('The address is not one of the bucket.')
  const signal = AbortSignal.timeout(waitLimitsMs.object)
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  // the last one: S3 ignores what follows it
  form.set('file', new Blob([body]))
  for (let attempt = 1; ; attempt += 1) {
    let isFinal = attempt === maxAttempts
    try {
      const response = await fetch(url, { method: 'POST', redirect: 'error', signal, body: form })
      await response.body?.cancel()
      if (response.ok) return
      // what it refuses once it refuses again
      isFinal ||= response.status < 500
      throw new Error(`The bucket answered ${response.status}.`)
    } catch (error) {
      if (isFinal || signal.aborted) throw error
      await wait(attempt * 100)
    }
  }
}
