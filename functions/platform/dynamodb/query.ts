import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { Table } from './table.ts'

type Row = Record<string, unknown>

/** Rows of a partition, in the order of their sort keys and strongly consistent. */
export interface RowQuery {
  readonly partition: string
  /** of the sort keys */
  readonly prefix?: string
  /** attributes to read; all by default */
  readonly projection?: string
  /** placeholders for reserved words in the projection */
  readonly names?: Record<string, string>
  readonly newestFirst?: boolean
  /** a read is billed by what it reads, not by what is used */
  readonly limit?: number | undefined
  /** sort key that the rows come after; there need be no such row */
  readonly after?: string | undefined
}

/**
 * One page of a query, of 1 MB at most, which may be empty.
 * @returns `next`: the sort key that the next page comes after; undefined on the last one
 */
export async function queryPage(
  { client, name: TableName }: Table,
  { partition, prefix = '', projection, names, newestFirst = false, limit = Infinity, after }: RowQuery,
): Promise<{ rows: Row[]; next: string | undefined }> {
  const { Items = [], LastEvaluatedKey } = await client.send(
    new QueryCommand({
      TableName,
      // begins_with rejects an empty string
      KeyConditionExpression: prefix === '' ? 'PK = :pk' : 'PK = :pk AND begins_with(SK, :prefix)',
      ExpressionAttributeValues: { ':pk': partition, ...(prefix !== '' && { ':prefix': prefix }) },
      ...(projection !== undefined && { ProjectionExpression: projection }),
      ...(names && { ExpressionAttributeNames: names }),
      ...(newestFirst && { ScanIndexForward: false }),
      ConsistentRead: true,
      ...(limit < Infinity && { Limit: limit }),
      ...(after !== undefined && { ExclusiveStartKey: { PK: partition, SK: after } }),
    }),
  )
  return { rows: Items, next: LastEvaluatedKey && String(LastEvaluatedKey['SK']) }
}

/** All pages of a query. */
export async function* queryPages(table: Table, query: RowQuery): AsyncGenerator<Row[]> {
  let after = query.after
  do {
    const page = await queryPage(table, { ...query, after })
    yield page.rows
    after = page.next
  } while (after !== undefined)
}

/** All rows of a query at once. */
export async function queryAll(table: Table, query: RowQuery): Promise<Row[]> {
  const rows: Row[] = []
  for await (const page of queryPages(table, query)) rows.push(...page)
  return rows
}
