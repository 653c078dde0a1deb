import { GetCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { unpackChunks } from '../platform/dynamodb/packed-chunks.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { type StoredEntry, storedEntry } from './stored-entry.ts'

/** The key of a piece of a snapshot. */
export const chunkKey = (version: string, chunk: number) => ({
  PK: `REG#${version}`,
  SK: `C#${String(chunk).padStart(3, '0')}`,
})

export interface SnapshotReader {
  /** @returns undefined when the version is gone, because newer ones came */
  read(version: string, chunks: number): Promise<StoredEntry[] | undefined>
}

/** Reads what the sync left behind; the part of the store that every reader has. */
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
