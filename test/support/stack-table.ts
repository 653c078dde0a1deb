import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DeleteCommand, DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { LocalStack } from './local-stack.ts'

const TableName = 'juno-local'

/** Direct access to a running stack's table, for data that no route returns and for changing times. */
export async function openStackTable(stack: Pick<LocalStack, 'endpoints'>) {
  const { dynamodb, credentials } = await stack.endpoints()
  const connection = new DynamoDBClient({
    endpoint: dynamodb,
    region: 'us-east-1',
    credentials,
  })
  const client = DynamoDBDocumentClient.from(connection, { marshallOptions: { removeUndefinedValues: true } })

  /** every row of all users, including keys */
  async function readAllRows(): Promise<Record<string, unknown>[]> {
    const rows: Record<string, unknown>[] = []
    let start: Record<string, unknown> | undefined
    do {
      const page = await client.send(
        new ScanCommand({ TableName, ConsistentRead: true, ...(start && { ExclusiveStartKey: start }) }),
      )
      rows.push(...(page.Items ?? []))
      start = page.LastEvaluatedKey
    } while (start)
    return rows
  }

  return {
    /** every row of a user, including keys */
    async readRows(sub: string): Promise<Record<string, unknown>[]> {
      const rows: Record<string, unknown>[] = []
      let start: Record<string, unknown> | undefined
      do {
        const page = await client.send(
          new QueryCommand({
            TableName,
            KeyConditionExpression: 'PK = :pk',
            ExpressionAttributeValues: { ':pk': `U#${sub}` },
            ConsistentRead: true,
            ...(start && { ExclusiveStartKey: start }),
          }),
        )
        rows.push(...(page.Items ?? []))
        start = page.LastEvaluatedKey
      } while (start)
      return rows
    },
    /** writes a row of a user, as a fault or an older version may have left it */
    async put(sub: string, key: string, fields: Record<string, unknown>): Promise<void> {
      await client.send(new PutCommand({ TableName, Item: { PK: `U#${sub}`, SK: key, ...fields } }))
    },
    /** writes any row, including keys */
    async putRow(row: Record<string, unknown>): Promise<void> {
      await client.send(new PutCommand({ TableName, Item: row }))
    },
    /** deletes a row of a user, as a fault may have done */
    async delete(sub: string, key: string): Promise<void> {
      await client.send(new DeleteCommand({ TableName, Key: { PK: `U#${sub}`, SK: key } }))
    },
    readAllRows,
    /** the whole table as text, for checks that something is nowhere in it */
    readAllAsText: async () => JSON.stringify(await readAllRows()),
    /** partition keys of the e-mail addresses that map to a user's second factor */
    async listOwners(sub: string): Promise<string[]> {
      const owners = (await readAllRows()).filter((row) => row['SK'] === 'OWNER' && row['sub'] === sub)
      return owners.map(({ PK }) => String(PK))
    },
    /** makes the last heartbeat of a conversation's run this much older */
    async ageRun(sub: string, sessionId: string, byMs: number): Promise<void> {
      await client.send(
        new UpdateCommand({
          TableName,
          Key: { PK: `U#${sub}`, SK: `RUN#${sessionId}` },
          UpdateExpression: 'SET heartbeatAtMs = heartbeatAtMs - :by',
          ConditionExpression: 'attribute_exists(PK)',
          ExpressionAttributeValues: { ':by': byMs },
        }),
      )
    },
    /** ends the time in which a user's last backup code may be repeated */
    async endAttempt(sub: string): Promise<void> {
      await client.send(
        new UpdateCommand({
          TableName,
          Key: { PK: `U#${sub}`, SK: 'MFA' },
          UpdateExpression: 'SET attemptEndsAt = :past',
          ConditionExpression: 'attribute_exists(attemptEndsAt)',
          ExpressionAttributeValues: { ':past': Math.floor(Date.now() / 1000) - 1 },
        }),
      )
    },
    close: () => connection.destroy(),
  }
}
