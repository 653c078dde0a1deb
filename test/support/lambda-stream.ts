import { Writable } from 'node:stream'
import * as z from 'zod'

/**
 * The stream that Lambda's runtime gives a streaming handler, with the bytes that Lambda gets. As in the runtime, the metadata and
 * their delimiter go out right before the first write, and not at all when there is none.
 * @see https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/blob/main/src/HttpResponseStream.js
 */
export class LambdaStream extends Writable {
  contentType: string | undefined
  readonly #chunks: Buffer[] = []
  #metadata: unknown

  begin(metadata: unknown) {
    this.contentType = 'application/vnd.awslambda.http-integration-response'
    this.#metadata = metadata
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void) {
    if (this.#metadata !== undefined)
      this.#chunks.push(Buffer.from(JSON.stringify(this.#metadata)), Buffer.alloc(8))
    this.#metadata = undefined
    this.#chunks.push(chunk)
    done()
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks)
  }
}

/** The global of Lambda's runtime: to be there before a module with a streaming handler is loaded. */
export const lambdaRuntime = {
  streamifyResponse: <Handler>(handler: Handler) => handler,
  HttpResponseStream: {
    from(stream: LambdaStream, metadata: unknown) {
      stream.begin(metadata)
      return stream
    },
  },
}

/** What API Gateway takes as metadata: nothing else, and no values but texts. */
const metadataFormat = z.strictObject({
  statusCode: z.int().min(100).max(599),
  headers: z.record(z.string(), z.string()).optional(),
  multiValueHeaders: z.record(z.string(), z.array(z.string())).optional(),
  cookies: z.array(z.string()).optional(),
})

/** Within so many bytes the delimiter has to come. */
const metadataBytes = 16 * 1024

/**
 * Takes apart what a function streamed, as API Gateway does: metadata as JSON, eight zero bytes, the body.
 * @throws for bytes that are not of that form
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode-lambda.html
 */
export function parseStreamed(bytes: Buffer) {
  const end = bytes.subarray(0, metadataBytes).indexOf(Buffer.alloc(8))
  if (end < 0) throw new Error('no delimiter within the first 16 KB')
  const { statusCode, headers = {} } = metadataFormat.parse(JSON.parse(bytes.toString('utf8', 0, end)))
  return { statusCode, headers, body: bytes.subarray(end + 8) }
}
