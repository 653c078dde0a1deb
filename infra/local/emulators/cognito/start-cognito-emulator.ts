import { listen } from '../../listen.ts'
import { createCognitoServer } from './http-server.ts'
import { openIdProvider, type OpenIdProviderOptions } from './openid-provider.ts'
import { openPool, type PoolOptions } from './pool.ts'

/** A running user pool. */
export interface CognitoEmulator {
  /** The endpoint for the SDK and the browser, for example `http://127.0.0.1:49152`. */
  url: string
  userPoolId: string
  clientId: string
  /** The `iss` of its tokens: in AWS's format, without a port, the same after each start. */
  issuer: string
  jwksUri: string
  /** Signs with the other published key from now on, as the service may do at any time. */
  rotateKeys(): Promise<void>
  /** Adds a provider, and enables it for the client. @throws Error when its issuer publishes no configuration */
  addIdentityProvider(options: OpenIdProviderOptions): Promise<void>
  close(): Promise<void>
}

/**
 * Starts a user pool that speaks the service's own protocol over HTTP on the loopback.
 * Pool, client, keys, users and sign-ins live in `dataDir` and survive a restart or a kill.
 * @param options `port` 0 or undefined: any free port
 * @throws the system's error when the port is taken
 */
export async function startCognitoEmulator({
  port = 0,
  ...options
}: PoolOptions & { port?: number }): Promise<CognitoEmulator> {
  const pool = await openPool(options)
  const server = await listen(createCognitoServer(pool), port).catch((error: unknown) => {
    pool.store.close()
    throw error
  })
  return {
    url: server.url,
    userPoolId: pool.id,
    clientId: pool.clientId,
    issuer: pool.issuer,
    jwksUri: `${server.url}/${pool.id}/.well-known/jwks.json`,
    rotateKeys: () => pool.tokens.rotateKeys(),
    async addIdentityProvider(options) {
      pool.identityProviders.set(options.name, await openIdProvider(options))
    },
    close: async () => {
      await server.close()
      pool.store.close()
    },
  }
}
