import { GetCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import type { User } from './access-token.ts'
import { InvalidToken } from './errors.ts'
import type { Table } from './table.ts'

/** Longer than any access token lives, clocks that differ included; after it the mark says nothing any more. */
export const keptSeconds = 1_800

export const markRow = z.object({ reason: z.enum(['signed-out', 'erased']), at: z.number(), ttl: z.number() })

export const markKey = (sub: string) => ({ PK: `OUT#${sub}`, SK: 'OUT' })

/**
 * Marks on a `sub` that refuse access tokens made before: Cognito's own revocation does not reach a signature check. The mark
 * lies outside the user's partition, because it has to outlive an erasure, and goes by its TTL.
 */
export const tokenRevocation = ({ client, name: TableName }: Table) => ({
  /**
   * @param whileErasing lets the token of an account that is being erased pass
   * @throws InvalidToken for a token made before its user signed out everywhere, or asked for erasure
   */
  async check(
    { sub, issuedAt }: Pick<User, 'sub' | 'issuedAt'>,
    whileErasing: boolean,
    nowMs: number,
  ): Promise<void> {
    const { Item } = await client.send(new GetCommand({ TableName, Key: markKey(sub), ConsistentRead: true }))
    if (!Item) return
    const { reason, at, ttl } = markRow.parse(Item)
    // TTL deletes late
    if (issuedAt > at || ttl < nowMs / 1000 || (reason === 'erased' && whileErasing)) return
    throw new InvalidToken(`the token was made before its user was ${reason}`)
  },
})
