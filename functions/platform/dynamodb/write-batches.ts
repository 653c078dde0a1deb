import { BatchWriteCommand, type BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import { wait } from '../clock.ts'
import type { Table } from './table.ts'

type WriteRequest = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number]

/** Maximum of BatchWriteItem. */
const batchSize = 25

/** Unprocessed writes are retried with exponential backoff. */
const maxAttempts = 8

/**
 * Puts or deletes rows, 25 at a time in the given order and without conditions.
 * @param requests each of another row
 * @throws Error when the table still rejects writes after about 13 seconds
 */
export async function writeBatches(
  { client, name: TableName }: Table,
  requests: readonly WriteRequest[],
): Promise<void> {
  for (let at = 0; at < requests.length; at += batchSize) {
    let pending = requests.slice(at, at + batchSize)
    for (let attempt = 0; pending.length > 0; attempt += 1) {
      if (attempt === maxAttempts) throw new Error(`the table did not accept ${pending.length} writes`)
      if (attempt > 0) await wait(50 * 2 ** attempt)
      const { UnprocessedItems } = await client.send(
        new BatchWriteCommand({ RequestItems: { [TableName]: pending } }),
      )
      pending = UnprocessedItems?.[TableName] ?? []
    }
  }
}
