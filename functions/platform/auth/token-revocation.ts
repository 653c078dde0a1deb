import * as z from 'zod'
import type { Table } from '../dynamodb/table.ts'
import { putIf, readRow } from '../dynamodb/rows.ts'
import { InvalidToken, SessionEnded } from '../errors.ts'
import type { User } from './access-token.ts'
import { endAdditions } from './ended-additions.ts'
import { removePushSubscriptions } from './push-subscriptions.ts'

/** Longer than the lifetime of an access token plus clock skew; a mark on tokens expires after it. */
export const revokedSeconds = 1_800

/**
 * How long it is known that somebody signed out everywhere: a schedule that was approved before does not run. Longer than one that runs
 * each month rests.
 */
const signedOutSeconds = 400 * 86_400

/** Why tokens are revoked. `groups-changed`: their user stays signed in, and gets new ones. */
export type RevocationReason = 'signed-out' | 'disabled' | 'erased' | 'groups-changed'

const markRow = z.object({
  reason: z.enum(['signed-out', 'erased']).optional(),
  /** tokens issued until then are rejected, seconds */
  at: z.number().optional(),
  /** when their user signed out everywhere, or was signed out, seconds */
  signedOutAt: z.number().optional(),
  /** when the account was disabled, or its erasure began, seconds */
  disabledAt: z.number().optional(),
  /** sign-ins until then have ended, except one, seconds */
  signInsEndedAt: z.number().optional(),
  /** until then an ended sign-in could still get tokens, seconds */
  signInsEndedUntil: z.number().optional(),
  /** id of the one that continues */
  remainingSignIn: z.string().optional(),
  /** revision, for optimistic locking; absent in rows that never changed */
  rev: z.number().optional(),
  ttl: z.number(),
})

/** The revocation of a user's tokens and sign-ins. */
export type RevocationMark = z.output<typeof markRow>

export const markKey = (sub: string) => ({ PK: `OUT#${sub}`, SK: 'OUT' })

/** Loads the revocation of a user's tokens and sign-ins, if there is one. */
export async function loadMark(table: Table, sub: string): Promise<RevocationMark | undefined> {
  const row = await readRow(table, markKey(sub))
  return row && markRow.parse(row)
}

/** Whether the mark on tokens is still in effect: TTL deletes late, and the mark on sign-ins may live longer. */
export const countsForTokens = ({ at = 0 }: RevocationMark, nowSeconds: number): boolean =>
  at + revokedSeconds >= nowSeconds

/**
 * Rejects access tokens that were issued before a mark: Cognito's own revocation does not affect signature checks. The mark is outside
 * the user's partition, because it has to survive an erasure; its TTL deletes it.
 */
