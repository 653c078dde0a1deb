import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
  type CompletedPart,
} from '@aws-sdk/client-s3'
import { ObjectStoreUnavailable, type ObjectStore } from './object-store.ts'
import { s3Client } from './s3-client.ts'

/** S3 requires 5 MB for all parts but the last; 10,000 of these are 80 GB. */
const partBytes = 8 * 1024 * 1024

interface ObjectFields {
  key: string
  type: string
  disposition: string
}

/**
 * Stores an object of any size while it is produced, with one part in memory.
 * @param check called before each part and before the end; an error aborts the upload
 * @returns bytes of the object
 * @throws ObjectStoreUnavailable; errors of `chunks` and `check`. Then no object is stored
 */
export async function uploadObject(
  { bucket }: Pick<ObjectStore, 'bucket'>,
  { key, type, disposition }: ObjectFields,
  chunks: AsyncIterable<Uint8Array>,
  check: () => void = () => undefined,
): Promise<number> {
  const client = s3Client()
  const object = { Bucket: bucket, Key: key }
  const { UploadId } = await wrapErrors(
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
    for await (const part of splitIntoParts(chunks)) {
      check()
      const PartNumber = parts.length + 1
      const upload = new UploadPartCommand({ ...object, UploadId, PartNumber, Body: part })
      const { ETag } = await wrapErrors(client.send(upload))
      parts.push({ ETag, PartNumber })
      bytes += part.length
    }
    check()
    const MultipartUpload = { Parts: parts }
    await wrapErrors(
      client.send(new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload })),
    )
    return bytes
  } catch (error) {
    // if this fails, too, the bucket's lifecycle rule aborts the upload within a day
    await client.send(new AbortMultipartUploadCommand({ ...object, UploadId })).catch(() => undefined)
    throw error
  }
}

async function wrapErrors<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call
  } catch (cause) {
    throw new ObjectStoreUnavailable('an upload in parts failed', { cause })
  }
}

/** Splits bytes into parts of equal size; the last is smaller. All parts share one buffer. */
async function* splitIntoParts(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const part = Buffer.allocUnsafe(partBytes)
  let filled = 0
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length;) {
      const chunkPart = chunk.subarray(at, at + partBytes - filled)
      part.set(chunkPart, filled)
      filled += chunkPart.length
      at += chunkPart.length
      if (filled < partBytes) continue
      yield part
      filled = 0
    }
  if (filled > 0) yield part.subarray(0, filled)
}
