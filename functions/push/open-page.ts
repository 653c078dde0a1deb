import * as z from 'zod'
import { putRow, readRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'

const key = (sub: string) => ({ PK: `U#${sub}`, SK: 'OPEN' })

const row = z.object({ heard_at_ms: z.number(), language: z.string().optional() })
export type OpenPage = z.infer<typeof row>

/** The language outlives the page by this time: mails are written in it. */
const ttlSeconds = 90 * 86_400

/** When a page of a user was last heard of, and in which language it is. */
export const openPageRepository = (table: Table) => ({
  async find(sub: string): Promise<OpenPage | undefined> {
    const item = await readRow(table, key(sub))
    return item && row.safeParse(item).data
  },

  /** Notes that a page is open. */
  note: (sub: string, language: string, nowMs: number): Promise<void> =>
    putRow(table, {
      ...key(sub),
      heard_at_ms: nowMs,
      language,
      ttl: Math.floor(nowMs / 1000) + ttlSeconds,
    }),
})

export type OpenPageRepository = ReturnType<typeof openPageRepository>
