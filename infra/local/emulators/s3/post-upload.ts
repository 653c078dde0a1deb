import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import type { ObjectFiles } from './object-files.ts'
import { checkPolicy } from './post-policy.ts'
import { element, S3Error, xmlDocument } from './s3-error.ts'
import type { Signer } from '../signature.ts'
import { verifyPolicy } from './signature.ts'

export interface PostResult {
  status: number
  headers: Record<string, string>
  body: string
}

/** More than the product lets anybody upload. */
const maxFormBytes = 256 * 1024 * 1024

/** S3 ignores what follows the file. @throws S3Error for an invalid form: 412 for another content type, 400 without a file */
async function readPostForm(request: IncomingMessage) {
  const type = request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data;/i.test(type))
    throw new S3Error('PreconditionFailed', {
      Condition: 'Bucket POST must be of the enclosure-type multipart/form-data',
    })
  // it is read into memory, before its signature can be verified
  if (!(Number(request.headers['content-length']) <= maxFormBytes)) throw new S3Error('EntityTooLarge')
  const body = Readable.toWeb(request) as ReadableStream<Uint8Array>
  const form = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => {
    throw new S3Error('MalformedPOSTRequest')
  })
  const fields = new Map<string, string>()
  for (const [name, value] of form) {
    if (name.toLowerCase() === 'file' && value instanceof File) return { fields, file: value }
    if (typeof value === 'string') fields.set(name.toLowerCase(), value)
  }
  throw new S3Error('InvalidArgument', {}, 'POST requires exactly one file upload per request.')
}

/** A browser's upload by presigned POST, with the signature and the policy checked. */
export async function postUpload(
  request: IncomingMessage,
  { files, bucket, signer }: { files: ObjectFiles; bucket: string; signer: Signer },
): Promise<PostResult> {
  const { fields, file } = await readPostForm(request)
  const key = fields.get('key')?.replaceAll('${filename}', file.name)
  if (!key)
    throw new S3Error(
      'InvalidArgument',
      { ArgumentName: 'key', ArgumentValue: '' },
      "Bucket POST must contain a field named 'key'.  If it is specified, please check the order of the fields.",
    )
  verifyPolicy(signer, fields)
  const { minBytes, maxBytes } = checkPolicy(fields, bucket)
  if (file.size > maxBytes)
    throw new S3Error('EntityTooLarge', { ProposedSize: file.size, MaxSizeAllowed: maxBytes })
  if (file.size < minBytes)
    throw new S3Error('EntityTooSmall', { ProposedSize: file.size, MinSizeAllowed: minBytes })
  const received = await files.receive(Readable.fromWeb(file.stream() as WebStream))
  const { etag } = await files.put(key, received, {
    type: fields.get('content-type') ?? 'binary/octet-stream',
    ...(fields.has('cache-control') && { cacheControl: fields.get('cache-control') ?? '' }),
    ...(fields.has('content-disposition') && { disposition: fields.get('content-disposition') ?? '' }),
  })
  const location = `http://${request.headers.host}/${bucket}/${encodeURIComponent(key)}`
  const created = fields.get('success_action_status') === '201'
  return {
    status: created ? 201 : fields.get('success_action_status') === '200' ? 200 : 204,
    headers: { etag, location, ...(created && { 'content-type': 'application/xml' }) },
    body: created
      ? xmlDocument(
          element('PostResponse', [
            element('Location', location),
            element('Bucket', bucket),
            element('Key', key),
            element('ETag', etag),
          ]),
        )
      : '',
  }
}
