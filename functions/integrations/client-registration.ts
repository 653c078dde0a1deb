import { registerClient, RegistrationRejectedError } from '@modelcontextprotocol/client'
import * as z from 'zod'
import { clientDocumentPath, oauthClientMetadata } from '#shared/oauth-client.ts'
import { parseEnv } from '../platform/env.ts'
import { logger } from '../platform/logger.ts'
import { siteConfig } from '../platform/site-config.ts'
import type { Discovered } from './discovery.ts'
import type { RemoteServer } from './remote-server.ts'
import type { Stores } from './stores.ts'
import type { OAuthClient } from './token-endpoint.ts'

/** A server may forget a client without a word, and its page then shows an error that nobody here sees: so it heals within a day. */
const registrationSeconds = 86_400

const contextOf = (issuer: string) => `client|${issuer}`

/**
 * Who the product is at an authorization server: the address of its metadata document where the server reads those, else what the
 * server called it when it registered (RFC 7591), once per server and day.
 * @returns undefined where the server takes neither
 */
export async function clientAt(
  stores: Pick<Stores, 'clients' | 'http' | 'sealer'>,
  found: Discovered,
  redirectUri: string,
): Promise<{ client: OAuthClient; client_auth: RemoteServer['client_auth'] } | undefined> {
  const { origin } = await siteConfig()
  const { issuer } = found.server
  // plain http is of this machine, and so is who reads it there
  if (found.readsDocuments && new URL(origin).protocol === new URL(issuer).protocol)
    return {
      client: { clientId: `${origin}${clientDocumentPath}`, clientSecret: undefined },
      client_auth: 'post',
    }
  if (!found.metadata.registration_endpoint) return undefined
  const nowSeconds = Math.floor(Date.now() / 1_000)
  const known = await stores.clients.find(issuer, { redirectUri, nowSeconds })
  if (known) {
    const clientSecret = known.sealed && (await stores.sealer.open(known.sealed, contextOf(issuer)))
    return { client: { clientId: known.client_id, clientSecret }, client_auth: known.client_auth }
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
  { server: { issuer }, metadata, scope }: Discovered,
  { origin, redirectUri, nowSeconds }: { origin: string; redirectUri: string; nowSeconds: number },
) {
  const { BRAND_NAME: name } = parseEnv({ BRAND_NAME: z.string() })
  const granted = await registerClient(issuer, {
    metadata,
    clientMetadata: oauthClientMetadata({ origin, name }),
    ...(scope !== undefined && { scope }),
    fetchFn: http.fetch,
  })
  const clientSecret = granted.client_secret
  const client_auth =
    granted.token_endpoint_auth_method === 'client_secret_basic' ? ('basic' as const) : ('post' as const)
  const ends = granted.client_secret_expires_at || Infinity
  await clients.put({
    issuer,
    client_id: granted.client_id,
    client_auth,
    redirect_uri: redirectUri,
    ...(clientSecret !== undefined && { sealed: await sealer.seal(clientSecret, contextOf(issuer)) }),
    expires_at_seconds: Math.min(nowSeconds + registrationSeconds, ends),
  })
  return { client: { clientId: granted.client_id, clientSecret }, client_auth }
}
