import { registerClient, RegistrationRejectedError } from '@modelcontextprotocol/client'
import * as z from 'zod'
import { createHash } from 'node:crypto'
import {
  clientDocumentPath,
  documentCallbackPath,
  oauthClientMetadata,
  serverCallbackPath,
} from '#shared/oauth-client.ts'
import { parseEnv } from '../platform/env.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { siteConfig } from '../platform/site-config.ts'
import type { Discovered } from './discovery.ts'
import type { ServerPair } from './registered-client-repository.ts'
import type { RemoteServer } from './remote-server.ts'
import type { Stores } from './stores.ts'
import type { OAuthClient } from './token-endpoint.ts'

/** A server may forget a client without a word, and its page then shows an error that nobody here sees: so it heals within a day. */
const registrationSeconds = 86_400

const sealContext = ({ issuer, resourceOrigin }: ServerPair) => `client|${issuer}|${resourceOrigin}`

export const serverPair = ({ issuer, url }: Pick<RemoteServer, 'issuer' | 'url'>): ServerPair => ({
  issuer,
  resourceOrigin: new URL(url).origin,
})

/** 128 bits, so that nobody finds a second pair with the same address. */
function serverCallback(origin: string, { issuer, resourceOrigin }: ServerPair): string {
  const hash = createHash('sha256').update(`${issuer}\n${resourceOrigin}`).digest('hex').slice(0, 32)
  return `${origin}${serverCallbackPath}/${hash}`
}

/** Who the product is at an authorization server, and where people come back to from it. */
export interface RegisteredAs {
  client: OAuthClient
  clientAuth: RemoteServer['client_auth']
  redirectUri: string
}

/**
 * Who the product is at an authorization server: the address of its metadata document where the server reads those and names itself
 * on the way back, else what the server called it when it registered (RFC 7591), once per day, server and resource.
 * @returns undefined where the server takes neither
 */
export async function clientAt(
  stores: Pick<Stores, 'clients' | 'http' | 'sealer'>,
  found: Discovered,
): Promise<RegisteredAs | undefined> {
  const { origin } = await siteConfig()
  const { issuer, names_itself: namesItself } = found.server
  // plain http is of this machine, and so is who reads it there
  if (found.readsDocuments && namesItself && new URL(origin).protocol === new URL(issuer).protocol)
    return {
      client: { clientId: `${origin}${clientDocumentPath}`, clientSecret: undefined },
      clientAuth: 'post',
      redirectUri: `${origin}${documentCallbackPath}`,
    }
  if (!found.metadata.registration_endpoint) return undefined
  const nowSeconds = Math.floor(Date.now() / 1_000)
  const pair = serverPair(found.server)
  const redirectUri = serverCallback(origin, pair)
  const known = await stores.clients.find(pair, { redirectUri, nowSeconds })
  if (known) {
    const clientSecret = known.sealed && (await stores.sealer.open(known.sealed, sealContext(pair)))
    return {
      client: { clientId: known.client_id, clientSecret },
      clientAuth: known.client_auth,
      redirectUri,
    }
  }
  try {
    return await register(stores, found, { origin, redirectUri, nowSeconds })
  } catch (error) {
    // what the server wrote about it is its own text
    const fields = error instanceof RegistrationRejectedError ? { status: error.status } : { error }
    logger.warn('a server did not register the product', fields)
    return undefined
  }
}

async function register(
  { clients, http, sealer }: Pick<Stores, 'clients' | 'http' | 'sealer'>,
  { server, metadata, scope }: Discovered,
  { origin, redirectUri, nowSeconds }: { origin: string; redirectUri: string; nowSeconds: number },
): Promise<RegisteredAs> {
  const pair = serverPair(server)
  const { BRAND_NAME: name } = parseEnv({ BRAND_NAME: z.string() })
  const granted = await registerClient(server.issuer, {
    metadata,
    clientMetadata: oauthClientMetadata({ origin, name, redirectUri }),
    ...(scope !== undefined && { scope }),
    fetchFn: (url, init) => http.fetch(url, { ...init, redirect: 'error' }),
  })
  const clientSecret = granted.client_secret
  const clientAuth =
    granted.token_endpoint_auth_method === 'client_secret_basic' ? ('basic' as const) : ('post' as const)
  const ends = granted.client_secret_expires_at || Infinity
  await clients.put({
    issuer: pair.issuer,
    resource_origin: pair.resourceOrigin,
    client_id: granted.client_id,
    client_auth: clientAuth,
    redirect_uri: redirectUri,
    ...(clientSecret !== undefined && { sealed: await sealer.seal(clientSecret, sealContext(pair)) }),
    expires_at_seconds: Math.min(nowSeconds + registrationSeconds, ends),
  })
  return { client: { clientId: granted.client_id, clientSecret }, clientAuth, redirectUri }
}
