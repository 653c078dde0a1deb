import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LocalServer {
  /** `http://127.0.0.1:PORT`, no slash at the end */
  readonly url: string
  readonly port: number
  /** stops listening and cuts what is still open */
  close(): Promise<void>
}

/**
 * Binds a server to the loopback and nothing else.
 * @param port 0 takes any free one
 * @throws the system's error when the port is taken (`code` EADDRINUSE)
 */
export async function listen(server: Server, port = 0): Promise<LocalServer> {
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
