import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { Table } from './table.ts'

type Row = Record<string, unknown>

/**
 * Queries the rows of a partition by the prefix of their sort keys, in order and strongly consistent.
 * @param projection attributes to read; all by default
 * @param names placeholders for reserved words in the projection
 * @yields a page at a time (1 MB at most), which may be empty
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
        // begins_with rejects an empty string
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

/** All rows at once, see `queryPages`. */
export async function queryAll(table: Table, query: Parameters<typeof queryPages>[1]): Promise<Row[]> {
  const rows: Row[] = []
  for await (const page of queryPages(table, query)) rows.push(...page)
  return rows
}
