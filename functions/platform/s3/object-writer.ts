import { CopyObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { createPresignedPost } from '@aws-sdk/s3-presigned-post'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { ObjectStoreUnavailable, type ObjectStore } from './object-store.ts'
import { s3Client, undefinedIfMissing } from './s3-client.ts'

// separate from the store, so that only functions whose code imports this may write objects

type Bucket = Pick<ObjectStore, 'bucket'>

const uploadSeconds = 900
/** How long browsers may keep an object. */
const cacheControl = 'max-age=3600'

/** Stores an object. @throws ObjectStoreUnavailable */
export async function putObject(
  { bucket }: Bucket,
  { key, body, type }: { key: string; body: Uint8Array; type: string },
): Promise<void> {
  const put = new PutObjectCommand({
    Bucket: bucket,
    Key: key,
    Body: body,
    ContentType: type,
    CacheControl: cacheControl,
  })
  await s3Client()
    .send(put)
    .catch((cause: unknown) => {
      throw new ObjectStoreUnavailable('an object could not be stored', { cause })
    })
}

/**
 * Copies an object with this ETag.
 * @returns false when the object was deleted or replaced
 * @throws ObjectStoreUnavailable
 */
export async function copyObject(
  { bucket }: Bucket,
  { from, etag, to, type }: { from: string; etag: string; to: string; type: string },
): Promise<boolean> {
  const copy = new CopyObjectCommand({
    Bucket: bucket,
    Key: to,
    CopySource: encodeURIComponent(`${bucket}/${from}`),
    CopySourceIfMatch: etag,
    ContentType: type,
    CacheControl: cacheControl,
    MetadataDirective: 'REPLACE',
  })
  return (await undefinedIfMissing(s3Client().send(copy))) !== undefined
}

/** Allows an upload of exactly this key, type and size. @returns the form that a browser posts, with the file as its last field */
export function presignUpload(
  { bucket }: Bucket,
  key: string,
  { type, size }: { type: string; size: number },
) {
  const fields = { 'Content-Type': type, 'Cache-Control': cacheControl }
  return createPresignedPost(s3Client(), {
    Bucket: bucket,
    Key: key,
    Fields: fields,
    Conditions: [
      ['content-length-range', size, size],
      ...Object.entries(fields).map(([name, value]) => ({ [name]: value })),
    ],
    Expires: uploadSeconds,
  })
}

/** Signs a URL by which an object of this key and type is stored, from now on, for some seconds. */
export function presignPut(
  { bucket }: Bucket,
  { key, type }: { key: string; type: string },
  seconds: number,
): Promise<string> {
  const put = new PutObjectCommand({ Bucket: bucket, Key: key, ContentType: type })
  return getSignedUrl(s3Client(), put, { expiresIn: seconds, signableHeaders: new Set(['content-type']) })
}
