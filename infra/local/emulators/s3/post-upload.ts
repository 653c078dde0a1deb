import type { IncomingMessage } from 'node:http'
import { readPostForm } from './multipart.ts'
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

/** A browser's upload by presigned POST: checks the signature and the policy first, then counts the bytes while they arrive. */
export async function postUpload(
  request: IncomingMessage,
  { files, bucket, signer }: { files: ObjectFiles; bucket: string; signer: Signer },
): Promise<PostResult> {
  const { fields, fileName, file } = await readPostForm(request, request.headers['content-type'] ?? '')
  const key = fields.get('key')?.replaceAll('${filename}', fileName)
  if (!key)
    throw new S3Error(
      400,
      'InvalidArgument',
      "Bucket POST must contain a field named 'key'.  If it is specified, please check the order of the fields.",
      { ArgumentName: 'key', ArgumentValue: '' },
    )
  verifyPolicy(signer, fields)
  const { minBytes, maxBytes } = checkPolicy(fields, bucket)
  const received = await files.receive(file, (bytes) => {
    if (bytes > maxBytes)
      throw new S3Error(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size', {
        ProposedSize: bytes,
        MaxSizeAllowed: maxBytes,
      })
  })
  if (received.size < minBytes) {
    await files.discard(received)
    throw new S3Error(
      400,
      'EntityTooSmall',
      'Your proposed upload is smaller than the minimum allowed size',
      {
        ProposedSize: received.size,
        MinSizeAllowed: minBytes,
      },
    )
  }
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
