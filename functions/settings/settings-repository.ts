import * as z from 'zod'
import { settings as settingsSchema, themeChoice, type Settings } from '#shared/contracts/account.ts'
import { readRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { setFields, type PartialFields } from '../platform/dynamodb/update-row.ts'

const key = (sub: string) => ({ PK: `U#${sub}`, SK: 'SETTINGS' })

/** Both switches are on by default. */
const row = settingsSchema.extend({
  keep_conversations: z.boolean().default(true),
  store_uploads: z.boolean().default(true),
  theme: themeChoice.nullable().default(null),
})

/** A user's choices about their data, in one row. Check them before you store anything. */
export const settingsRepository = (table: Table) => ({
  async find(sub: string): Promise<Settings> {
    const item = await readRow(table, key(sub))
    return row.parse(item ?? {})
  },

  /** Changes the given fields. @param seen texts that the caller has seen @returns false if another one is stored */
  update: (
    sub: string,
    update: PartialFields<Settings>,
    seen?: { instructions?: string | undefined },
  ): Promise<boolean> => setFields(table, key(sub), update, seen),
})

export type SettingsRepository = ReturnType<typeof settingsRepository>
