import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { settings as settingsSchema, themeChoice, type Settings } from '#shared/contracts/account.ts'
import type { Table } from '../platform/table.ts'

const key = (sub: string) => ({ PK: `U#${sub}`, SK: 'SETTINGS' })

/** LIM-09: both switches are on until somebody turns one off. */
const row = settingsSchema.extend({
  keep_conversations: z.boolean().default(true),
  store_uploads: z.boolean().default(true),
  theme: themeChoice.nullable().default(null),
})

/** What a user has decided about their data (DEC-033), one row; whoever keeps something asks here first. */
export const settingsRepository = ({ client, name: TableName }: Table) => ({
  async find(sub: string): Promise<Settings> {
    const { Item } = await client.send(new GetCommand({ TableName, Key: key(sub), ConsistentRead: true }))
    return row.parse(Item ?? {})
  },

  /** Changes the fields given. @returns all of them as they are now */
  async change(sub: string, change: { [Field in keyof Settings]?: Settings[Field] | undefined }) {
    const given = Object.entries(change).filter(([, value]) => value !== undefined)
    if (given.length === 0) return this.find(sub)
    const { Attributes } = await client.send(
      new UpdateCommand({
        TableName,
        Key: key(sub),
        UpdateExpression: `SET ${given.map(([field]) => `#${field} = :${field}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(given.map(([field]) => [`#${field}`, field])),
        ExpressionAttributeValues: Object.fromEntries(given.map(([field, value]) => [`:${field}`, value])),
        ReturnValues: 'ALL_NEW',
      }),
    )
    return row.parse(Attributes)
  },
})

export type SettingsRepository = ReturnType<typeof settingsRepository>
