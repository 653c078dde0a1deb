import { BatchGetCommand } from '@aws-sdk/lib-dynamodb'
import { wait } from '../platform/clock.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { baseFileRepository } from './base-file-repository.ts'
import { fileKey, isKept, parseFileRow, type StoredFile } from './file-row.ts'

const batchSize = 100
/** Keys that a throttled table did not return are requested again after growing pauses. */
const maxBatchAttempts = 7

/**
 * The files of a user for code that reads messages, which name many files at once.
 * @param storageGb the user's quota; by default that of shared/limits.ts
 */
export const fileRepository = (table: Table, storageGb?: number) => {
  const { client, name: TableName } = table
  return {
    ...baseFileRepository(table, storageGb),

    /**
     * Finds the caller's files among the ids; the map is keyed by id.
     * @throws Error if keys are still missing after about three seconds
     */
    async findMany(sub: string, ids: readonly string[]): Promise<Map<string, StoredFile>> {
      const found = new Map<string, StoredFile>()
      let pendingKeys: Record<string, unknown>[] = [...new Set(ids)].map((id) => fileKey(sub, id))
      let attempt = 0
      while (pendingKeys.length > 0) {
        const { Responses, UnprocessedKeys } = await client.send(
          new BatchGetCommand({
            RequestItems: { [TableName]: { Keys: pendingKeys.slice(0, batchSize), ConsistentRead: true } },
          }),
        )
        for (const item of Responses?.[TableName] ?? []) {
          const file = parseFileRow(item)
          if (isKept(file)) found.set(file.id, file)
        }
        const unprocessed = UnprocessedKeys?.[TableName]?.Keys ?? []
        pendingKeys = [...unprocessed, ...pendingKeys.slice(batchSize)]
        if (unprocessed.length === 0) continue
        attempt += 1
        if (attempt === maxBatchAttempts)
          throw new Error(`the table did not give ${unprocessed.length} files`)
        await wait(25 * 2 ** attempt)
      }
      return found
    },
  }
}

export type FileRepository = ReturnType<typeof fileRepository>
