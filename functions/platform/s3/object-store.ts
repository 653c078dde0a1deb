import { AppError } from '../errors.ts'

/** The store did not answer, or not as it should. */
export class ObjectStoreUnavailable extends AppError {
  readonly code = 'store_unavailable'
  readonly status = 503
  readonly sentence = 'Files cannot be reached right now. Please try again in a moment.'
}

/**
 * Links are signed as of the full hour, so that a browser's cache knows those of one instance of a function again, and are good for one
 * to two hours. Each instance signs with its own credentials, and a link ends with these, whenever that is.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-presigned-url.html
 */
export const linkHourMs = 3_600_000
export const linkSeconds = 7_200

interface LinkOptions {
  /** the type the browser is told */
  type: string
  /** Content-Disposition; Latin-1 only */
  disposition: string
}

/** The private bucket, as handlers get it handed in. Every method throws ObjectStoreUnavailable when the store fails. */
export interface ObjectStore {
  readonly bucket: string
  /** @returns undefined when there is no such object */
  read(key: string): Promise<Uint8Array | undefined>
  /** The first bytes of the object, and its ETag, which changes with its content. @returns undefined when there is no such object */
  readBeginning(key: string, bytes: number): Promise<{ bytes: Uint8Array; etag: string } | undefined>
  /** The object while it arrives, for one that may be large. @returns undefined when there is no such object */
  stream(key: string): Promise<ReadableStream<Uint8Array> | undefined>
  /** Deletes up to 1,000 objects; what is not there counts as deleted. */
  remove(keys: readonly string[]): Promise<void>
  /** a signed address for another program, which may read this object and nothing else for so many seconds */
  readUrl(key: string, seconds: number): Promise<string>
  /** a signed address to read the object; does not ask whether it is there */
  link(key: string, options: LinkOptions): Promise<string>
}

/** When links signed now end. @param credentialsEnd of the credentials that sign, where these tell it: no link outlives them */
export function linksEndAt(nowMs: number, credentialsEnd?: Date): Date {
  const endMs = Math.floor(nowMs / linkHourMs) * linkHourMs + linkSeconds * 1_000
  return new Date(Math.min(endMs, credentialsEnd?.getTime() ?? endMs))
}

/**
 * The store, whose client is loaded with the first call: for functions that rarely touch a file. It is a quarter of the chat function.
 * @param bucket from the environment's UPLOADS_BUCKET
 */
export function openObjectStore(bucket: string): ObjectStore {
  let loading: Promise<ObjectStore> | undefined
  const load = () =>
    (loading ??= import('./s3-object-store.ts').then(
      ({ s3ObjectStore }) => s3ObjectStore(bucket),
      (cause: unknown) => {
        // the next call tries again
        loading = undefined
        throw new ObjectStoreUnavailable('the client of the store could not be loaded', { cause })
      },
    ))
  return {
    bucket,
    read: async (key) => (await load()).read(key),
    readBeginning: async (key, bytes) => (await load()).readBeginning(key, bytes),
    stream: async (key) => (await load()).stream(key),
    remove: async (keys) => (await load()).remove(keys),
    readUrl: async (key, seconds) => (await load()).readUrl(key, seconds),
    link: async (key, options) => (await load()).link(key, options),
  }
}
