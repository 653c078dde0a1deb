import { wait } from '../platform/clock.ts'
import { readCapped } from '../platform/net/read-capped.ts'
import { isMissingObject } from '../platform/s3/missing-object.ts'
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
    const { status } = response
    const [code, message] = await readError(response)
    if (isMissingObject({ status, code, message })) return undefined
    throw new Error(`The bucket answered ${status} ${code}.`)
  }
  return readCapped(response, maxBytes, () => new DocumentError('tooLarge', `more than ${maxBytes} bytes`))
}

/** @returns code and message of an error response of S3, empty if it has none */
async function readError(response: Response): Promise<[code: string, message: string]> {
  const body = await readCapped(response, 16_384, () => new Error('The error response is too long.')).catch(
    () => new Uint8Array(),
  )
  const xml = new TextDecoder().decode(body)
  const read = (name: string) => new RegExp(`<${name}>([^<]{0,1000})</${name}>`).exec(xml)?.[1] ?? ''
  return [read('Code'), read('Message')]
}
