import * as z from 'zod'
import { readRow } from '../../platform/dynamodb/rows.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import { updateRow } from '../../platform/dynamodb/update-row.ts'

/** One row per user: the places of custom tools, and whether there was ever a connection. */
export const toolsRowKey = (sub: string) => ({ PK: `U#${sub}`, SK: 'TOOLCOUNT' })

const toolsRow = z.object({
  /** when each custom tool's slot was reserved, by tool id; absent before the first one */
  places: z.record(z.string(), z.number()).optional().catch(undefined),
  has_connections: z.boolean().catch(false),
})

/** Reads a user's row; without one, no fields but `has_connections: false`. */
export const findToolsRow = async (table: Table, sub: string) =>
  toolsRow.parse((await readRow(table, toolsRowKey(sub))) ?? {})

/** Notes that a user has connections, before the first is written: replies query them only then. */
export async function markConnected(table: Table, sub: string): Promise<void> {
  await updateRow(table, toolsRowKey(sub), {
    update: 'SET has_connections = :yes',
    values: { ':yes': true },
  })
}
