import type { IncomingMessage } from 'node:http'
import { S3Error } from './s3-error.ts'

/** The bytes of an upload by the SDK. Chunked signed bodies, which the SDK sends over TLS only, are refused. */
export function uploadedBytes(request: IncomingMessage): AsyncIterable<Buffer> {
  if (String(request.headers['x-amz-content-sha256'] ?? '').startsWith('STREAMING-'))
    throw new S3Error('NotImplemented', {}, 'Transfers in chunks are not implemented here.')
  return request
}

const maxBytes = 1024 * 1024

/** A body that is read into memory, such as a list of keys. */
export async function readBodyText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of uploadedBytes(request)) {
    size += part.length
    if (size > maxBytes) throw new S3Error('MalformedXML')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
