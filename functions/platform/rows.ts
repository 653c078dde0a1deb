import { setTimeout as wait } from 'node:timers/promises'
import { BatchWriteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { Table } from './table.ts'

type Row = Record<string, unknown>

/** What one BatchWriteItem takes at most. */
const batchSize = 25

/** Deletions that were not taken are tried again, a little later each time. */
const batchTries = 8

/**
 * The rows of a partition whose sort keys begin alike, in their order, read consistently.
 * @param projection attributes to read, all of them without it
 * @yields a page of the table at a time (1 MB at most), which may be empty
 */
export async function* pagesOf(
  { client, name: TableName }: Table,
  { partition, prefix = '', projection }: { partition: string; prefix?: string; projection?: string },
): AsyncGenerator<Row[]> {
  let start: Row | undefined
  do {
    const page = await client.send(
      new QueryCommand({
        TableName,
        // an empty string is no operand of begins_with
        KeyConditionExpression: prefix === '' ? 'PK = :pk' : 'PK = :pk AND begins_with(SK, :prefix)',
        ExpressionAttributeValues: { ':pk': partition, ...(prefix !== '' && { ':prefix': prefix }) },
        ...(projection !== undefined && { ProjectionExpression: projection }),
        ConsistentRead: true,
        ...(start && { ExclusiveStartKey: start }),
      }),
    )
    yield page.Items ?? []
    start = page.LastEvaluatedKey
  } while (start)
}

/** All of them at once, see `pagesOf`. */
export async function rowsOf(table: Table, what: Parameters<typeof pagesOf>[1]): Promise<Row[]> {
  const rows: Row[] = []
  for await (const page of pagesOf(table, what)) rows.push(...page)
  return rows
}

/**
 * Deletes rows by their keys, 25 at a time in the order given; ones that are gone already are no error.
 * @param rows PK and SK of each; whatever else they hold is not looked at
 * @throws Error when the table takes no more, after about 13 seconds of trying
 */
export async function deleteRows({ client, name: TableName }: Table, rows: readonly Row[]): Promise<void> {
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
