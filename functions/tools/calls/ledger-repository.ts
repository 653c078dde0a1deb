import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { ledgerEntry, type LedgerEntry } from '#shared/contracts/tools.ts'
import { deleteRows } from '../../platform/dynamodb/delete-rows.ts'
import { queryPages } from '../../platform/dynamodb/query.ts'
import { putRow } from '../../platform/dynamodb/rows.ts'
import type { Table } from '../../platform/dynamodb/table.ts'

const prefix = 'LEDGER#'
/** A row expires after a year. */
const retentionSeconds = 365 * 86_400

const row = ledgerEntry.omit({ id: true }).extend({ SK: z.string().startsWith(prefix) })

const fromItem = (item: Record<string, unknown>): LedgerEntry => {
  const { SK, ...entry } = row.parse(item)
  return { ...entry, id: SK.slice(prefix.length) }
}

/** The tool calls of the assistant for a user: one row per call, in chronological order. */
export const ledgerRepository = (table: Table) => {
  const { client, name: TableName } = table
  return {
    async add(sub: string, { id, ...entry }: LedgerEntry): Promise<void> {
      const ttl = Math.floor(Date.parse(entry.at) / 1_000) + retentionSeconds
      await putRow(table, { PK: `U#${sub}`, SK: `${prefix}${id}`, ...entry, ttl })
    },

    /** A page of entries, newest first. @param before id of the last entry of the previous page */
    async page(
      sub: string,
      { before, limit }: { before?: string | undefined; limit: number },
    ): Promise<{ entries: LedgerEntry[]; next: string | null }> {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'PK = :pk AND begins_with(SK, :prefix)',
          ExpressionAttributeValues: { ':pk': `U#${sub}`, ':prefix': prefix },
          ScanIndexForward: false,
          Limit: limit,
          ...(before !== undefined && { ExclusiveStartKey: { PK: `U#${sub}`, SK: `${prefix}${before}` } }),
        }),
      )
      const entries = Items.map(fromItem)
      return { entries, next: LastEvaluatedKey ? (entries.at(-1)?.id ?? null) : null }
    },

    async clear(sub: string): Promise<void> {
      const keys = { partition: `U#${sub}`, prefix, projection: 'PK, SK' }
      for await (const page of queryPages(table, keys)) await deleteRows(table, page)
    },
  }
}

export type LedgerRepository = ReturnType<typeof ledgerRepository>
