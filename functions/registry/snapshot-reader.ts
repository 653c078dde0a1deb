import { GetCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { unpackChunks } from '../platform/dynamodb/packed-chunks.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { type StoredEntry, storedEntry } from './stored-entry.ts'

export const chunkKey = (version: string, chunk: number) => ({
  PK: `REG#${version}`,
  SK: `C#${String(chunk).padStart(3, '0')}`,
})

export interface SnapshotReader {
  /** @returns undefined if the version was deleted after newer ones were stored */
  read(version: string, chunks: number): Promise<StoredEntry[] | undefined>
}

/** The read-only part of the snapshot store. */
export const snapshotReader = ({ client, name: TableName }: Table): SnapshotReader => ({
  async read(version, chunks) {
    const parts: Uint8Array[] = []
    for (let chunk = 0; chunk < chunks; chunk += 1) {
      const { Item } = await client.send(new GetCommand({ TableName, Key: chunkKey(version, chunk) }))
      if (!(Item?.['data'] instanceof Uint8Array)) return undefined
      parts.push(Item['data'])
    }
    return z.array(storedEntry).parse(await unpackChunks(parts))
  },
})
