import * as z from 'zod'
import { readRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { updateIf } from '../platform/dynamodb/update-row.ts'
import { TwoFactorLocked } from './errors.ts'

/** Ten attempts, then locked for fifteen minutes since the last one; at most fifty a day. */
const maxAttempts = 10
const lockSeconds = 15 * 60
const maxAttemptsPerDay = 50
const daySeconds = 86_400

/** Attempts are counted per signed-in user, or per e-mail address (by its keyed hash), known or not. */
export type AttemptKey = { sub: string } | { mailName: string }

const row = z.object({
  tries: z.number(),
  endsAt: z.number(),
  dayTries: z.number(),
  dayEndsAt: z.number(),
})
type Row = z.output<typeof row>

const toRowKey = (attemptKey: AttemptKey) =>
  'sub' in attemptKey
    ? { PK: `U#${attemptKey.sub}`, SK: 'MFA#TRIES' }
    : { PK: `E#${attemptKey.mailName}`, SK: 'TRIES' }

/** Counts attempts before codes are checked, so that a hundred parallel requests get only ten. */
export const attemptsRepository = (table: Table) => {
  async function read(attemptKey: AttemptKey): Promise<Row | undefined> {
    const item = await readRow(table, toRowKey(attemptKey))
    return item && row.parse(item)
  }

  const update = (attemptKey: AttemptKey, change: ConditionalUpdate) =>
    updateIf(table, toRowKey(attemptKey), change)

  return {
    /** @throws TwoFactorLocked after too many attempts, with the time until the next one is accepted */
    async count(attemptKey: AttemptKey, nowMs: number): Promise<void> {
      const now = Math.floor(nowMs / 1000)
      // each write counts this attempt, or loses to one of at most ten concurrent ones
      for (let writes = 0; writes <= maxAttempts; writes += 1) {
        if (await update(attemptKey, buildIncrement(now))) return
        const current = await read(attemptKey)
        const sameDay = current && current.dayEndsAt > now
        if (sameDay && current.dayTries >= maxAttemptsPerDay)
          throw new TwoFactorLocked('the attempts of this day are used up', current.dayEndsAt - now)
        if (current && current.endsAt > now && current.tries >= maxAttempts)
          throw new TwoFactorLocked('too many attempts', current.endsAt - now)
        if (current && current.endsAt > now && sameDay) continue
        if (await update(attemptKey, buildNewWindow(now, current))) return
      }
      throw new TwoFactorLocked('too many attempts at once', 1)
    },

    /** Resets the counter after a valid code, which does not count towards the daily limit either. */
    async reset(attemptKey: AttemptKey): Promise<void> {
      await update(attemptKey, {
        update: 'SET #tries = :none ADD #dayTries :less',
        condition: '#dayTries > :none',
        values: { ':none': 0, ':less': -1 },
      })
    },
  }
}

export type AttemptsRepository = ReturnType<typeof attemptsRepository>

interface ConditionalUpdate {
  update: string
  condition: string
  values: Record<string, number>
}

const buildIncrement = (now: number): ConditionalUpdate => ({
  update: 'ADD #tries :one, #dayTries :one SET #endsAt = :ends',
  condition: '#tries < :most AND #endsAt > :now AND #dayTries < :dayMost AND #dayEndsAt > :now',
  values: {
    ':one': 1,
    ':ends': now + lockSeconds,
    ':now': now,
    ':most': maxAttempts,
    ':dayMost': maxAttemptsPerDay,
  },
})

/** Opens a new window, and a new day if the last one is over. */
function buildNewWindow(now: number, current: Row | undefined): ConditionalUpdate {
  const sameDay = current && current.dayEndsAt > now
  const dayEnds = sameDay ? current.dayEndsAt : now + daySeconds
  return {
    update: 'SET #tries = :one, #endsAt = :ends, #dayTries = :day, #dayEndsAt = :dayEnds, #ttl = :ttl',
    condition: current
      ? '#endsAt = :seenEnds AND #tries = :seenTries AND #dayTries = :seenDay'
      : 'attribute_not_exists(#tries)',
    values: {
      ':one': 1,
      ':ends': now + lockSeconds,
      ':day': sameDay ? current.dayTries + 1 : 1,
      ':dayEnds': dayEnds,
      ':ttl': dayEnds + lockSeconds,
      ...(current && {
        ':seenEnds': current.endsAt,
        ':seenTries': current.tries,
        ':seenDay': current.dayTries,
      }),
    },
  }
}
