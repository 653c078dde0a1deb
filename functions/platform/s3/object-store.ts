import { platformSentences } from '#shared/sentences/platform.ts'
import { defineErrors } from '../errors.ts'

export const { ObjectStoreUnavailable } = defineErrors(platformSentences, {
  /** S3 did not respond, or failed. */
  ObjectStoreUnavailable: [503, 'store_unavailable'],
})

/**
 * Links are signed as of the full hour, so that links of one function instance are cacheable, and are valid for one to two hours. Each
 * instance signs with its own credentials, and a link expires with them.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-presigned-url.html
 */
export const linkHourMs = 3_600_000
export const linkSeconds = 7_200

interface LinkOptions {
  /** the content type that the browser gets */
  type: string
  /** Content-Disposition; Latin-1 only */
  disposition: string
}

/** The private bucket. Every method throws ObjectStoreUnavailable when the store fails. */
export interface ObjectStore {
  readonly bucket: string
  /** @returns undefined when there is no such object */
  read(key: string): Promise<Uint8Array | undefined>
  /** The first bytes of the object, and its ETag, which changes with its content. @returns undefined when there is no such object */
  readBeginning(key: string, bytes: number): Promise<{ bytes: Uint8Array; etag: string } | undefined>
  /**
   * A part of an object, and its ETag.
   * @param range bytes `from` (the first) to `to` (behind the last)
   * @param etag the part is of this content, or undefined is returned
   * @returns undefined when there is no such object
   */
  readRange(
    key: string,
    from: number,
    to: number,
    etag?: string,
  ): Promise<{ bytes: Uint8Array; etag: string } | undefined>
  /** Streams an object, for large ones. @returns undefined when there is no such object */
  stream(key: string): Promise<ReadableStream<Uint8Array> | undefined>
  /** Deletes up to 1,000 objects; missing ones count as deleted. */
  remove(keys: readonly string[]): Promise<void>
  /** Signs a URL that reads the object from now on, for some seconds. */
  signUrl(key: string, seconds: number): Promise<string>
  /** Signs a link for browsers, as of the full hour, so that they can cache the object, which need not exist. */
  signLink(key: string, options: LinkOptions): Promise<string>
}

/** When links signed now expire. @param credentialsEnd expiry of the signing credentials, if known */
export function linksEndAt(nowMs: number, credentialsEnd?: Date): Date {
  const endMs = Math.floor(nowMs / linkHourMs) * linkHourMs + linkSeconds * 1_000
  return endWithCredentials(endMs, credentialsEnd)
}

/** The end of a signed URL, which does not outlive the credentials that sign it. */
export const endWithCredentials = (endMs: number, credentialsEnd?: Date): Date =>
  new Date(Math.min(endMs, credentialsEnd?.getTime() ?? endMs))

/**
 * Opens the store; the S3 client is loaded with the first call, because it is a quarter of the chat function.
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
        throw new ObjectStoreUnavailable('the S3 client could not be loaded', { cause })
      },
    ))
  return {
    bucket,
    read: async (key) => (await load()).read(key),
    readBeginning: async (key, bytes) => (await load()).readBeginning(key, bytes),
    readRange: async (key, from, to, etag) => (await load()).readRange(key, from, to, etag),
    stream: async (key) => (await load()).stream(key),
    remove: async (keys) => (await load()).remove(keys),
    signUrl: async (key, seconds) => (await load()).signUrl(key, seconds),
    signLink: async (key, options) => (await load()).signLink(key, options),
  }
}
