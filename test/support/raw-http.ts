import { once } from 'node:events'
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/** HTTP that `fetch` cannot send: unnormalized paths, bytes that are not text, any method. */

export interface RawReply {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

export interface RawRequest {
  method?: string
  /** as in the request line */
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array | undefined
}

/** @throws the system's error when the connection breaks before a response */
export async function sendRaw(
  origin: string,
  { method = 'GET', path, headers = {}, body }: RawRequest,
): Promise<RawReply> {
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const outgoing = request(origin, {
    method,
    path,
    agent: false,
    headers: { ...headers, ...(bytes && { 'content-length': bytes.length }) },
  })
  outgoing.end(bytes)
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text: await text(incoming) }
}

/** Writes bytes to the socket and returns all that it receives until the server closes it. */
export async function sendBytes(origin: string, bytes: string | Uint8Array): Promise<string> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  return text(socket)
}
