import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { callsPerMinute } from '#shared/limits.ts'
import type { LimitClass } from '#shared/routes.ts'
import { TooManyCalls } from './errors.ts'
import type { Table } from './table.ts'

const windowSeconds = 60

/** Counts calls per user, class and minute: one write a call, an item a minute, removed by its TTL. */
export const rateLimit = (table: Table, factor: number) => ({
  /**
   * Counts one call.
   * @throws TooManyCalls when the budget of this minute is used up, with the seconds until the next one
   */
  async count(sub: string, limit: LimitClass): Promise<void> {
    if (limit === 'none') return
    const nowSeconds = Math.floor(Date.now() / 1000)
    const windowStart = nowSeconds - (nowSeconds % windowSeconds)
    try {
      await table.client.send(
        new UpdateCommand({
          TableName: table.name,
          Key: { PK: `RATE#${sub}`, SK: `${limit}#${windowStart}` },
          UpdateExpression: 'ADD #calls :one SET #ttl = :ttl',
          ConditionExpression: 'attribute_not_exists(#calls) OR #calls < :most',
          ExpressionAttributeNames: { '#calls': 'calls', '#ttl': 'ttl' },
          ExpressionAttributeValues: {
            ':one': 1,
            ':ttl': windowStart + 2 * windowSeconds,
            ':most': Math.max(1, Math.floor(callsPerMinute[limit] * factor)),
          },
        }),
      )
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error
      throw new TooManyCalls(`${limit} budget used up`, windowStart + windowSeconds - nowSeconds)
    }
  },
})

export type RateLimit = ReturnType<typeof rateLimit>
