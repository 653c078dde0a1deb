import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { deleteRows } from '../platform/dynamodb/delete-rows.ts'
import { packChunks } from '../platform/dynamodb/packed-chunks.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { chunkKey, snapshotReader, type SnapshotReader } from './snapshot-reader.ts'
import type { StoredEntry } from './stored-entry.ts'
import { updateRow } from '../platform/dynamodb/update-row.ts'

/** Syncs run daily: a recorded snapshot that its own sync did not keep is kept by one of the next. */
const unrecordedSeconds = 7 * 86_400

/** Where the sync leaves the stored entries for readers: whole, compressed, under a version that never changes again. */
export interface SnapshotStore extends SnapshotReader {
  /** Stores a snapshot for a week: a sync that dies before it records the version leaves nothing for good. */
  write(version: string, entries: readonly StoredEntry[]): Promise<{ chunks: number }>
  /** Takes the end from a snapshot that the record names. Can be repeated. */
  keep(version: string, chunks: number): Promise<void>
  remove(version: string, chunks: number): Promise<void>
}

/** Snapshots as rows of the table: ten thousand entries are about three. */
export const snapshotStore = (table: Table): SnapshotStore => ({
  async write(version, entries) {
    const packed = await packChunks(entries)
    const ttl = Math.floor(Date.now() / 1_000) + unrecordedSeconds
    for (const [chunk, data] of packed.entries())
      await table.client.send(
        new PutCommand({ TableName: table.name, Item: { ...chunkKey(version, chunk), data, ttl } }),
      )
    return { chunks: packed.length }
  },

  async keep(version, chunks) {
    for (let chunk = 0; chunk < chunks; chunk += 1)
      // one that is gone is not made again
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
