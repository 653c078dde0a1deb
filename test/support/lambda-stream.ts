import { Writable } from 'node:stream'
import * as z from 'zod'

/**
 * The stream that Lambda's runtime passes to a streaming handler; it records the bytes. As in the runtime, the metadata and their
 * delimiter are sent right before the first write, and not at all without one.
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

/** The global of Lambda's runtime. Has to exist before a module with a streaming handler is loaded. */
export const lambdaRuntime = {
  streamifyResponse: <Handler>(handler: Handler) => handler,
  HttpResponseStream: {
    from(stream: LambdaStream, metadata: unknown) {
      stream.begin(metadata)
      return stream
    },
  },
}

/** The metadata that API Gateway accepts: no other members, and only strings as values. */
const metadataFormat = z.strictObject({
  statusCode: z.int().min(100).max(599),
  headers: z.record(z.string(), z.string()).optional(),
  multiValueHeaders: z.record(z.string(), z.array(z.string())).optional(),
  cookies: z.array(z.string()).optional(),
})

/** The delimiter has to come within this many bytes. */
const metadataBytes = 16 * 1024

/**
 * Parses a function's stream as API Gateway does: metadata as JSON, eight zero bytes, the body.
 * @throws for bytes in another format
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode-lambda.html
 */
export function parseStreamed(bytes: Buffer) {
  const end = bytes.subarray(0, metadataBytes).indexOf(Buffer.alloc(8))
  if (end < 0) throw new Error('no delimiter within the first 16 KB')
  const { statusCode, headers = {} } = metadataFormat.parse(JSON.parse(bytes.toString('utf8', 0, end)))
  return { statusCode, headers, body: bytes.subarray(end + 8) }
}
