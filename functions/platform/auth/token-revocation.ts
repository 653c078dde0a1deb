import { GetCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import type { User } from './access-token.ts'
import { InvalidToken, SessionEnded } from '../errors.ts'
import type { Table } from '../dynamodb/table.ts'

/** Longer than any access token lives, clocks that differ included; after it a mark on tokens says nothing any more. */
export const revokedSeconds = 1_800

const markRow = z.object({
  reason: z.enum(['signed-out', 'erased']).optional(),
  /** tokens made until then are refused, seconds */
  at: z.number().optional(),
  /** sign-ins until then are over, but for one, seconds */
  signInsEndedAt: z.number().optional(),
  signInsEndedUntil: z.number().optional(),
  remainingSignIn: z.string().optional(),
  /** counts the changes; rows that never changed have none */
  rev: z.number().optional(),
  ttl: z.number(),
})

/** What is known of a user's ended sessions. */
export type Mark = z.output<typeof markRow>

export const markKey = (sub: string) => ({ PK: `OUT#${sub}`, SK: 'OUT' })

export async function readMark({ client, name: TableName }: Table, sub: string): Promise<Mark | undefined> {
  const { Item } = await client.send(new GetCommand({ TableName, Key: markKey(sub), ConsistentRead: true }))
  return Item && markRow.parse(Item)
}

/** Whether the part of a mark that is about tokens still counts; TTL deletes late, and the other part may live longer. */
export const countsForTokens = ({ at = 0 }: Mark, nowSeconds: number): boolean =>
  at + revokedSeconds >= nowSeconds

/**
 * Marks on a `sub` that refuse access tokens made before: Cognito's own revocation does not reach a signature check. The mark
 * lies outside the user's partition, because it has to outlive an erasure, and goes by its TTL.
 */
export const tokenRevocation = (table: Table) => ({
  /**
   * @param whileErasing lets the token of an account that is being erased pass
   * @throws InvalidToken for a token made before its user signed out everywhere, or asked for erasure; SessionEnded for one of a
   *   sign-in that a second factor has ended
   */
  async check(
    { sub, issuedAt, signedInAt, signInId }: Pick<User, 'sub' | 'issuedAt' | 'signedInAt' | 'signInId'>,
    whileErasing: boolean,
    nowMs: number,
  ): Promise<void> {
    const mark = await readMark(table, sub)
    if (!mark) return
    const now = nowMs / 1000
    const isErasing = mark.reason === 'erased' && whileErasing
    if (countsForTokens(mark, now) && issuedAt <= (mark.at ?? 0) && !isErasing)
      throw new InvalidToken(`the token was made before its user was ${mark.reason ?? 'signed-out'}`)
    const { signInsEndedAt = 0, signInsEndedUntil = 0, remainingSignIn } = mark
    const isRemaining = signInId !== '' && signInId === remainingSignIn
    if (signInsEndedUntil >= now && signedInAt <= signInsEndedAt && !isRemaining)
      throw new SessionEnded('another sign-in has ended this one')
  },
})
