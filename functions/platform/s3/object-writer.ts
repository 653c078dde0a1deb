import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
  type CompletedPart,
} from '@aws-sdk/client-s3'
import { createPresignedPost } from '@aws-sdk/s3-presigned-post'
import { StoreUnavailable, type ObjectStore } from './object-store.ts'
import { s3Client, undefinedIfMissing } from './s3-client.ts'

type Bucket = Pick<ObjectStore, 'bucket'>

const uploadSeconds = 900
/** How long browsers may keep an object. */
const cacheControl = 'max-age=3600'

/** Stores an object that the product made itself. @throws StoreUnavailable */
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
      throw new StoreUnavailable('an object could not be stored', { cause })
    })
}

/**
 * Copies an object whose ETag is this one.
 * @returns false when the object is gone or was replaced
 * @throws StoreUnavailable
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

/**
 * The keys of all objects under a prefix, in pages of at most 1,000, as many as one request deletes.
 * @throws StoreUnavailable
 */
export async function* listKeys({ bucket }: Pick<ObjectStore, 'bucket'>, prefix: string) {
  let token: string | undefined
  do {
    const list = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token })
    const { Contents = [], NextContinuationToken } = await s3Client()
      .send(list)
      .catch((cause: unknown) => {
        throw new StoreUnavailable('objects could not be listed', { cause })
      })
    if (Contents.length > 0) yield Contents.flatMap(({ Key }) => Key ?? [])
    token = NextContinuationToken
  } while (token !== undefined)
}

/** All parts but the last need 5 MB; 10,000 of these are 80 GB. */
const partBytes = 8 * 1024 * 1024

interface ObjectFields {
  key: string
  type: string
  disposition: string
}

/**
 * Stores an object of any size while it is made; holds no more of it than a part.
 * @param check called before each part and before the end; what it throws ends the upload
 * @returns bytes of the object
 * @throws StoreUnavailable; what `chunks` or `check` throws. Then there is no object
 */
export async function uploadObject(
  { bucket }: Pick<ObjectStore, 'bucket'>,
  { key, type, disposition }: ObjectFields,
  chunks: AsyncIterable<Uint8Array>,
  check: () => void = () => undefined,
): Promise<number> {
  const client = s3Client()
  const object = { Bucket: bucket, Key: key }
  const { UploadId } = await storing(
    client.send(
      new CreateMultipartUploadCommand({
        ...object,
        ContentType: type,
        ContentDisposition: disposition,
        CacheControl: 'private, no-store',
      }),
    ),
  )
  try {
    const parts: CompletedPart[] = []
    let bytes = 0
    for await (const part of inParts(chunks)) {
      check()
      const PartNumber = parts.length + 1
      const upload = new UploadPartCommand({ ...object, UploadId, PartNumber, Body: part })
      const { ETag } = await storing(client.send(upload))
      parts.push({ ETag, PartNumber })
      bytes += part.length
    }
    check()
    const MultipartUpload = { Parts: parts }
    await storing(client.send(new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload })))
    return bytes
  } catch (error) {
    // should this fail too, the bucket's lifecycle rule aborts it within a day
    await client.send(new AbortMultipartUploadCommand({ ...object, UploadId })).catch(() => undefined)
    throw error
  }
}

async function storing<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call
  } catch (cause) {
    throw new StoreUnavailable('an upload in parts failed', { cause })
  }
}

/** The bytes in parts of equal size; the last one is smaller. Each is overwritten by the next. */
async function* inParts(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const part = Buffer.allocUnsafe(partBytes)
  let filled = 0
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length;) {
      const taken = chunk.subarray(at, at + partBytes - filled)
      part.set(taken, filled)
      filled += taken.length
      at += taken.length
      if (filled < partBytes) continue
      yield part
      filled = 0
    }
  if (filled > 0) yield part.subarray(0, filled)
}
