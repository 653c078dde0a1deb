import { DeleteObjectsCommand, GetObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { linkHourMs, linkSeconds, ObjectStoreUnavailable, type ObjectStore } from './object-store.ts'
import { s3Client, undefinedIfMissing } from './s3-client.ts'

/**
 * The store over S3.
 * @param bucket from the environment's UPLOADS_BUCKET
 */
export function s3ObjectStore(bucket: string): ObjectStore {
  const client = s3Client()
  const get = (key: string, range?: string, etag?: string) =>
    client.send(new GetObjectCommand({ Bucket: bucket, Key: key, Range: range, IfMatch: etag }))
  const readRange = (key: string, from: number, to: number, etag?: string) =>
    undefinedIfMissing(
      get(key, `bytes=${from}-${to - 1}`, etag).then(async ({ Body, ETag = '' }) => {
        const read = await Body?.transformToByteArray()
        return read && { bytes: read, etag: ETag }
      }),
    )
  return {
    bucket,
    read: (key) => undefinedIfMissing(get(key).then(({ Body }) => Body?.transformToByteArray())),
    readBeginning: (key, bytes) => readRange(key, 0, bytes),
    readRange,
    stream: (key) =>
      undefinedIfMissing(
        get(key).then(({ Body }) => Body?.transformToWebStream() as ReadableStream<Uint8Array> | undefined),
      ),
    async remove(keys) {
      const remove = new DeleteObjectsCommand({
        Bucket: bucket,
        Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true },
      })
      const { Errors: errors } = await client.send(remove).catch((cause: unknown) => {
        throw new ObjectStoreUnavailable('objects could not be deleted', { cause })
      })
      if (errors?.length) throw new ObjectStoreUnavailable(`${errors.length} objects could not be deleted`)
    },
    signUrl: (key, seconds) =>
      getSignedUrl(client, new GetObjectCommand({ Bucket: bucket, Key: key }), { expiresIn: seconds }),
    signLink(key, { type, disposition }) {
      const read = new GetObjectCommand({
        Bucket: bucket,
        Key: key,
        ResponseContentType: type,
        ResponseContentDisposition: disposition,
        ResponseCacheControl: 'private, max-age=3600',
      })
      return getSignedUrl(client, read, {
        signingDate: new Date(Math.floor(Date.now() / linkHourMs) * linkHourMs),
        expiresIn: linkSeconds,
      })
    },
  }
}
