import type { ServerResponse } from 'node:http'
import { Writable } from 'node:stream'

/** Status and headers of a streamed response. */
export interface Prelude {
  statusCode?: number
  headers?: Record<string, string>
  multiValueHeaders?: Record<string, string[]>
  cookies?: string[]
}

/**
 * The size limit of a streamed response.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html ("up to 200 MB"; 20 MB before July 2025)
 */
const maxStreamedBytes = 200 * 1024 * 1024

/**
 * The stream that a streaming handler writes into. As on Lambda the prelude is sent with the first write, the reader's pace
 * causes backpressure, and a disconnected reader does not stop the handler: further writes are dropped. A response that
 * grows too large is cut off.
 */
export class ResponseStream extends Writable {
  readonly #response: ServerResponse
  #prelude: Prelude | undefined
  #bytes = 0

  readonly #onBegin: () => void
  readonly #maxBytes: number

  /** @param onBegin called when the handler has decided on its response; its first bytes may come later */
  constructor(response: ServerResponse, onBegin: () => void = () => undefined, maxBytes = maxStreamedBytes) {
    super({ highWaterMark: 64 * 1024 })
    this.#response = response
    this.#onBegin = onBegin
    this.#maxBytes = maxBytes
  }

  setPrelude(prelude: Prelude) {
    this.#prelude = prelude
    this.#onBegin()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void) {
    this.#writePrelude()
    const response = this.#response
    this.#bytes += chunk.length
    if (this.#bytes > this.#maxBytes) {
      response.destroy()
      return done(new Error(`the streamed answer is over ${this.#maxBytes / 1024 ** 2} MB`))
    }
    if (isGone(response) || chunk.length === 0 || response.write(chunk)) return done()
    const resume = () => {
      response.off('drain', resume)
      response.off('close', resume)
      done()
    }
    response.on('drain', resume)
    response.on('close', resume)
  }

  override _final(done: () => void) {
    if (!isGone(this.#response) && this.#response.headersSent) this.#response.end()
    done()
  }

  #writePrelude() {
    const response = this.#response
    if (response.headersSent || isGone(response)) return
    const { statusCode = 200, headers = {}, multiValueHeaders = {}, cookies = [] } = this.#prelude ?? {}
    response.statusCode = statusCode
    for (const [name, value] of Object.entries({ ...headers, ...multiValueHeaders }))
      response.setHeader(name, value)
    if (cookies.length > 0) response.setHeader('set-cookie', cookies)
    response.flushHeaders()
  }
}

const isGone = (response: ServerResponse) => response.destroyed || response.closed || response.writableEnded
