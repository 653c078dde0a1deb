import { emptyDataCounts, type DataCounts } from '#shared/contracts/account.ts'
import { deleteRows } from '../platform/dynamodb/delete-rows.ts'
import { queryPages } from '../platform/dynamodb/query.ts'
import type { Table } from '../platform/dynamodb/table.ts'

/** Key prefixes of the rows that are counted. */
const countedPrefixes = {
  conversations: 'S#',
  messages: 'M#',
  files: 'A#',
  integrations: 'I#',
  credentials: 'C#',
  custom_tools: 'T#',
  tool_calls: 'LEDGER#',
  projects: 'P#',
} as const satisfies Record<Exclude<keyof DataCounts, 'memories'>, string>

/** A user's rows as a whole, whatever they are: for counting and for erasing. */
export const userDataRepository = (table: Table) => {
  const readPages = (partition: string, prefix: string) =>
    queryPages(table, { partition, prefix, projection: 'PK, SK, deleted_at, memories' })

  /** @returns whether any row was found */
  async function deleteByPrefix(
    partition: string,
    prefix: string,
    isTimeUp: () => boolean,
    keptSortKey?: string,
  ) {
    let found = false
    for await (const rows of readPages(partition, prefix)) {
      const keys = rows.filter(({ SK }) => SK !== keptSortKey)
      if (keys.length === 0) continue
      found = true
      await deleteRows(table, keys)
      if (isTimeUp()) break
    }
    return found
  }

  return {
    /** Counts what is stored of a user. */
    async count(sub: string): Promise<DataCounts> {
      const counts = { ...emptyDataCounts }
      for await (const rows of readPages(`U#${sub}`, ''))
        for (const { SK, deleted_at, memories } of rows) {
          // all memories are in one row
          if (typeof memories === 'object' && memories !== null)
            counts.memories += Object.keys(memories).length
          // the tombstone of a conversation is not counted
          for (const [kind, prefix] of Object.entries(countedPrefixes))
            if (String(SK).startsWith(prefix) && deleted_at === undefined)
              counts[kind as keyof DataCounts] += 1
        }
      return counts
    },

    /** Deletes the user's runs, so that their writers stop. */
    deleteRuns: (sub: string) => deleteByPrefix(`U#${sub}`, 'RUN#', () => false),

    /**
     * Removes a user's rows until none is left or the function's time is up.
     * @param keptSortKey of a row that stays
     * @returns whether any row was found: call it again until none is
     */
    deleteAllRows: (sub: string, keptSortKey: string, isTimeUp: () => boolean) =>
      deleteByPrefix(`U#${sub}`, '', isTimeUp, keptSortKey),

    /** Removes what is counted of a user: calls, used tokens, open reply slots, and ratings of replies. */
    async deleteCounters(sub: string): Promise<void> {
      for (const partition of [`RATE#${sub}`, `FEEDBACK#${sub}`])
        await deleteByPrefix(partition, '', () => false)
    },
  }
}

export type UserDataRepository = ReturnType<typeof userDataRepository>
