import type { Readable } from 'node:stream'
import { S3Error } from './s3-error.ts'

const maxFieldBytes = 20 * 1024
const malformed = () =>
  new S3Error(
    400,
    'MalformedPOSTRequest',
    'The body of your POST request is not well-formed multipart/form-data.',
  )

/** The form of a POST upload: its fields, then the bytes of `file`, after which S3 ignores further parts. */
export interface PostForm {
  /** names in lower case */
  fields: Map<string, string>
  fileName: string
  file: AsyncIterable<Buffer>
}

/** Bytes of a stream up to a delimiter; buffers only what may be the start of the delimiter. */
class DelimitedReader {
  #rest = Buffer.alloc(0)
  #source: AsyncIterator<Buffer>

  constructor(source: Readable) {
    this.#source = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  /** @throws S3Error when the stream ends before the delimiter */
  async *until(delimiter: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#rest.indexOf(delimiter)
      if (at >= 0) {
        const found = this.#rest.subarray(0, at)
        this.#rest = this.#rest.subarray(at + delimiter.length)
        if (found.length > 0) yield found
        return
      }
      const safe = this.#rest.length - delimiter.length + 1
      if (safe > 0) {
        const ready = this.#rest.subarray(0, safe)
        this.#rest = this.#rest.subarray(safe)
        yield ready
      }
      const { value, done } = await this.#source.next()
      if (done) throw malformed()
      this.#rest = Buffer.concat([this.#rest, value])
    }
  }

  async text(delimiter: Buffer, maxBytes: number): Promise<string> {
    const parts: Buffer[] = []
    let size = 0
    for await (const part of this.until(delimiter)) {
      size += part.length
      if (size > maxBytes)
        throw new S3Error(
          400,
          'MaxPostPreDataLengthExceeded',
          'Your POST request fields preceding the upload file were too large.',
        )
      parts.push(part)
    }
    return Buffer.concat(parts).toString('utf8')
  }

  /** Reads the rest, so that the client gets the response. */
  async drain(): Promise<void> {
    for (;;) if ((await this.#source.next()).done) return
  }
}

const attribute = (headers: string, name: string) =>
  new RegExp(`[; ]${name}="((?:[^"\\\\]|\\\\.)*)"`, 'i').exec(headers)?.[1]

/**
 * Reads the form up to the file, whose bytes the caller reads.
 * @throws S3Error for an invalid form: 412 for another content type, 400 without a file
 */
export async function readPostForm(body: Readable, contentType: string): Promise<PostForm> {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]{1,200})"?/i.exec(contentType)?.[1]
  if (!boundary)
    throw new S3Error(
      412,
      'PreconditionFailed',
      'At least one of the pre-conditions you specified did not hold',
      { Condition: 'Bucket POST must be of the enclosure-type multipart/form-data' },
    )
  const reader = new DelimitedReader(body)
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const lineEnd = Buffer.from('\r\n')
  const fields = new Map<string, string>()
  await reader.text(Buffer.from(`--${boundary}`), maxFieldBytes)
  for (;;) {
    const after = await reader.text(lineEnd, 100)
    if (after.startsWith('--'))
      throw new S3Error(400, 'InvalidArgument', 'POST requires exactly one file upload per request.')
    const headers = await reader.text(Buffer.from('\r\n\r\n'), maxFieldBytes)
    const name = attribute(headers, 'name')?.toLowerCase()
    if (!name) throw malformed()
    if (name === 'file') {
      const fileName = attribute(headers, 'filename') ?? ''
      const file = (async function* () {
        yield* reader.until(delimiter)
        await reader.drain()
      })()
      return { fields, fileName, file }
    }
    fields.set(name, await reader.text(delimiter, maxFieldBytes))
  }
}
