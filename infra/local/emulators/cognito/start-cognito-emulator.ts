import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createCognitoServer } from './http-server.ts'
import { openPool, type PoolOptions } from './pool.ts'

/** A running user pool. */
export interface CognitoEmulator {
  /** Where the SDK and the browser call it, for example `http://127.0.0.1:49152`. */
  url: string
  userPoolId: string
  clientId: string
  /** The `iss` of its tokens: AWS-shaped, without a port, the same after each start. */
  issuer: string
  jwksUri: string
  /** Signs with the other published key from now on, as the service may do at any time. */
  rotateKeys(): Promise<void>
  close(): Promise<void>
}

/**
 * Starts a user pool that speaks the service's own protocol over HTTP on the loopback.
 * Pool, client, keys, users and sign-ins live in `dataDir` and survive a restart or a kill.
 * @param options `port` 0 or none takes a free one
 */
export async function startCognitoEmulator({
  port = 0,
  ...options
}: PoolOptions & { port?: number }): Promise<CognitoEmulator> {
  const pool = await openPool(options)
  const server = createCognitoServer(pool)
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch (error) {
    pool.store.close()
    throw error
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    userPoolId: pool.id,
    clientId: pool.clientId,
    issuer: pool.issuer,
    jwksUri: `${url}/${pool.id}/.well-known/jwks.json`,
    rotateKeys: () => pool.tokens.rotateKeys(),
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
      pool.store.close()
    },
  }
}
