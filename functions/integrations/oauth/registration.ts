import { DeleteCommand, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { registerClient, RegistrationRejectedError } from '@modelcontextprotocol/client'
import { createHash } from 'node:crypto'
import * as z from 'zod'
import {
  clientDocumentPath,
  documentCallbackPath,
  oauthClientMetadata,
  serverCallbackPath,
} from '#shared/oauth-client.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import { parseEnv } from '../../platform/env.ts'
import { siteConfig } from '../../platform/site-config.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import type { Stores } from '../deps.ts'
import type { RemoteServer } from '../credential-repository.ts'
import type { Discovered } from './discovery.ts'
import type { OAuthClient } from './tokens.ts'

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

/** An authorization server, and the origin of the MCP server that it grants tokens for. */
export interface ServerPair {
  issuer: string
  resourceOrigin: string
}

const partition = (issuer: string) => `CLIENT#${createHash('sha256').update(issuer).digest('hex')}`
const clientKey = ({ issuer, resourceOrigin }: ServerPair) => ({
  PK: partition(issuer),
  SK: `CLIENT#${resourceOrigin}`,
})
const resourcePrefix = 'RESOURCE#'

const row = z.object({
  issuer: z.string(),
  resource_origin: z.string(),
  client_id: z.string(),
  client_auth: z.enum(['post', 'basic']),
  redirect_uri: z.string(),
  /** the secret that the server gave, where it gave one */
  sealed: z.string().optional(),
  expires_at_seconds: z.number(),
})
export type RegisteredClient = z.output<typeof row>

const resourceRow = z.object({ resource_origin: z.string(), expires_at_seconds: z.number() })

/** Half a year after the last sign-in. */
const resourceLifeSeconds = 183 * 86_400

/** What is known of authorization servers, for everybody: as which client the product is registered there, and whose they are. */
export const registeredClientRepository = ({ client, name: TableName }: Table) => ({
  async find(
    pair: ServerPair,
    { redirectUri, nowSeconds }: { redirectUri: string; nowSeconds: number },
  ): Promise<RegisteredClient | undefined> {
    const { Item } = await client.send(new GetCommand({ TableName, Key: clientKey(pair) }))
    const found = row.safeParse(Item).data
    if (found?.issuer !== pair.issuer || found.redirect_uri !== redirectUri) return undefined
    return found.expires_at_seconds > nowSeconds ? found : undefined
  },

  async put(registered: RegisteredClient): Promise<void> {
    const { issuer, resource_origin: resourceOrigin, expires_at_seconds: ttl } = registered
    const Item = { ...clientKey({ issuer, resourceOrigin }), ...registered, ttl }
    await client.send(new PutCommand({ TableName, Item }))
  },

  async forget(pair: ServerPair): Promise<void> {
    await client.send(new DeleteCommand({ TableName, Key: clientKey(pair) }))
  },

  /** Remembers that a resource and an authorization server belong together. */
  async addResource({ issuer, resourceOrigin }: ServerPair, nowSeconds: number): Promise<void> {
    const ttl = nowSeconds + resourceLifeSeconds
    const Item = {
      PK: partition(issuer),
      SK: `${resourcePrefix}${resourceOrigin}`,
      resource_origin: resourceOrigin,
      expires_at_seconds: ttl,
      ttl,
    }
    await client.send(new PutCommand({ TableName, Item }))
  },

  /** The origins of the resources that an authorization server is known to belong to. */
  async resourcesAt(issuer: string, nowSeconds: number): Promise<string[]> {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'PK = :partition AND begins_with(SK, :prefix)',
        ExpressionAttributeValues: { ':partition': partition(issuer), ':prefix': resourcePrefix },
      }),
    )
    return Items.map((item) => resourceRow.parse(item))
      .filter(({ expires_at_seconds }) => expires_at_seconds > nowSeconds)
      .map(({ resource_origin }) => resource_origin)
  },
})

export type RegisteredClientRepository = ReturnType<typeof registeredClientRepository>
