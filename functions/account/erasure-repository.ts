import * as z from 'zod'
import { dataCounts, type DataCounts } from '#shared/contracts/account.ts'
import { readRow, deleteRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { updateRow } from '../platform/dynamodb/update-row.ts'

/** The counts of an unfinished erasure expire. */
const ttlSeconds = 7 * 86_400

/** Sort key of the row that is deleted last. */
export const erasureKey = 'ERASE'
const key = (sub: string) => ({ PK: `U#${sub}`, SK: erasureKey })

const row = z.object({ asked_at: z.string(), held: dataCounts })
/** When the erasure was asked for (ISO 8601), and what the account had then. */
export type Erasure = z.infer<typeof row>

/** What an erasure found when it began; a repeated one gives the same receipt. */
export const erasureRepository = (table: Table) => ({
  /** @returns the erasure as first begun */
  async begin(sub: string, held: DataCounts, nowMs: number): Promise<Erasure> {
    const { attributes } = await updateRow(table, key(sub), {
      update:
        'SET #held = if_not_exists(#held, :held), #asked_at = if_not_exists(#asked_at, :at), #ttl = :ttl',
      values: {
        ':held': held,
        ':at': new Date(nowMs).toISOString(),
        ':ttl': Math.floor(nowMs / 1000) + ttlSeconds,
      },
      returns: 'ALL_NEW',
    })
    return row.parse(attributes)
  },

  /** Whether an erasure has begun and not ended. */
  async isUnfinished(sub: string): Promise<boolean> {
    const item = await readRow(table, key(sub))
    return item !== undefined
  },

  async end(sub: string): Promise<void> {
    await deleteRow(table, key(sub))
  },
})

export type ErasureRepository = ReturnType<typeof erasureRepository>
