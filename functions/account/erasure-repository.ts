import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { heldCounts, type HeldCounts } from '#shared/contracts/account.ts'
import type { Table } from '../platform/table.ts'

/** An erasure that nobody finishes leaves no more than its counts, and those not for ever. */
const keptSeconds = 7 * 86_400

/** Sort key of the row that goes last. */
export const erasureKey = 'ERASE'
const key = (sub: string) => ({ PK: `U#${sub}`, SK: erasureKey })

const row = z.object({
  asked_at: z.string(),
  // an erasure may have begun before these were counted
  held: heldCounts.extend({
    integrations: z.number().int().default(0),
    custom_tools: z.number().int().default(0),
  }),
})
export type Erasure = z.infer<typeof row>

/** What an erasure found when it began; a repeated one gives the same receipt. */
export const erasureRepository = ({ client, name: TableName }: Table) => ({
  /** @returns the erasure as first begun */
  async begin(sub: string, held: HeldCounts, nowMs: number): Promise<Erasure> {
    const { Attributes } = await client.send(
      new UpdateCommand({
        TableName,
        Key: key(sub),
        UpdateExpression:
          'SET #held = if_not_exists(#held, :held), #asked_at = if_not_exists(#asked_at, :at), #ttl = :ttl',
        ExpressionAttributeNames: { '#held': 'held', '#asked_at': 'asked_at', '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':held': held,
          ':at': new Date(nowMs).toISOString(),
          ':ttl': Math.floor(nowMs / 1000) + keptSeconds,
        },
        ReturnValues: 'ALL_NEW',
      }),
    )
    return row.parse(Attributes)
  },

  async end(sub: string): Promise<void> {
    await client.send(new DeleteCommand({ TableName, Key: key(sub) }))
  },
})

export type ErasureRepository = ReturnType<typeof erasureRepository>
