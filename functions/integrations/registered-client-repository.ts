import { DeleteCommand, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Table } from '../platform/dynamodb/table.ts'

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
