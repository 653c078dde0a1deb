import type { DataCounts } from '#shared/contracts/account.ts'
import { deleteRows } from '../platform/dynamodb/delete-rows.ts'
import { queryPages } from '../platform/dynamodb/query.ts'
import type { Table } from '../platform/dynamodb/table.ts'

/** Which rows of a user's partition are what a person would count. */
const counted = {
  conversations: 'S#',
  messages: 'M#',
  files: 'A#',
  integrations: 'I#',
  credentials: 'C#',
  custom_tools: 'T#',
  tool_calls: 'LEDGER#',
} as const satisfies Record<keyof DataCounts, string>

/** A user's rows as a whole, whatever they are: for counting and for erasing. */
export const heldRepository = (table: Table) => {
  const keysIn = (partition: string, prefix: string) =>
    queryPages(table, { partition, prefix, projection: 'PK, SK, deleted_at' })

  /** @returns whether there were any */
  async function sweep(partition: string, prefix: string, isOver: () => boolean, except?: string) {
    let found = false
    for await (const rows of keysIn(partition, prefix)) {
      const keys = rows.filter(({ SK }) => SK !== except)
      if (keys.length === 0) continue
      found = true
      await deleteRows(table, keys)
      if (isOver()) break
    }
    return found
  }

  return {
    /** DEC-033: what the stores hold of a user, counted there. */
    async count(sub: string): Promise<DataCounts> {
      const counts = {
        conversations: 0,
        messages: 0,
        files: 0,
        integrations: 0,
        credentials: 0,
        custom_tools: 0,
        tool_calls: 0,
      }
      for await (const rows of keysIn(`U#${sub}`, ''))
        for (const { SK, deleted_at } of rows)
          for (const [kind, prefix] of Object.entries(counted))
            if (String(SK).startsWith(prefix) && deleted_at === undefined)
              counts[kind as keyof DataCounts] += 1
      return counts
    },

    /** Removes the items of a user's replies, so that whoever writes one finds itself without and stops. */
    removeRuns: (sub: string) => sweep(`U#${sub}`, 'RUN#', () => false),

    /**
     * Removes a user's rows until none is left or the time is over.
     * @param except the key of a row that stays
     * @returns whether there were any
     */
    removeRows: (sub: string, except: string, isOver: () => boolean) => sweep(`U#${sub}`, '', isOver, except),

    /** Removes the counters of a user's calls. */
    removeBudgets: (sub: string) => sweep(`RATE#${sub}`, '', () => false),
  }
}

export type HeldRepository = ReturnType<typeof heldRepository>
