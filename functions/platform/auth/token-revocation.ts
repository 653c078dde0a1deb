import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import type { Table } from '../dynamodb/table.ts'
import { isRefused } from '../dynamodb/update-row.ts'
import { InvalidToken, SessionEnded } from '../errors.ts'
import type { User } from './access-token.ts'

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

/** As long as a refresh token of the app client lives: until then a sign-in that was ended can give tokens. */
const refreshSeconds = 30 * 86_400
/** Several functions may mark the same user at once. */
const mostRounds = 10

/** Writes the marks that `tokenRevocation` checks. */
export const tokenRevoker = (table: Table) => {
  const { client, name: TableName } = table

  /** @returns false when somebody else has changed the mark meanwhile */
  async function replace(sub: string, seen: Mark | undefined, mark: Mark): Promise<boolean> {
    const unchanged = seen?.rev === undefined ? 'attribute_not_exists(#rev)' : '#rev = :seen'
    try {
      await client.send(
        new PutCommand({
          TableName,
          Item: { ...markKey(sub), ...mark, rev: (seen?.rev ?? 0) + 1 },
          ConditionExpression: unchanged,
          ExpressionAttributeNames: { '#rev': 'rev' },
          ...(seen?.rev !== undefined && { ExpressionAttributeValues: { ':seen': seen.rev } }),
        }),
      )
      return true
    } catch (error) {
      if (isRefused(error)) return false
      throw error
    }
  }

  async function add(sub: string, change: (seen: Mark | undefined) => Mark): Promise<void> {
    for (let round = 0; round < mostRounds; round += 1) {
      const seen = await readMark(table, sub)
      if (await replace(sub, seen, change(seen))) return
    }
    throw new Error('the mark changes all the time')
  }

  return {
    /** From here on the tokens made until now are refused. */
    revoke: (sub: string, reason: 'signed-out' | 'erased', nowMs: number): Promise<void> =>
      add(sub, (seen) => withTokensRevoked(seen, reason, Math.floor(nowMs / 1000))),

    /** From here on the sign-ins until now are over, whatever tokens they still give, but for the one that remains. */
    endOtherSignIns: (sub: string, remaining: string, nowMs: number): Promise<void> =>
      add(sub, (seen) => withSignInsEnded(seen, remaining, Math.floor(nowMs / 1000))),

    /** Whether an erasure of this user was begun, a short while ago. */
    async isErasing(sub: string, nowMs: number): Promise<boolean> {
      const mark = await readMark(table, sub)
      return mark?.reason === 'erased' && countsForTokens(mark, nowMs / 1000)
    },
  }
}

export type TokenRevoker = ReturnType<typeof tokenRevoker>

/** An erasure that goes on stays one, and no mark moves back in time. */
function withTokensRevoked(seen: Mark | undefined, reason: 'signed-out' | 'erased', at: number): Mark {
  const goesOn = seen?.reason === 'erased' && countsForTokens(seen, at)
  return {
    ...seen,
    reason: goesOn ? 'erased' : reason,
    at: Math.max(at, seen?.at ?? 0),
    ttl: Math.max(at + revokedSeconds, seen?.ttl ?? 0),
  }
}

/** Of two marks the later one counts: it has ended the sign-in that remained after the earlier one. */
function withSignInsEnded(seen: Mark | undefined, remaining: string, at: number): Mark {
  const until = at + refreshSeconds
  if (seen?.signInsEndedAt !== undefined && seen.signInsEndedAt > at) return seen
  return {
    ...seen,
    signInsEndedAt: at,
    signInsEndedUntil: until,
    remainingSignIn: remaining,
    ttl: Math.max(until, seen?.ttl ?? 0),
  }
}
