import { setTimeout as wait } from 'node:timers/promises'
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb'
import type { Table } from '../platform/dynamodb/table.ts'
import { attachmentRepository } from './file-repository.ts'
import { fileKey, fileOf, type StoredFile } from './file-row.ts'

const batchSize = 100
/** Keys that a throttled table left out are asked for again, a little later each time. */
const batchTries = 7

/**
 * The files of a user for those who deal with messages: these name many at once.
 * @param storageGb what a user's files may take up; undefined: as shared/limits.ts has it
 */
export const conversationFiles = (table: Table, storageGb?: number) => {
  const { client, name: TableName } = table
  return {
    ...attachmentRepository(table, storageGb),

    /**
     * Those of the ids that are the caller's, by id.
     * @throws Error when the table gives no more of them, after about three seconds of trying
     */
    async findMany(sub: string, ids: readonly string[]): Promise<Map<string, StoredFile>> {
      const found = new Map<string, StoredFile>()
      let wanted: Record<string, unknown>[] = [...new Set(ids)].map((id) => fileKey(sub, id))
      let attempt = 0
      while (wanted.length > 0) {
        const { Responses, UnprocessedKeys } = await client.send(
          new BatchGetCommand({
            RequestItems: { [TableName]: { Keys: wanted.slice(0, batchSize), ConsistentRead: true } },
          }),
        )
        for (const item of Responses?.[TableName] ?? []) {
          const file = fileOf(item)
          found.set(file.id, file)
        }
        const unprocessed = UnprocessedKeys?.[TableName]?.Keys ?? []
        wanted = [...unprocessed, ...wanted.slice(batchSize)]
        if (unprocessed.length === 0) continue
        attempt += 1
        if (attempt === batchTries) throw new Error(`the table did not give ${unprocessed.length} files`)
        await wait(25 * 2 ** attempt)
      }
      return found
    },
  }
}

export type ConversationFiles = ReturnType<typeof conversationFiles>
