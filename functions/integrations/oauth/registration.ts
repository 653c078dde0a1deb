import { DeleteCommand, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { registerClient, RegistrationRejectedError } from '@modelcontextprotocol/client'
import { createHash } from 'node:crypto'
import * as z from 'zod'
import {
  clientDocumentPath,
  documentCallbackPath,
  buildOAuthClientMetadata,
  serverCallbackPath,
} from '#shared/oauth-client.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import { parseEnv } from '../../platform/env.ts'
import { loadSiteConfig } from '../../platform/site-config.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import type { IntegrationDeps } from '../deps.ts'
import type { RemoteServer } from '../credential-repository.ts'
import type { DiscoveredServer } from './discovery.ts'
import type { OAuthClient } from './tokens.ts'

/** A server may delete a client silently, and only its own sign-in page shows the error. Registering daily repairs this. */
const registrationSeconds = 86_400

const sealingContext = ({ issuer, resourceOrigin }: ServerPair) => `client|${issuer}|${resourceOrigin}`

export const toServerPair = ({ issuer, url }: Pick<RemoteServer, 'issuer' | 'url'>): ServerPair => ({
  issuer,
  resourceOrigin: new URL(url).origin,
})

/** 128 bits of the hash make collisions between pairs infeasible. */
export function buildServerCallback(origin: string, { issuer, resourceOrigin }: ServerPair): string {
  const hash = createHash('sha256').update(`${issuer}\n${resourceOrigin}`).digest('hex').slice(0, 32)
  return `${origin}${serverCallbackPath}/${hash}`
}

/** The product's client at an authorization server, with its redirect URI. */
export interface ClientRegistration {
  client: OAuthClient
  clientAuth: RemoteServer['client_auth']
  redirectUri: string
}

/**
 * The client that a user has registered by hand at an authorization server, with the redirect URI of this server.
 * @see https://datatracker.ietf.org/doc/html/rfc8414#section-2: without a list of methods, it is `client_secret_basic`
 */
export function toClientRegistration(
  client: OAuthClient,
  { metadata, redirectUri }: Pick<DiscoveredServer, 'metadata'> & { redirectUri: string },
): ClientRegistration {
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return { client, clientAuth: methods.includes('client_secret_basic') ? 'basic' : 'post', redirectUri }
}

/**
 * Returns the product's client at an authorization server: its client metadata document if the server supports these and sends `iss`,
 * otherwise a dynamically registered client (RFC 7591), registered once per day, server and resource.
 * @returns undefined if the server supports neither
 */
export async function getOrRegisterClient(
  deps: Pick<IntegrationDeps, 'clients' | 'http' | 'sealer'>,
  discovered: DiscoveredServer,
): Promise<ClientRegistration | undefined> {
  const { origin } = await loadSiteConfig()
  const { issuer, names_itself: namesItself } = discovered.server
  // a metadata document served over http can be read by a local issuer only
  if (discovered.readsDocuments && namesItself && new URL(origin).protocol === new URL(issuer).protocol)
    return {
      client: { clientId: `${origin}${clientDocumentPath}`, clientSecret: undefined },
      clientAuth: 'post',
      redirectUri: `${origin}${documentCallbackPath}`,
    }
  if (!discovered.metadata.registration_endpoint) return undefined
  const nowSeconds = Math.floor(Date.now() / 1_000)
  const pair = toServerPair(discovered.server)
  const redirectUri = buildServerCallback(origin, pair)
  const registered = await deps.clients.find(pair, { redirectUri, nowSeconds })
  if (registered) {
    const clientSecret =
      registered.sealed && (await deps.sealer.open(registered.sealed, sealingContext(pair)))
    return {
      client: { clientId: registered.client_id, clientSecret },
      clientAuth: registered.client_auth,
      redirectUri,
    }
  }
  try {
    return await register(deps, discovered, { origin, redirectUri, nowSeconds })
  } catch (error) {
    // the server's own error text is untrusted and is not logged
    const fields = error instanceof RegistrationRejectedError ? { status: error.status } : { error }
    logger.warn('dynamic client registration failed', fields)
    return undefined
  }
}

async function register(
  { clients, http, sealer }: Pick<IntegrationDeps, 'clients' | 'http' | 'sealer'>,
  { server, metadata, scope }: DiscoveredServer,
  { origin, redirectUri, nowSeconds }: { origin: string; redirectUri: string; nowSeconds: number },
): Promise<ClientRegistration> {
  const pair = toServerPair(server)
  const { BRAND_NAME: name } = parseEnv({ BRAND_NAME: z.string() })
  const registered = await registerClient(server.issuer, {
    metadata,
    clientMetadata: buildOAuthClientMetadata({ origin, name, redirectUri }),
    ...(scope !== undefined && { scope }),
    fetchFn: (url, init) => http.fetch(url, { ...init, redirect: 'error' }),
  })
  const clientSecret = registered.client_secret
  const clientAuth =
    registered.token_endpoint_auth_method === 'client_secret_basic' ? ('basic' as const) : ('post' as const)
  const ends = registered.client_secret_expires_at || Infinity
  await clients.put({
    issuer: pair.issuer,
    resource_origin: pair.resourceOrigin,
    client_id: registered.client_id,
    client_auth: clientAuth,
    redirect_uri: redirectUri,
    ...(clientSecret !== undefined && { sealed: await sealer.seal(clientSecret, sealingContext(pair)) }),
    expires_at_seconds: Math.min(nowSeconds + registrationSeconds, ends),
  })
  return { client: { clientId: registered.client_id, clientSecret }, clientAuth, redirectUri }
}

/** An authorization server, and the origin of the MCP server that it issues tokens for. */
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
  /** the encrypted client secret, if the server issued one */
  sealed: z.string().optional(),
  expires_at_seconds: z.number(),
})
export type RegisteredClient = z.output<typeof row>

const resourceRow = z.object({ resource_origin: z.string(), expires_at_seconds: z.number() })

/** Half a year after the last sign-in. */
const resourceLifeSeconds = 183 * 86_400

/** Data about authorization servers, shared by all users: the registered client and the resources that use the server. */
export const registeredClientRepository = ({ client, name: TableName }: Table) => ({
  async find(
    pair: ServerPair,
    { redirectUri, nowSeconds }: { redirectUri: string; nowSeconds: number },
  ): Promise<RegisteredClient | undefined> {
    const { Item } = await client.send(new GetCommand({ TableName, Key: clientKey(pair) }))
    const stored = row.safeParse(Item).data
    if (stored?.issuer !== pair.issuer || stored.redirect_uri !== redirectUri) return undefined
    return stored.expires_at_seconds > nowSeconds ? stored : undefined
  },

  async put(registered: RegisteredClient): Promise<void> {
    const { issuer, resource_origin: resourceOrigin, expires_at_seconds: ttl } = registered
    const Item = { ...clientKey({ issuer, resourceOrigin }), ...registered, ttl }
    await client.send(new PutCommand({ TableName, Item }))
  },

  async remove(pair: ServerPair): Promise<void> {
    await client.send(new DeleteCommand({ TableName, Key: clientKey(pair) }))
  },

  /** Records that a resource uses an authorization server. */
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

  /** Origins of the resources known to use an authorization server. */
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
