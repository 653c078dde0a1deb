import { S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { clientTimeouts } from '../client-timeouts.ts'
import { ObjectStoreUnavailable } from './object-store.ts'

let client: S3Client | undefined

/** The client that all parts of a function share. */
export const s3Client = () =>
  (client ??= new S3Client({
    // an upload link must not demand a checksum that the browser would have to compute
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    // until the head of the answer: the body of a large file takes longer
    ...clientTimeouts(10_000),
  }))

/**
 * Missing; without the right to list a bucket, S3 says 403 for what is not there. 412: the object that the call is about was
 * replaced meanwhile, and is gone as well.
 */
const isMissing = (error: unknown) =>
  error instanceof S3ServiceException && [403, 404, 412].includes(error.$metadata.httpStatusCode ?? 0)

/** Waits for a call on the store. @throws ObjectStoreUnavailable for everything but a missing object, which gives undefined */
export async function undefinedIfMissing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (isMissing(error)) return undefined
    throw new ObjectStoreUnavailable('the object store failed', { cause: error })
  }
}
