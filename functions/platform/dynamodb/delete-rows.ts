import { setTimeout as wait } from 'node:timers/promises'
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb'
import type { Table } from './table.ts'

/** Maximum of BatchWriteItem. */
const batchSize = 25

/** Unprocessed deletions are retried with exponential backoff. */
const maxAttempts = 8

/**
 * Deletes rows by their keys, 25 at a time in the given order; missing rows are not an error.
 * @param rows only PK and SK are read
 * @throws Error when the table still rejects deletions after about 13 seconds
 */
export async function deleteRows(
  { client, name: TableName }: Table,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += batchSize) {
    let pending = rows.slice(at, at + batchSize).map(({ PK, SK }) => ({ DeleteRequest: { Key: { PK, SK } } }))
    for (let attempt = 0; pending.length > 0; attempt += 1) {
      if (attempt === maxAttempts) throw new Error(`the table did not accept ${pending.length} deletions`)
      if (attempt > 0) await wait(50 * 2 ** attempt)
      const { UnprocessedItems } = await client.send(
        new BatchWriteCommand({ RequestItems: { [TableName]: pending } }),
      )
      pending = (UnprocessedItems?.[TableName] ?? []) as typeof pending
    }
  }
}
