import { GetCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { settings as settingsSchema, themeChoice, type Settings } from '#shared/contracts/account.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { setFields, type PartialFields } from '../platform/dynamodb/update-row.ts'

const key = (sub: string) => ({ PK: `U#${sub}`, SK: 'SETTINGS' })

/** LIM-09: both switches are on until somebody turns one off. */
const row = settingsSchema.extend({
  keep_conversations: z.boolean().default(true),
  store_uploads: z.boolean().default(true),
  theme: themeChoice.nullable().default(null),
})

/** What a user has decided about their data (DEC-033), one row; whoever keeps something asks here first. */
export const settingsRepository = (table: Table) => ({
  async find(sub: string): Promise<Settings> {
    const { client, name: TableName } = table
    const { Item } = await client.send(new GetCommand({ TableName, Key: key(sub), ConsistentRead: true }))
    return row.parse(Item ?? {})
  },

  /** Changes the fields given. */
  async change(sub: string, change: PartialFields<Settings>): Promise<void> {
    await setFields(table, key(sub), change)
  },
})

export type SettingsRepository = ReturnType<typeof settingsRepository>
