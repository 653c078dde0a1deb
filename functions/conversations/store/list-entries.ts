import { queryPages } from '../../platform/dynamodb/query.ts'
import { deleteRow, putRow } from '../../platform/dynamodb/rows.ts'
import { deleteRows } from '../../platform/dynamodb/delete-rows.ts'
import type { Table } from '../../platform/dynamodb/table.ts'

/*
 * An index of a user's conversations: an entry for the day (UTC) of the last update, and one for each pinned conversation. It may have too
 * much, which the conversations' own rows tell. It is read by list-index.ts.
 */

export const dayPrefix = 'DAY#'
export const pinPrefix = 'PIN#'

/** @param at ISO time */
export const toDay = (at: string): string => at.slice(0, 10)

/** The key of a conversation's entry for a day. @param at ISO time of its last update */
export const dayKey = (sub: string, id: string, at: string) => ({
  PK: `U#${sub}`,
  SK: `${dayPrefix}${toDay(at)}#${id}`,
})
export const pinKey = (sub: string, id: string) => ({ PK: `U#${sub}`, SK: `${pinPrefix}${id}` })

/** @returns the day and the conversation of an entry */
export const parseDayKey = ({ SK }: Record<string, unknown>) => {
  const [, day = '', id = ''] = String(SK).split('#')
  return { day, id }
}

/** The rows by which the list of conversations is sorted: an entry for the day of each, and one for each that is pinned. */
export const listEntries = (table: Table) => ({
  /** Adds an entry for a day. */
  addDay: (sub: string, id: string, at: string) => putRow(table, dayKey(sub, id, at)),

  /** Removes an entry for a day; a missing one is not an error. */
  removeDay: (sub: string, id: string, at: string) => deleteRow(table, dayKey(sub, id, at)),

  addPin: (sub: string, id: string) => putRow(table, pinKey(sub, id)),

  /** Removes all entries of conversations that are deleted. */
  async removeAll(sub: string, ids: readonly string[]): Promise<void> {
    const days = queryPages(table, { partition: `U#${sub}`, prefix: dayPrefix, projection: 'PK, SK' })
    for await (const rows of days)
      await deleteRows(
        table,
        rows.filter((row) => ids.includes(parseDayKey(row).id)),
      )
    await deleteRows(
      table,
      ids.map((id) => pinKey(sub, id)),
    )
  },
})
