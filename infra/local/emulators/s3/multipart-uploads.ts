import { createHash, randomUUID } from 'node:crypto'
import { readBodyText, uploadedBytes } from './body.ts'
import type { ObjectFiles, ObjectHeaders, StoredContent } from './object-files.ts'
import { element, S3Error } from './s3-error.ts'
import { readObjectHeaders, rootDocument, sendXml, type S3Call } from './object-operations.ts'

/** @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const minPartBytes = 5 * 1024 * 1024
const maxParts = 10_000

interface Upload {
  key: string
  headers: ObjectHeaders
  startedAtMs: number
  parts: Map<number, StoredContent>
}

/**
 * Multipart uploads, until they are completed or aborted. A restart loses them: the uploading function is in this process, too.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html for the errors
 */
export function multipartUploads(files: ObjectFiles) {
  const uploads = new Map<string, Upload>()

  function requireUpload({ query, key }: S3Call): Upload {
    const upload = uploads.get(query.get('uploadId') ?? '')
    if (upload?.key === key) return upload
    throw new S3Error('NoSuchUpload', { UploadId: query.get('uploadId') ?? '' })
  }

  async function discard(id: string): Promise<void> {
    const upload = uploads.get(id)
    uploads.delete(id)
    for (const part of upload?.parts.values() ?? []) await files.discard(part)
  }

  return {
    create({ request, response, bucket, key }: S3Call): void {
      const id = randomUUID()
      uploads.set(id, { key, headers: readObjectHeaders(request), startedAtMs: Date.now(), parts: new Map() })
      const members = [element('Bucket', bucket), element('Key', key), element('UploadId', id)]
      sendXml(response, rootDocument('InitiateMultipartUploadResult', members))
    },

    async uploadPart(call: S3Call): Promise<void> {
      const upload = requireUpload(call)
      const number = Number(call.query.get('partNumber'))
      if (!Number.isInteger(number) || number < 1 || number > maxParts)
        throw new S3Error(
          'InvalidArgument',
          {},
          `Part number must be an integer between 1 and ${maxParts}, inclusive`,
        )
      const received = await files.receive(uploadedBytes(call.request))
      const previousPart = upload.parts.get(number)
      upload.parts.set(number, received)
      if (previousPart) await files.discard(previousPart)
      call.response.writeHead(200, { etag: received.etag, 'content-length': 0 }).end()
    },

    async complete(call: S3Call): Promise<void> {
      const upload = requireUpload(call)
      const parts = selectParts(upload, await readBodyText(call.request))
      const joined = await files.concatenate(parts)
      const md5s = parts.map(({ etag }) => Buffer.from(etag.replaceAll('"', ''), 'hex'))
      const etag = `"${createHash('md5').update(Buffer.concat(md5s)).digest('hex')}-${parts.length}"`
      const meta = await files.put(call.key, { ...joined, etag }, upload.headers)
      await discard(call.query.get('uploadId') ?? '')
      const members = [element('Bucket', call.bucket), element('Key', call.key), element('ETag', meta.etag)]
      sendXml(call.response, rootDocument('CompleteMultipartUploadResult', members))
    },

    async abort(call: S3Call): Promise<void> {
      requireUpload(call)
      await discard(call.query.get('uploadId') ?? '')
      call.response.writeHead(204).end()
    },

    /** Aborts uploads that were started before this time, as the bucket's lifecycle rule does. */
    async abortOld(prefix: string, beforeMs: number): Promise<void> {
      for (const [id, { key, startedAtMs }] of uploads)
        if (key.startsWith(prefix) && startedAtMs < beforeMs) await discard(id)
    },
  }
}

/** The parts that a request to complete an upload names. @throws S3Error as S3 refuses them */
function selectParts({ parts }: Upload, body: string): StoredContent[] {
  const requestedParts = [...body.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
    number: Number(/<PartNumber>(\d+)<\/PartNumber>/.exec(part)?.[1]),
    etag: (/<ETag>(.*?)<\/ETag>/.exec(part)?.[1] ?? '').replaceAll(/&quot;|&#34;|"/g, ''),
  }))
  if (requestedParts.length === 0) throw new S3Error('MalformedXML')
  if (
    requestedParts.some(
      ({ number }, index) => index > 0 && number <= (requestedParts[index - 1]?.number ?? 0),
    )
  )
    throw new S3Error('InvalidPartOrder')
  const chosen = requestedParts.map(({ number, etag }) => {
    const part = parts.get(number)
    if (part?.etag === `"${etag}"`) return part
    throw new S3Error('InvalidPart', { PartNumber: number, ETag: etag })
  })
  const small = chosen.findIndex(({ size }, index) => size < minPartBytes && index < chosen.length - 1)
  if (small >= 0)
    throw new S3Error('EntityTooSmall', {
      ProposedSize: chosen[small]?.size ?? 0,
      MinSizeAllowed: minPartBytes,
      PartNumber: requestedParts[small]?.number ?? 0,
      ETag: requestedParts[small]?.etag ?? '',
    })
  return chosen
}

export type MultipartUploads = ReturnType<typeof multipartUploads>
