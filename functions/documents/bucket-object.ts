import { wait } from '../platform/clock.ts'
import { readCapped } from '../platform/net/read-capped.ts'
import { isMissingObject } from '../platform/s3/missing-object.ts'
import { waitLimitsMs } from '../platform/wait-limits.ts'
import { DocumentError } from './extracted-text.ts'
import type { ParseRequest } from './parser-contract.ts'

const maxAttempts = 3

/** What the bucket refuses once it refuses again. */
class RequestRefused extends Error {}

/** @param origin of the bucket; other origins are not requested, and redirects are not followed */
async function tryRequest<Result>(
  url: string,
  origin: string,
  send: (options: { redirect: 'error'; signal: AbortSignal }) => Promise<Result>,
): Promise<Result> {
  if (new URL(url).origin !== origin) throw new Error('The address is not one of the bucket.')
  const signal = AbortSignal.timeout(waitLimitsMs.object)
  for (let attempt = 1; ; attempt += 1)
    try {
      return await send({ redirect: 'error', signal })
    } catch (error) {
      const isFinal = error instanceof DocumentError || error instanceof RequestRefused
      if (isFinal || attempt === maxAttempts || signal.aborted) throw error
      await wait(attempt * 100)
    }
}

/** @returns undefined if the object does not exist @throws DocumentError if it is larger than `maxBytes` */
export const fetchObject = (
  url: string,
  { origin, maxBytes }: { origin: string; maxBytes: number },
): Promise<Uint8Array<ArrayBuffer> | undefined> =>
  tryRequest(url, origin, async (options) => {
    const response = await fetch(url, options)
    if (response.ok && response.body)
      return readCapped(
        response,
        maxBytes,
        () => new DocumentError('tooLarge', `more than ${maxBytes} bytes`),
      )
    const { status } = response
    const [code, message] = await readError(response)
    if (isMissingObject({ status, code, message })) return undefined
    throw new Error(`The bucket answered ${status} ${code}.`)
  })

/** @returns code and message of an error response of S3, empty if it has none */
async function readError(response: Response): Promise<[code: string, message: string]> {
  const body = await readCapped(response, 16_384, () => new Error('The error response is too long.')).catch(
    () => new Uint8Array(),
  )
  const xml = new TextDecoder().decode(body)
  const read = (name: string) => new RegExp(`<${name}>([^<]{0,1000})</${name}>`).exec(xml)?.[1] ?? ''
  return [read('Code'), read('Message')]
}

/** Stores an object by a signed form. */
export function putSignedObject(
  { url, fields }: ParseRequest['textForm'],
  { origin, body }: { origin: string; body: Uint8Array<ArrayBuffer> },
): Promise<void> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  // the last one: S3 ignores what follows it
  form.set('file', new Blob([body]))
  return tryRequest(url, origin, async (options) => {
    const response = await fetch(url, { method: 'POST', body: form, ...options })
    await response.body?.cancel()
    if (response.ok) return
    const Failure = response.status < 500 ? RequestRefused : Error
    throw new Failure(`The bucket answered ${response.status}.`)
  })
}
