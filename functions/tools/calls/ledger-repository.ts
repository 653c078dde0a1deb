import * as z from 'zod'
import { ledgerEntry, type LedgerEntry } from '#shared/contracts/tools.ts'
import { deleteByPrefix } from '../../platform/dynamodb/delete-rows.ts'
import { queryPage } from '../../platform/dynamodb/query.ts'
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
      const { rows, next } = await queryPage(table, {
        partition: `U#${sub}`,
        prefix,
        newestFirst: true,
        limit,
        after: before === undefined ? undefined : `${prefix}${before}`,
      })
      return { entries: rows.map(fromItem), next: next?.slice(prefix.length) ?? null }
    },

    clear: (sub: string) => deleteByPrefix(table, `U#${sub}`, prefix),
  }
}

export type LedgerRepository = ReturnType<typeof ledgerRepository>