export const tokenRevocation = (table: Table) => ({
  /**
   * @param whileErasing accepts the token of an account that is being erased
   * @throws InvalidToken if the user's tokens were revoked after this one was issued; SessionEnded if enabling
   *   the second factor ended the sign-in
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
      throw new InvalidToken(
        `the token was issued before the tokens of its user were revoked: ${mark.reason ?? 'signed-out'}`,
      )
    const { signInsEndedAt = 0, signInsEndedUntil = 0, remainingSignIn } = mark
    const isRemaining = signInId !== '' && signInId === remainingSignIn
    if (signInsEndedUntil >= now && signedInAt <= signInsEndedAt && !isRemaining)
      throw new SessionEnded('another sign-in has ended this one')
  },
})

/** Whether the account was disabled or erased after a token was issued, though it may be enabled again by now. */
export async function wasDisabled(
  table: Table,
  { sub, issuedAt }: Pick<User, 'sub' | 'issuedAt'>,
): Promise<boolean> {
  const { disabledAt } = (await loadMark(table, sub)) ?? {}
  return disabledAt !== undefined && issuedAt <= disabledAt
}

/** Whether the user has signed out everywhere, or was signed out, at a time or since. @param sinceMs of an approval */
export const hasSignedOutSince = (mark: RevocationMark | undefined, sinceMs: number): boolean =>
  mark?.signedOutAt !== undefined && mark.signedOutAt >= Math.floor(sinceMs / 1000)

/**
 * How long to wait after a revocation, so that the next token is later than it: token times have a resolution of one second.
 * @param nowMs the time of the revocation
 */
export const getMsToNextSecond = (nowMs: number): number => 1_000 - (nowMs % 1_000)

/** Lifetime of a refresh token: until then an ended sign-in can still get tokens. */
const refreshSeconds = 30 * 86_400
/** Several functions may change the mark of the same user at the same time. */
const maxAttempts = 10

/**
 * Writes the marks that `tokenRevocation` checks, and ends what browsers are told and what was added of late: sign-outs, disabling and erasures
 * all pass here.
 */
export const tokenRevoker = (table: Table) => {
  /** @returns false when the mark was changed concurrently */
  async function replace(
    sub: string,
    current: RevocationMark | undefined,
    mark: RevocationMark,
  ): Promise<boolean> {
    const unchanged = current?.rev === undefined ? 'attribute_not_exists(#rev)' : '#rev = :seen'
    return putIf(
      table,
      { ...markKey(sub), ...mark, rev: (current?.rev ?? 0) + 1 },
      {
        ConditionExpression: unchanged,
        ExpressionAttributeNames: { '#rev': 'rev' },
        ...(current?.rev !== undefined && { ExpressionAttributeValues: { ':seen': current.rev } }),
      },
    )
  }

  async function changeMark(
    sub: string,
    change: (current: RevocationMark | undefined) => RevocationMark,
  ): Promise<void> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const current = await loadMark(table, sub)
      if (await replace(sub, current, change(current))) return
    }
    throw new Error('too many concurrent changes of the mark')
  }

  return {
    /** Revokes all tokens issued until now. */
    async revoke(sub: string, reason: RevocationReason, nowMs: number): Promise<void> {
      await changeMark(sub, (current) => withTokensRevoked(current, reason, Math.floor(nowMs / 1000)))
      // whose groups change stays signed in
      if (reason === 'groups-changed') return
      await removePushSubscriptions(table, sub)
      // an erasure deletes them, and those of a disabled account rest until it is enabled
      if (reason === 'signed-out') await endAdditions(table, sub, nowMs)
    },

    /** Ends all sign-ins until now except one, including the tokens that Cognito still issues for them. */
    async endOtherSignIns(sub: string, remainingSignIn: string, nowMs: number): Promise<void> {
      await changeMark(sub, (current) => withSignInsEnded(current, remainingSignIn, Math.floor(nowMs / 1000)))
      await removePushSubscriptions(table, sub)
    },

    /** Whether an erasure of this user started recently. */
    async isErasing(sub: string, nowMs: number): Promise<boolean> {
      const mark = await loadMark(table, sub)
      return mark?.reason === 'erased' && countsForTokens(mark, nowMs / 1000)
    },
  }
}

export type TokenRevoker = ReturnType<typeof tokenRevoker>

/** A running erasure stays one, and a mark never moves back in time. */
function withTokensRevoked(
  current: RevocationMark | undefined,
  reason: RevocationReason,
  at: number,
): RevocationMark {
  const isErasing = reason === 'erased' || (current?.reason === 'erased' && countsForTokens(current, at))
  const isSignOut = reason !== 'groups-changed'
  return {
    ...current,
    // earlier releases know no other reasons
    reason: isErasing ? 'erased' : 'signed-out',
    ...((reason === 'disabled' || reason === 'erased') && { disabledAt: at }),
    ...(isSignOut && { signedOutAt: Math.max(at, current?.signedOutAt ?? 0) }),
    at: Math.max(at, current?.at ?? 0),
    // nothing of an erased account stays for longer than its tokens
    ttl: isErasing
      ? Math.max(at + revokedSeconds, current?.signInsEndedUntil ?? 0)
      : Math.max(at + (isSignOut ? signedOutSeconds : revokedSeconds), current?.ttl ?? 0),
  }
}

/** The later of two marks counts: it ended the sign-in that the earlier one spared. */
function withSignInsEnded(
  current: RevocationMark | undefined,
  remainingSignIn: string,
  at: number,
): RevocationMark {
  const until = at + refreshSeconds
  if (current?.signInsEndedAt !== undefined && current.signInsEndedAt > at) return current
  return {
    ...current,
    signInsEndedAt: at,
    signInsEndedUntil: until,
    remainingSignIn,
    ttl: Math.max(until, current?.ttl ?? 0),
  }
}
