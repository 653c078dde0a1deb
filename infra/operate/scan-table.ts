import { ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Table } from '../../functions/platform/dynamodb/table.ts'

/** Reads the whole table, which no function may do. */
export async function* scanTable(
  { client, name: TableName }: Table,
  input: Omit<ScanCommandInput, 'TableName' | 'ConsistentRead' | 'ExclusiveStartKey'>,
): AsyncGenerator<Record<string, unknown>> {
  let start: ScanCommandInput['ExclusiveStartKey']
  do {
    const page = await client.send(
      new ScanCommand({
        ...input,
        TableName,
        ConsistentRead: true,
        ...(start && { ExclusiveStartKey: start }),
      }),
    )
    yield* page.Items ?? []
    start = page.LastEvaluatedKey
  } while (start)
}
