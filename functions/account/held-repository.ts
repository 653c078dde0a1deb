import { BatchWriteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { HeldCounts } from '#shared/contracts/account.ts'
import type { Table } from '../platform/table.ts'

/** Which rows of a user's partition are what a person would count. */
const counted = {
  conversations: 'S#',
  messages: 'M#',
  files: 'A#',
  credentials: 'C#',
} as const satisfies Record<keyof HeldCounts, string>

type Key = Record<'PK' | 'SK', string>

/** Writes that were not taken are tried again, a little later each time. */
const batchTries = 8

/** A user's rows as a whole, whatever they are: for counting and for erasing. */
export const heldRepository = ({ client, name: TableName }: Table) => {
  async function* keysIn(partition: string, prefix: string): AsyncGenerator<Record<string, unknown>[]> {
    let start: Record<string, unknown> | undefined
    do {
      const page = await client.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'PK = :pk' + (prefix === '' ? '' : ' AND begins_with(SK, :prefix)'),
          ExpressionAttributeValues: { ':pk': partition, ...(prefix !== '' && { ':prefix': prefix }) },
          ProjectionExpression: 'PK, SK, deleted_at',
          ConsistentRead: true,
          ...(start && { ExclusiveStartKey: start }),
        }),
      )
      yield page.Items ?? []
      start = page.LastEvaluatedKey
    } while (start)
  }

  async function removeAll(keys: Key[]): Promise<void> {
    for (let at = 0; at < keys.length; at += 25) {
      let waiting = keys.slice(at, at + 25).map((Key) => ({ DeleteRequest: { Key } }))
      for (let attempt = 0; waiting.length > 0; attempt += 1) {
        if (attempt === batchTries) throw new Error(`the table did not take ${waiting.length} deletions`)
        if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 50 * 2 ** attempt))
        const { UnprocessedItems } = await client.send(
          new BatchWriteCommand({ RequestItems: { [TableName]: waiting } }),
        )
        waiting = (UnprocessedItems?.[TableName] ?? []) as typeof waiting
      }
    }
  }

  /** @returns whether there were any */
  async function sweep(partition: string, prefix: string, isOver: () => boolean, except?: string) {
    let found = false
    for await (const rows of keysIn(partition, prefix)) {
      const keys = rows
        .map(({ PK, SK }) => ({ PK: String(PK), SK: String(SK) }))
        .filter(({ SK }) => SK !== except)
      if (keys.length === 0) continue
      found = true
      await removeAll(keys)
      if (isOver()) break
    }
    return found
  }

  return {
    /** DEC-033: what the stores hold of a user, counted there. */
    async count(sub: string): Promise<HeldCounts> {
      const counts = { conversations: 0, messages: 0, files: 0, credentials: 0 }
      for await (const rows of keysIn(`U#${sub}`, ''))
        for (const { SK, deleted_at } of rows)
          for (const [kind, prefix] of Object.entries(counted))
            if (String(SK).startsWith(prefix) && deleted_at === undefined)
              counts[kind as keyof HeldCounts] += 1
      return counts
    },

    /** Removes the items of a user's replies, so that whoever writes one finds itself without and stops. */
    removeRuns: (sub: string) => sweep(`U#${sub}`, 'RUN#', () => false),

    /**
     * Removes a user's rows until none is left or the time is over.
     * @param except the key of a row that stays
     * @returns whether there were any
     */
    removeRows: (sub: string, except: string, isOver: () => boolean) => sweep(`U#${sub}`, '', isOver, except),

    /** Removes the counters of a user's calls. */
    removeBudgets: (sub: string) => sweep(`RATE#${sub}`, '', () => false),
  }
}

export type HeldRepository = ReturnType<typeof heldRepository>
