import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { HttpResponse, type HttpRequest } from '@smithy/core/protocols'
import { AsyncResource } from 'node:async_hooks'
import { channel, subscribe } from 'node:diagnostics_channel'
import { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/**
 * Once this module is loaded, SDK calls to emulators of the same process skip the socket: the emulator's HTTP server gets the signed
 * request as it is, and the client its response, which takes a third of the processor time of a call away. Calls of S3 and of other
 * processes, and all calls while `interceptCalls` injects faults into connections, use sockets; so does the project `emulators`.
 */

interface HandlerOptions {
  abortSignal?: AbortSignal
  requestTimeout?: number | undefined
}

/** The SDK's request handler of Node. */
interface RequestHandler {
  config?: { requestTimeout?: number }
  configProvider: Promise<{ requestTimeout?: number }>
  handle(request: HttpRequest, options?: HandlerOptions): Promise<{ response: HttpResponse }>
}

const installed = Symbol.for('juno.direct-calls')
// tests fake timers
const { setImmediate, setTimeout, clearTimeout } = globalThis
const servers = new Map<number, Server>()
/** a server's work is not a part of its client's asynchronous context */
const outside = new AsyncResource('direct-calls')
const requestCreated = channel('http.client.request.created')

function install(): void {
  subscribe('tracing:net.server.listen:asyncEnd', (message) => {
    const { server } = message as { server: unknown }
    if (!(server instanceof Server)) return
    const { port } = server.address() as AddressInfo
    servers.set(port, server)
    server.once('close', () => servers.delete(port))
  })
  const { requestHandler } = new DynamoDBClient({ region: 'us-east-1' }).config
  const prototype = Object.getPrototypeOf(requestHandler) as RequestHandler
  const send = Reflect.get(prototype, 'handle')
  const originalEmit = Reflect.get(Server.prototype, 'emit')
  prototype.handle = async function (this: RequestHandler, request, options = {}) {
    const server = servers.get(request.port ?? 0)
    const body = toBytes(request.body)
    const isDirect =
      server?.listening &&
      request.hostname === '127.0.0.1' &&
      'x-amz-target' in request.headers &&
      Reflect.get(Server.prototype, 'emit') === originalEmit
    if (!isDirect || !body) return send.call(this, request, options)
    const { requestTimeout } = (this.config ??= await this.configProvider)
    return { response: await call(server, request, body, { requestTimeout, ...options }) }
  }
}

/**
 * Counts only time in which the process runs. When a busy machine pauses it, the pause is a single step: the emulator, which is in the same
 * process, could not respond meanwhile.
 */
function startTimer(ms: number, onEnd: () => void) {
  const steps = 10
  let count = 0
  const next = () => {
    if (count === steps) return onEnd()
    count += 1
    timer = setTimeout(next, ms / steps)
  }
  let timer: NodeJS.Timeout | undefined
  next()
  return { clear: () => clearTimeout(timer) }
}

function toBytes(body: unknown): Buffer | undefined {
  if (typeof body === 'string') return Buffer.from(body)
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  return undefined
}

function call(
  server: Server,
  { method, path, headers }: HttpRequest,
  body: Buffer,
  { abortSignal, requestTimeout = 0 }: HandlerOptions,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const fail = (name: string, message: string) => {
      timer?.clear()
      reject(Object.assign(new Error(message), { name }))
    }
    const abort = () => fail('AbortError', 'Request aborted')
    const timer =
      requestTimeout > 0
        ? startTimer(requestTimeout, () => fail('TimeoutError', `No response within ${requestTimeout} ms`))
        : undefined
    if (abortSignal?.aborted) return abort()
    abortSignal?.addEventListener('abort', abort, { once: true })
    // as Node's client does: infra/local/caller.ts adds the calling function here
    requestCreated.publish({
      request: {
        headersSent: false,
        getHeader: (name: string) => headers[name],
        setHeader: (name: string, value: string) => void (headers[name] = value),
      },
    })
    const request = new IncomingMessage(null as unknown as Socket)
    Object.assign(request, { method, url: path, complete: true })
    for (const [name, value] of Object.entries(headers)) request.headers[name.toLowerCase()] = value
    request.push(body)
    request.push(null)
    const response = new DirectResponse(request, (answer) => {
      timer?.clear()
      abortSignal?.removeEventListener('abort', abort)
      resolve(answer)
    })
    // like a socket: the client goes on with other work meanwhile
    setImmediate(() => {
      if (server.listening) outside.runInAsyncScope(() => server.emit('request', request, response))
      else fail('ECONNREFUSED', 'The server was closed')
    })
  })
}

/** Collects a response in memory. */
class DirectResponse extends ServerResponse {
  readonly #finish: (answer: HttpResponse) => void
  readonly #chunks: Buffer[] = []

  constructor(request: IncomingMessage, finish: (answer: HttpResponse) => void) {
    super(request)
    this.#finish = finish
  }

  override writeHead(status: number, ...rest: unknown[]): this {
    this.statusCode = status
    for (const [name, value] of Object.entries(rest.at(-1) ?? {})) this.setHeader(name, value as string)
    return this
  }

  override write(chunk: unknown): boolean {
    this.#chunks.push(Buffer.from(chunk as string))
    return true
  }

  override end(chunk?: unknown): this {
    if (chunk !== undefined) this.write(chunk)
    const headers = Object.fromEntries(
      Object.entries(this.getHeaders()).map(([name, value]) => [name, String(value)]),
    )
    this.#finish(
      new HttpResponse({ statusCode: this.statusCode, headers, body: Buffer.concat(this.#chunks) }),
    )
    return this
  }
}

// once per process: test files load their own modules
if (!Reflect.has(globalThis, installed)) {
  Reflect.set(globalThis, installed, true)
  install()
}
