import { PutCommand } from '@aws-sdk/lib-dynamodb'
import type { Table } from '../dynamodb/table.ts'
import { countsForTokens, markKey, readMark, revokedSeconds, type Mark } from './token-revocation.ts'
import { isRefused } from '../dynamodb/refused.ts'

/** As long as a refresh token of the app client lives: until then a sign-in that was ended can give tokens. */
const refreshSeconds = 30 * 86_400
/** Several functions may mark the same user at once. */
const mostRounds = 10

/** Writes the marks that `tokenRevocation` honours: apart from it, so that functions which only check need no right to write. */
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
