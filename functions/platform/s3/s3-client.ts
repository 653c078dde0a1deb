import { S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { clientTimeouts } from '../client-timeouts.ts'
import { isMissingObject } from './missing-object.ts'
import { ObjectStoreUnavailable } from './object-store.ts'

let client: S3Client | undefined

/** The S3 client, shared within a function. */
export const s3Client = () =>
  (client ??= new S3Client({
    // an upload link must not demand a checksum that the browser would have to compute
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    // until the response headers: the body of a large file takes longer
    ...clientTimeouts(10_000),
  }))

const isMissing = (error: unknown) =>
  error instanceof S3ServiceException &&
  isMissingObject({
    status: error.$metadata.httpStatusCode ?? 0,
    code: error.name,
    message: error.message,
  })

/** Awaits a call of S3. @throws ObjectStoreUnavailable for everything but a missing object, which gives undefined */
export async function undefinedIfMissing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (isMissing(error)) return undefined
    throw new ObjectStoreUnavailable('the object store failed', { cause: error })
  }
}
