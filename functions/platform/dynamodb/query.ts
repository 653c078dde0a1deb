import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { Table } from './table.ts'

type Row = Record<string, unknown>

/**
 * The rows of a partition whose sort keys begin alike, in their order, read consistently.
 * @param projection attributes to read, all of them without it
 * @param names of attributes in it that are words of the table's own
 * @yields a page of the table at a time (1 MB at most), which may be empty
 */
export async function* queryPages(
  { client, name: TableName }: Table,
  {
    partition,
    prefix = '',
    projection,
    names,
  }: { partition: string; prefix?: string; projection?: string; names?: Record<string, string> },
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
        ...(names && { ExpressionAttributeNames: names }),
        ConsistentRead: true,
        ...(start && { ExclusiveStartKey: start }),
      }),
    )
    yield page.Items ?? []
    start = page.LastEvaluatedKey
  } while (start)
}

/** All of them at once, see `queryPages`. */
export async function queryAll(table: Table, query: Parameters<typeof queryPages>[1]): Promise<Row[]> {
  const rows: Row[] = []
  for await (const page of queryPages(table, query)) rows.push(...page)
  return rows
}
