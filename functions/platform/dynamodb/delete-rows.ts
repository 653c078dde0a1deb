import { setTimeout as wait } from 'node:timers/promises'
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb'
import type { Table } from './table.ts'

/** What one BatchWriteItem takes at most. */
const batchSize = 25

/** Deletions that were not taken are tried again, a little later each time. */
const batchTries = 8

/**
 * Deletes rows by their keys, 25 at a time in the order given; ones that are gone already are no error.
 * @param rows PK and SK of each; whatever else they hold is not looked at
 * @throws Error when the table takes no more, after about 13 seconds of trying
 */
export async function deleteRows(
  { client, name: TableName }: Table,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += batchSize) {
    let waiting = rows.slice(at, at + batchSize).map(({ PK, SK }) => ({ DeleteRequest: { Key: { PK, SK } } }))
    for (let attempt = 0; waiting.length > 0; attempt += 1) {
      if (attempt === batchTries) throw new Error(`the table did not take ${waiting.length} deletions`)
      if (attempt > 0) await wait(50 * 2 ** attempt)
      const { UnprocessedItems } = await client.send(
        new BatchWriteCommand({ RequestItems: { [TableName]: waiting } }),
      )
      waiting = (UnprocessedItems?.[TableName] ?? []) as typeof waiting
    }
  }
}
