import { callsPerMinute } from '#shared/limits.ts'
import type { LimitClass } from '#shared/routes.ts'
import { TooManyCalls, type AppError } from '../errors.ts'
import type { Table } from '../dynamodb/table.ts'
import { updateIf } from '../dynamodb/update-row.ts'

export interface Budget {
  /** part of the item's key */
  name: string
  /** calls per window, before the factor */
  max: number
  windowSeconds: number
  /** what is thrown when it is used up, in place of TooManyCalls */
  limitError?: (retryAfterSeconds: number) => AppError
}

/** Used-up budgets that a function remembers. Beyond it forgets all of them, and asks the table again. */
const maxRemembered = 10_000

/** Counts calls per user, budget and window: one write a call, an item a window, removed by its TTL. */
export const rateLimit = (table: Table, factor: number) => {
  const scaled = (max: number) => Math.max(1, Math.floor(max * factor))
  /** A refused write costs as much as any other, so a flood is refused from here until its window ends. */
  const usedUpUntil = new Map<string, number>()

  const toId = (sub: string, name: string) => JSON.stringify([sub, name])

  /**
   * Counts one call against a budget.
   * @throws TooManyCalls when the budget of this window is used up, with the seconds until the next one
   */
  async function countIn(
    sub: string,
    { name, max: max, windowSeconds, limitError: limitError }: Budget,
  ): Promise<void> {
    const nowSeconds = Math.floor(Date.now() / 1000)
    const windowStart = nowSeconds - (nowSeconds % windowSeconds)
    const retryAfterSeconds = windowStart + windowSeconds - nowSeconds
    const id = toId(sub, name)
    const refusal = () =>
      limitError?.(retryAfterSeconds) ?? new TooManyCalls(`${name} budget used up`, retryAfterSeconds)
    if ((usedUpUntil.get(id) ?? 0) > nowSeconds) throw refusal()
    const isCounted = await updateIf(
      table,
      { PK: `RATE#${sub}`, SK: `${name}#${windowStart}` },
      {
        update: 'ADD #calls :one SET #ttl = :ttl',
        condition: 'attribute_not_exists(#calls) OR #calls < :most',
        values: { ':one': 1, ':ttl': windowStart + 2 * windowSeconds, ':most': scaled(max) },
      },
    )
    if (isCounted) return
    if (usedUpUntil.size >= maxRemembered) usedUpUntil.clear()
    usedUpUntil.set(id, windowStart + windowSeconds)
    throw refusal()
  }

  return {
    /**
     * Refuses a call from memory: nothing is counted, and no table is asked.
     * @throws TooManyCalls when this process knows that the class's budget of this minute is used up
     */
    rejectIfUsedUp(sub: string, limit: LimitClass): void {
      const nowSeconds = Math.floor(Date.now() / 1000)
      const untilSeconds = usedUpUntil.get(toId(sub, limit)) ?? 0
      if (untilSeconds > nowSeconds)
        throw new TooManyCalls(`${limit} budget used up`, untilSeconds - nowSeconds)
    },

    /** A limit of a user as the factor makes it. */
    scaled,
    countIn,
    /** Counts one call of a route against its class's budget of this minute. @throws TooManyCalls */
    async count(sub: string, limit: LimitClass): Promise<void> {
      if (limit !== 'none') await countIn(sub, { name: limit, max: callsPerMinute[limit], windowSeconds: 60 })
    },
  }
}
