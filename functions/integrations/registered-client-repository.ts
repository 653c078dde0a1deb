import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Table } from '../platform/table.ts'

const key = (issuer: string) => ({
  PK: `CLIENT#${createHash('sha256').update(issuer).digest('hex')}`,
  SK: 'CLIENT',
})

const row = z.object({
  issuer: z.string(),
  client_id: z.string(),
  client_auth: z.enum(['post', 'basic']),
  redirect_uri: z.string(),
  /** the secret that the server gave, where it gave one */
  sealed: z.string().optional(),
  expires_at_seconds: z.number(),
})
export type RegisteredClient = z.output<typeof row>

/** What the product is called at authorization servers that it registered with: one row per server, for everybody. */
export const registeredClientRepository = ({ client, name: TableName }: Table) => ({
  async find(
    issuer: string,
    { redirectUri, nowSeconds }: { redirectUri: string; nowSeconds: number },
  ): Promise<RegisteredClient | undefined> {
    const { Item } = await client.send(new GetCommand({ TableName, Key: key(issuer) }))
    const found = row.safeParse(Item).data
    if (found?.issuer !== issuer || found.redirect_uri !== redirectUri) return undefined
    return found.expires_at_seconds > nowSeconds ? found : undefined
  },

  async put(registered: RegisteredClient): Promise<void> {
    const Item = { ...key(registered.issuer), ...registered, ttl: registered.expires_at_seconds }
    await client.send(new PutCommand({ TableName, Item }))
  },

  async forget(issuer: string): Promise<void> {
    await client.send(new DeleteCommand({ TableName, Key: key(issuer) }))
  },
})

export type RegisteredClientRepository = ReturnType<typeof registeredClientRepository>
