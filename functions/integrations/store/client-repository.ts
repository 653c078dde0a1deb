import { DeleteCommand, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Table } from '../../platform/dynamodb/table.ts'
import { isConditionFailed } from '../../platform/dynamodb/update-row.ts'
import type { RemoteServer } from './credential-repository.ts'

/** An authorization server, and the origin of the MCP server that it issues tokens for: each pair has a client of its own. */
export interface RegistrationKey {
  issuer: string
  resourceOrigin: string
}

export const toRegistrationKey = ({
  issuer,
  url,
}: Pick<RemoteServer, 'issuer' | 'url'>): RegistrationKey => ({
  issuer,
  resourceOrigin: new URL(url).origin,
})

/** Parameters of an authorization request that a server may refuse, and that a second request leaves out. */
export const optionalParameters = ['prompt', 'offline_access', 'resource', 'scope'] as const
export type OptionalParameter = (typeof optionalParameters)[number]

const isOptionalParameter = (name: string): name is OptionalParameter =>
  (optionalParameters as readonly string[]).includes(name)

/** Reads the stored names. */
export const toOptionalParameters = (names: readonly string[]): OptionalParameter[] =>
  names.filter(isOptionalParameter)

const partition = (issuer: string) => `CLIENT#${createHash('sha256').update(issuer).digest('hex')}`
const clientKey = ({ issuer, resourceOrigin }: RegistrationKey) => ({
  PK: partition(issuer),
  SK: `CLIENT#${resourceOrigin}`,
})
const resourcePrefix = 'RESOURCE#'
const refusedPrefix = 'REFUSED#'

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
const resourceLifetimeSeconds = 183 * 86_400

/** Data about authorization servers, shared by all users: the registered client and the resources that use the server. */
export const registeredClientRepository = ({ client, name: TableName }: Table) => ({
  async find(
    key: RegistrationKey,
    { redirectUri, nowSeconds }: { redirectUri: string; nowSeconds: number },
  ): Promise<RegisteredClient | undefined> {
    const { Item } = await client.send(new GetCommand({ TableName, Key: clientKey(key) }))
    const stored = row.safeParse(Item).data
    if (stored?.issuer !== key.issuer || stored.redirect_uri !== redirectUri) return undefined
    return stored.expires_at_seconds > nowSeconds ? stored : undefined
  },

  async put(registered: RegisteredClient): Promise<void> {
    const { issuer, resource_origin: resourceOrigin, expires_at_seconds: ttl } = registered
    const Item = { ...clientKey({ issuer, resourceOrigin }), ...registered, ttl }
    await client.send(new PutCommand({ TableName, Item }))
  },

  /** Removes a client that its server has forgotten, unless another one is registered meanwhile. */
  async remove(key: RegistrationKey, clientId: string): Promise<void> {
    const command = new DeleteCommand({
      TableName,
      Key: clientKey(key),
      ConditionExpression: 'client_id = :id',
      ExpressionAttributeValues: { ':id': clientId },
    })
    await client.send(command).catch((error: unknown) => {
      if (!isConditionFailed(error)) throw error
    })
  },

  /** Remembers that an authorization server refuses an optional parameter for a resource, for half a year. */
  async addRefused(
    { issuer, resourceOrigin }: RegistrationKey,
    name: OptionalParameter,
    nowSeconds: number,
  ): Promise<void> {
    const ttl = nowSeconds + resourceLifetimeSeconds
    const Item = {
      PK: partition(issuer),
      SK: `${refusedPrefix}${resourceOrigin}#${name}`,
      refused: name,
      expires_at_seconds: ttl,
      ttl,
    }
    await client.send(new PutCommand({ TableName, Item }))
  },

  /** The optional parameters that an authorization server has refused for a resource. */
  async listRefused(
    { issuer, resourceOrigin }: RegistrationKey,
    nowSeconds: number,
  ): Promise<OptionalParameter[]> {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'PK = :partition AND begins_with(SK, :prefix)',
        ExpressionAttributeValues: {
          ':partition': partition(issuer),
          ':prefix': `${refusedPrefix}${resourceOrigin}#`,
        },
      }),
    )
    return toOptionalParameters(
      Items.filter((item) => Number(item['expires_at_seconds']) > nowSeconds).map((item) =>
        String(item['refused']),
      ),
    )
  },

  /** Records that a resource uses an authorization server. */
  async addResource({ issuer, resourceOrigin }: RegistrationKey, nowSeconds: number): Promise<void> {
    const ttl = nowSeconds + resourceLifetimeSeconds
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
  async listResources(issuer: string, nowSeconds: number): Promise<string[]> {
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
