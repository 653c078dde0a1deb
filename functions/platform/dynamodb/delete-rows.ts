import { queryPages } from './query.ts'
import type { Table } from './table.ts'
import { writeBatches } from './write-batches.ts'

/**
 * Deletes rows by their keys, 25 at a time in the given order; missing rows are not an error.
 * @param rows only PK and SK are read
 * @throws Error when the table still rejects deletions after about 13 seconds
 */
export const deleteRows = (table: Table, rows: readonly Record<string, unknown>[]): Promise<void> =>
  writeBatches(
    table,
    rows.map(({ PK, SK }) => ({ DeleteRequest: { Key: { PK, SK } } })),
  )

/** Deletes all rows of a partition whose sort keys have the prefix; can be repeated. */
export async function deleteByPrefix(table: Table, partition: string, prefix: string): Promise<void> {
  const keys = { partition, prefix, projection: 'PK, SK' }
  for await (const page of queryPages(table, keys)) await deleteRows(table, page)
}
