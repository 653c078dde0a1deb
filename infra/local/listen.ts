import { once } from 'node:events'
import { type IncomingMessage, Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { errorResponse } from '../../functions/platform/http/error-response.ts'
import { ForeignHost } from './gateway-errors.ts'

export interface LocalServer {
  /** `http://127.0.0.1:PORT`, no slash at the end */
  readonly url: string
  readonly port: number
  /** stops listening and closes open connections */
  close(): Promise<void>
}

/** How long an AWS load balancer keeps idle connections. */
const keepAliveMs = 60_000

/**
 * Binds a server to the loopback interface only, and accepts only its names in the Host header: a web page whose own name points
 * here (DNS rebinding) gets 403.
 * @param port 0 takes any free one
 * @throws the system's error when the port is taken (`code` EADDRINUSE)
 */
export async function listen(server: Server, port = 0): Promise<LocalServer> {
  refuseForeignHosts(server)
  // On a busy machine a client can take longer than Node's default of 5 s, and would then write to a closed connection.
  server.keepAliveTimeout = keepAliveMs
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const closed = once(server, 'close')
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    async close() {
      if (server.listening) server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

const eventsWithResponse = new Set(['request', 'checkContinue', 'checkExpectation'])
const eventsWithSocket = new Set(['upgrade', 'connect'])

/** Checks a request before any listener gets it, including listeners that are added later. */
function refuseForeignHosts(server: Server): void {
  const emit = (event: string | symbol, ...details: unknown[]) => {
    const proceed = Reflect.get(Server.prototype, 'emit') as (...all: unknown[]) => boolean
    return Reflect.apply(proceed, server, [event, ...details])
  }
  server.emit = (event: string | symbol, ...details: unknown[]) => {
    if (typeof event !== 'string' || !(eventsWithResponse.has(event) || eventsWithSocket.has(event)))
      return emit(event, ...details)
    const request = details[0] as IncomingMessage
    if (isOwnHost(request)) return emit(event, ...details)
    const refusal = errorResponse(new ForeignHost(`Host ${request.headers.host}`), crypto.randomUUID())
    if (eventsWithSocket.has(event)) {
      ;(details[1] as Duplex).end(`HTTP/1.1 ${refusal.statusCode} Forbidden\r\nconnection: close\r\n\r\n`)
      return true
    }
    const response = details[1] as ServerResponse
    // read to its end, so that the client gets the response and not a reset
    request.resume()
    const length = { 'content-length': Buffer.byteLength(refusal.body) }
    response.writeHead(refusal.statusCode, { ...refusal.headers, ...length }).end(refusal.body)
    return true
  }
}

/** @returns whether the Host header names this loopback; the port may be another one, as through a tunnel */
function isOwnHost({ headers }: IncomingMessage): boolean {
  return /^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/i.test(headers.host ?? '')
}
