import { GetCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import type { Table } from '../platform/dynamodb/table.ts'
import { updateIf } from '../platform/dynamodb/update-row.ts'
import { TwoFactorLocked } from './errors.ts'

/** DESIGN: ten tries, then locked until fifteen minutes have passed without another; fifty a day whatever happens. */
const mostTries = 10
const lockSeconds = 15 * 60
const mostTriesADay = 50
const daySeconds = 86_400

/** Whose tries are counted: a signed-in user's, or those at an e-mail address, known or not. */
export type Guessed = { sub: string } | { mailName: string }

const row = z.object({
  tries: z.number(),
  endsAt: z.number(),
  dayTries: z.number(),
  dayEndsAt: z.number(),
})
type Row = z.output<typeof row>

const keyOf = (guessed: Guessed) =>
  'sub' in guessed
    ? { PK: `U#${guessed.sub}`, SK: 'MFA#TRIES' }
    : { PK: `E#${guessed.mailName}`, SK: 'TRIES' }

/** Counts tries before they are looked at, so that a hundred at once are no more than ten. */
export const triesRepository = (table: Table) => {
  const { client, name: TableName } = table
  async function read(guessed: Guessed): Promise<Row | undefined> {
    const { Item } = await client.send(
      new GetCommand({ TableName, Key: keyOf(guessed), ConsistentRead: true }),
    )
    return Item && row.parse(Item)
  }

  const update = (guessed: Guessed, change: Condition) => updateIf(table, keyOf(guessed), change)

  return {
    /** @throws TwoFactorLocked when there were too many, with the time until the next one counts */
    async count(guessed: Guessed, nowMs: number): Promise<void> {
      const now = Math.floor(nowMs / 1000)
      // each round either counts, or somebody else's try did, of which there are ten at most
      for (let round = 0; round <= mostTries; round += 1) {
        if (await update(guessed, oneMore(now))) return
        const seen = await read(guessed)
        const sameDay = seen && seen.dayEndsAt > now
        if (sameDay && seen.dayTries >= mostTriesADay)
          throw new TwoFactorLocked('the tries of this day are used up', seen.dayEndsAt - now)
        if (seen && seen.endsAt > now && seen.tries >= mostTries)
          throw new TwoFactorLocked('too many tries', seen.endsAt - now)
        if (seen && seen.endsAt > now && sameDay) continue
        if (await update(guessed, firstOne(now, seen))) return
      }
      throw new TwoFactorLocked('too many tries at once', 1)
    },

    /** A right code takes the tries before it back, and does not count as one of the day's guesses. */
    async forgive(guessed: Guessed): Promise<void> {
      await update(guessed, {
        update: 'SET #tries = :none ADD #dayTries :less',
        condition: '#dayTries > :none',
        values: { ':none': 0, ':less': -1 },
      })
    },
  }
}

export type TriesRepository = ReturnType<typeof triesRepository>

interface Condition {
  update: string
  condition: string
  values: Record<string, number>
}

const oneMore = (now: number): Condition => ({
  update: 'ADD #tries :one, #dayTries :one SET #endsAt = :ends',
  condition: '#tries < :most AND #endsAt > :now AND #dayTries < :dayMost AND #dayEndsAt > :now',
  values: {
    ':one': 1,
    ':ends': now + lockSeconds,
    ':now': now,
    ':most': mostTries,
    ':dayMost': mostTriesADay,
  },
})

/** Opens a new window, and a new day where the last one is over. */
function firstOne(now: number, seen: Row | undefined): Condition {
  const sameDay = seen && seen.dayEndsAt > now
  const dayEnds = sameDay ? seen.dayEndsAt : now + daySeconds
  return {
    update: 'SET #tries = :one, #endsAt = :ends, #dayTries = :day, #dayEndsAt = :dayEnds, #ttl = :ttl',
    condition: seen
      ? '#endsAt = :seenEnds AND #tries = :seenTries AND #dayTries = :seenDay'
      : 'attribute_not_exists(#tries)',
    values: {
      ':one': 1,
      ':ends': now + lockSeconds,
      ':day': sameDay ? seen.dayTries + 1 : 1,
      ':dayEnds': dayEnds,
      ':ttl': dayEnds + lockSeconds,
      ...(seen && { ':seenEnds': seen.endsAt, ':seenTries': seen.tries, ':seenDay': seen.dayTries }),
    },
  }
}
