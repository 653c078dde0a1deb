import { GetObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { AppError } from './errors.ts'

/** The store did not answer, or not as it should. */
export class StoreUnavailable extends AppError {
  readonly code = 'store_unavailable'
  readonly status = 503
  readonly sentence = 'Files cannot be reached right now. Please try again in a moment.'
}

/** Links are signed as of the full hour, so that a browser's cache knows them again, and are good for one to two hours. */
const hourMs = 3_600_000
const linkSeconds = 7_200

interface LinkOptions {
  /** the type the browser is told */
  type: string
  /** Content-Disposition; Latin-1 only */
  disposition: string
}

/** The private bucket, as handlers get it handed in: objects are read, and links to read them are signed. */
export interface ObjectStore {
  readonly client: S3Client
  readonly bucket: string
  /** @param maxBytes reads no more than these first bytes @returns undefined when there is no such object */
  read(key: string, options?: { maxBytes?: number }): Promise<Uint8Array | undefined>
  /** The object while it arrives, for one that may be large. @returns undefined when there is no such object */
  stream(key: string): Promise<ReadableStream<Uint8Array> | undefined>
  /** a signed address to read the object; does not ask whether it is there */
  link(key: string, options: LinkOptions): Promise<string>
}

/** When links signed now end. */
export function linksEndAt(nowMs: number): Date {
  return new Date(Math.floor(nowMs / hourMs) * hourMs + linkSeconds * 1_000)
}

/** Missing; without the right to list a bucket, S3 says 403 for what is not there. */
const isMissing = (error: unknown) =>
  error instanceof S3ServiceException && [403, 404].includes(error.$metadata.httpStatusCode ?? 0)

/** Runs a call on the store. @throws StoreUnavailable for everything but a missing object, which gives undefined */
export async function orMissing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (isMissing(error)) return undefined
    throw new StoreUnavailable('the object store failed', { cause: error })
  }
}

/** @param bucket from the environment's UPLOADS_BUCKET */
export function openObjectStore(bucket: string): ObjectStore {
  const client = new S3Client({
    // an upload link must not demand a checksum that the browser would have to compute
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
  })
  return {
    client,
    bucket,
    async read(key, { maxBytes } = {}) {
      const get = new GetObjectCommand({
        Bucket: bucket,
        Key: key,
        ...(maxBytes !== undefined && { Range: `bytes=0-${maxBytes - 1}` }),
      })
      return orMissing(client.send(get).then(({ Body }) => Body?.transformToByteArray()))
    },
    async stream(key) {
      const get = new GetObjectCommand({ Bucket: bucket, Key: key })
      return orMissing(
        client
          .send(get)
          .then(({ Body }) => Body?.transformToWebStream() as ReadableStream<Uint8Array> | undefined),
      )
    },
    link(key, { type, disposition }) {
      const get = new GetObjectCommand({
        Bucket: bucket,
        Key: key,
        ResponseContentType: type,
        ResponseContentDisposition: disposition,
        ResponseCacheControl: 'private, max-age=3600',
      })
      return getSignedUrl(client, get, {
        signingDate: new Date(Math.floor(Date.now() / hourMs) * hourMs),
        expiresIn: linkSeconds,
      })
    },
  }
}
