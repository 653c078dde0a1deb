import { type DynaliteError, type DynaliteStore, type Item, runDynalite } from './dynalite.ts'

/** Like DynamoDB, it does not delete rows that expired more than five years ago. */
const oldestSeconds = 5 * 365 * 86_400

/**
 * Deletes expired rows, page by page, as DynamoDB does some time after they expire. A row whose `ttl` changes in the meantime stays.
 */
export async function deleteExpired(store: DynaliteStore, TableName: string, nowMs: number): Promise<void> {
  const nowSeconds = Math.floor(nowMs / 1_000)
  const run = (operation: string, input: object) => runDynalite(store, operation, input)
  const names = { '#ttl': 'ttl' }
  let start: Item | undefined
  do {
    const page = (await run('Scan', {
      TableName,
      ProjectionExpression: 'PK, SK, #ttl',
      FilterExpression: '#ttl BETWEEN :oldest AND :now',
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: {
        ':oldest': { N: String(nowSeconds - oldestSeconds) },
        ':now': { N: String(nowSeconds) },
      },
      ...(start && { ExclusiveStartKey: start }),
    })) as { Items: Item[]; LastEvaluatedKey?: Item }
    for (const { PK, SK, ttl } of page.Items) {
      // a test has moved the clock back: rows written since then may not be expired
      if (Date.now() < nowMs) return
      await run('DeleteItem', {
        TableName,
        Key: { PK, SK },
        ConditionExpression: '#ttl = :ttl',
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: { ':ttl': ttl },
      })?.catch((error: DynaliteError) => {
        if (!error.body?.__type.endsWith('#ConditionalCheckFailedException')) throw error
      })
    }
    start = page.LastEvaluatedKey
  } while (start)
}
