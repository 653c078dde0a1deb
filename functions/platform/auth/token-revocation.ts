import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import type { Table } from '../dynamodb/table.ts'
import { isConditionFailed } from '../dynamodb/update-row.ts'
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
export type RevocationMark = z.output<typeof markRow>

export const markKey = (sub: string) => ({ PK: `OUT#${sub}`, SK: 'OUT' })

export async function loadMark(
  { client, name: TableName }: Table,
  sub: string,
): Promise<RevocationMark | undefined> {
  const { Item } = await client.send(new GetCommand({ TableName, Key: markKey(sub), ConsistentRead: true }))
  return Item && markRow.parse(Item)
}

/** Whether the part of a mark that is about tokens still counts; TTL deletes late, and the other part may live longer. */
export const countsForTokens = ({ at = 0 }: RevocationMark, nowSeconds: number): boolean =>
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
    const mark = await loadMark(table, sub)
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
const maxRounds = 10

/** Writes the marks that `tokenRevocation` checks. */
export const tokenRevoker = (table: Table) => {
  const { client, name: TableName } = table

  /** @returns false when somebody else has changed the mark meanwhile */
  async function replace(
    sub: string,
    current: RevocationMark | undefined,
    mark: RevocationMark,
  ): Promise<boolean> {
    const unchanged = current?.rev === undefined ? 'attribute_not_exists(#rev)' : '#rev = :seen'
    try {
      await client.send(
        new PutCommand({
          TableName,
          Item: { ...markKey(sub), ...mark, rev: (current?.rev ?? 0) + 1 },
          ConditionExpression: unchanged,
          ExpressionAttributeNames: { '#rev': 'rev' },
          ...(current?.rev !== undefined && { ExpressionAttributeValues: { ':seen': current.rev } }),
        }),
      )
      return true
    } catch (error) {
      if (isConditionFailed(error)) return false
      throw error
    }
  }

  async function add(
    sub: string,
    change: (current: RevocationMark | undefined) => RevocationMark,
  ): Promise<void> {
    for (let round = 0; round < maxRounds; round += 1) {
      const current = await loadMark(table, sub)
      if (await replace(sub, current, change(current))) return
    }
    throw new Error('the mark changes all the time')
  }

  return {
    /** From here on the tokens made until now are refused. */
    revoke: (sub: string, reason: 'signed-out' | 'erased', nowMs: number): Promise<void> =>
      add(sub, (current) => withTokensRevoked(current, reason, Math.floor(nowMs / 1000))),

    /** From here on the sign-ins until now are over, whatever tokens they still give, but for the one that remains. */
    endOtherSignIns: (sub: string, remaining: string, nowMs: number): Promise<void> =>
      add(sub, (current) => withSignInsEnded(current, remaining, Math.floor(nowMs / 1000))),

    /** Whether an erasure of this user was begun, a short while ago. */
    async isErasing(sub: string, nowMs: number): Promise<boolean> {
      const mark = await loadMark(table, sub)
      return mark?.reason === 'erased' && countsForTokens(mark, nowMs / 1000)
    },
  }
}

export type TokenRevoker = ReturnType<typeof tokenRevoker>

/** An erasure that goes on stays one, and no mark moves back in time. */
function withTokensRevoked(
  current: RevocationMark | undefined,
  reason: 'signed-out' | 'erased',
  at: number,
): RevocationMark {
  const isErasing = current?.reason === 'erased' && countsForTokens(current, at)
  return {
    ...current,
    reason: isErasing ? 'erased' : reason,
    at: Math.max(at, current?.at ?? 0),
    ttl: Math.max(at + revokedSeconds, current?.ttl ?? 0),
  }
}

/** Of two marks the later one counts: it has ended the sign-in that remained after the earlier one. */
function withSignInsEnded(
  current: RevocationMark | undefined,
  remaining: string,
  at: number,
): RevocationMark {
  const until = at + refreshSeconds
  if (current?.signInsEndedAt !== undefined && current.signInsEndedAt > at) return current
  return {
    ...current,
    signInsEndedAt: at,
    signInsEndedUntil: until,
    remainingSignIn: remaining,
    ttl: Math.max(until, current?.ttl ?? 0),
  }
}
