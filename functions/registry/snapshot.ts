import { deleteRows } from '../platform/dynamodb/delete-rows.ts'
import { packChunks } from '../platform/dynamodb/packed-chunks.ts'
import { putRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { chunkKey, snapshotReader, type SnapshotReader } from './snapshot-reader.ts'
import type { StoredEntry } from './stored-entry.ts'
import { updateRow } from '../platform/dynamodb/update-row.ts'

/** Syncs run daily, so if a sync fails to make its snapshot permanent, one of the next does it in time. */
const unrecordedSeconds = 7 * 86_400

/** Stores all entries for readers: compressed, under a version that never changes. */
export interface SnapshotStore extends SnapshotReader {
  /** Stores a snapshot that expires in a week, so that a sync that dies before it records the version leaves nothing behind. */
  write(version: string, entries: readonly StoredEntry[]): Promise<{ chunks: number }>
  /** Removes the expiry of a recorded snapshot. Can be repeated. */
  keep(version: string, chunks: number): Promise<void>
  remove(version: string, chunks: number): Promise<void>
}

/** Snapshots as rows of the table; ten thousand entries take about three rows. */
export const snapshotStore = (table: Table): SnapshotStore => ({
  async write(version, entries) {
    const packed = await packChunks(entries)
    const ttl = Math.floor(Date.now() / 1_000) + unrecordedSeconds
    for (const [chunk, data] of packed.entries())
      await putRow(table, { ...chunkKey(version, chunk), data, ttl })
    return { chunks: packed.length }
  },

  async keep(version, chunks) {
    for (let chunk = 0; chunk < chunks; chunk += 1)
      // an update would create a row that is gone
      await updateRow(table, chunkKey(version, chunk), {
        update: 'REMOVE #ttl',
        condition: 'attribute_exists(PK)',
      })
  },

  ...snapshotReader(table),

  async remove(version, chunks) {
    await deleteRows(
      table,
      Array.from({ length: chunks }, (_, chunk) => chunkKey(version, chunk)),
    )
  },
})
