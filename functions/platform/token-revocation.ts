import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import type { User } from './access-token.ts'
import { InvalidToken } from './errors.ts'
import type { Table } from './table.ts'

/** Longer than any access token lives, clocks that differ included; after it the mark says nothing any more. */
const keptSeconds = 1_800

const row = z.object({ reason: z.enum(['signed-out', 'erased']), at: z.number(), ttl: z.number() })

const key = (sub: string) => ({ PK: `OUT#${sub}`, SK: 'OUT' })

/**
 * Marks on a `sub` that refuse access tokens made before: Cognito's own revocation does not reach a signature check. The mark
 * lies outside the user's partition, because it has to outlive an erasure, and goes by its TTL.
 */
export const tokenRevocation = ({ client, name: TableName }: Table) => ({
  /** From here on the tokens made until now are refused. */
  async revoke(sub: string, reason: 'signed-out' | 'erased', nowMs: number): Promise<void> {
    const at = Math.floor(nowMs / 1000)
    await client.send(new PutCommand({ TableName, Item: { ...key(sub), reason, at, ttl: at + keptSeconds } }))
  },

  /** Whether an erasure of this user was begun, a short while ago. */
  async isErasing(sub: string): Promise<boolean> {
    const { Item } = await client.send(new GetCommand({ TableName, Key: key(sub), ConsistentRead: true }))
    return Item !== undefined && row.parse(Item).reason === 'erased'
  },

  /**
   * @param whileErasing lets the token of an account that is being erased pass
   * @throws InvalidToken for a token made before its user signed out everywhere, or asked for erasure
   */
  async check(
    { sub, issuedAt }: Pick<User, 'sub' | 'issuedAt'>,
    whileErasing: boolean,
    nowMs: number,
  ): Promise<void> {
    const { Item } = await client.send(new GetCommand({ TableName, Key: key(sub), ConsistentRead: true }))
    if (!Item) return
    const { reason, at, ttl } = row.parse(Item)
    // TTL deletes late
    if (issuedAt > at || ttl < nowMs / 1000 || (reason === 'erased' && whileErasing)) return
    throw new InvalidToken(`the token was made before its user was ${reason}`)
  },
})
