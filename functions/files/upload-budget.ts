import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { uploadsPerDay } from '#shared/limits.ts'
import type { Table } from '../platform/table.ts'
import { TooManyUploads } from './errors.ts'

const daySeconds = 86_400

/** Counts a user's uploads of a day (UTC). @throws TooManyUploads */
export async function countUpload({ client, name }: Table, sub: string, factor: number): Promise<void> {
  const nowSeconds = Math.floor(Date.now() / 1_000)
  const day = Math.floor(nowSeconds / daySeconds)
  try {
    await client.send(
      new UpdateCommand({
        TableName: name,
        Key: { PK: `RATE#${sub}`, SK: `uploads#${day}` },
        UpdateExpression: 'ADD #calls :one SET #ttl = :ttl',
        ConditionExpression: 'attribute_not_exists(#calls) OR #calls < :most',
        ExpressionAttributeNames: { '#calls': 'calls', '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':one': 1,
          ':ttl': (day + 2) * daySeconds,
          ':most': Math.max(1, Math.floor(uploadsPerDay * factor)),
        },
      }),
    )
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
    throw new TooManyUploads((day + 1) * daySeconds - nowSeconds)
  }
}
