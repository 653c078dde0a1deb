import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { deleteRows } from '../platform/delete-rows.ts'
import { packChunks } from '../platform/packed-chunks.ts'
import type { Table } from '../platform/table.ts'
import { chunkKey, snapshotReader, type SnapshotReader } from './snapshot-reader.ts'
import type { StoredEntry } from './stored-entry.ts'

/** Where the sync leaves the stored entries for readers: whole, compressed, under a version that never changes again. */
export interface SnapshotStore extends SnapshotReader {
  write(version: string, entries: readonly StoredEntry[]): Promise<{ chunks: number }>
  remove(version: string, chunks: number): Promise<void>
}

/** Snapshots as rows of the table: ten thousand entries are about three. */
export const snapshotStore = ({ client, name: TableName }: Table): SnapshotStore => ({
  async write(version, entries) {
    const packed = await packChunks(entries)
    for (const [chunk, data] of packed.entries())
      await client.send(new PutCommand({ TableName, Item: { ...chunkKey(version, chunk), data } }))
    return { chunks: packed.length }
  },

  ...snapshotReader({ client, name: TableName }),

  async remove(version, chunks) {
    await deleteRows(
      { client, name: TableName },
      Array.from({ length: chunks }, (_, chunk) => chunkKey(version, chunk)),
    )
  },
})
