import { CopyObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { createPresignedPost } from '@aws-sdk/s3-presigned-post'
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

/** A form by which an object is stored: its fields, with the bytes as the last one, are posted to the address. */
export interface UploadForm {
  url: string
  fields: Record<string, string>
}

/** Allows an upload of exactly this key and type, and of `size` bytes, or `minSize` to `size`, from now on for some seconds. */
export function presignUpload(
  { bucket }: Bucket,
  key: string,
  { type, size, minSize = size }: { type: string; size: number; minSize?: number },
  seconds = uploadSeconds,
): Promise<UploadForm> {
  const fields = { 'Content-Type': type, 'Cache-Control': cacheControl }
  return createPresignedPost(s3Client(), {
    Bucket: bucket,
    Key: key,
    Fields: fields,
    Conditions: [
      ['content-length-range', minSize, size],
      ...Object.entries(fields).map(([name, value]) => ({ [name]: value })),
    ],
    Expires: seconds,
  })
}
