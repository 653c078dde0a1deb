import { callsPerMinute } from '../limits.ts'
import type { LimitClass } from '#shared/routes.ts'
import { TooManyCalls, type AppError } from '../errors.ts'
import type { Table } from '../dynamodb/table.ts'
import { updateIf } from '../dynamodb/update-row.ts'

export interface Budget {
  /** part of the row's key */
  name: string
  /** calls per window, before the factor */
  max: number
  /** `max` is not multiplied by the factor, and 0 allows none */
  isExact?: boolean
  windowSeconds: number
  /** thrown instead of TooManyCalls */
  limitError?: (retryAfterSeconds: number) => AppError
}

/** Used-up budgets that a function caches. Beyond this it clears the cache. */
const maxRemembered = 10_000

/** Counts calls per user, budget and window: one write per call, one row per window, deleted by its TTL. */
export const rateLimit = (table: Table, factor: number) => {
  const scaleLimit = (max: number) => Math.max(1, Math.floor(max * factor))
  /** A rejected write costs as much as any other, so further calls are rejected from memory until the window ends. */
  const usedUpUntil = new Map<string, number>()

  const toId = (sub: string, name: string, most: number) => JSON.stringify([sub, name, most])

  /**
   * Counts one call against a budget.
   * @throws TooManyCalls, with the seconds until the next window, when the budget is used up
   */
  async function countIn(
    sub: string,
    { name, max, isExact = false, windowSeconds, limitError }: Budget,
  ): Promise<void> {
    const nowSeconds = Math.floor(Date.now() / 1000)
    const windowStart = nowSeconds - (nowSeconds % windowSeconds)
    const retryAfterSeconds = windowStart + windowSeconds - nowSeconds
    const maxCalls = isExact ? max : scaleLimit(max)
    // a raised limit takes effect at once
    const id = toId(sub, name, maxCalls)
    const createLimitError = () =>
      limitError?.(retryAfterSeconds) ?? new TooManyCalls(`${name} budget used up`, retryAfterSeconds)
    if (maxCalls <= 0 || (usedUpUntil.get(id) ?? 0) > nowSeconds) throw createLimitError()
    const isCounted = await updateIf(
      table,
      { PK: `RATE#${sub}`, SK: `${name}#${windowStart}` },
      {
        update: 'ADD #calls :one SET #ttl = :ttl',
        condition: 'attribute_not_exists(#calls) OR #calls < :most',
        values: { ':one': 1, ':ttl': windowStart + 2 * windowSeconds, ':most': maxCalls },
      },
    )
    if (isCounted) return
    if (usedUpUntil.size >= maxRemembered) usedUpUntil.clear()
    usedUpUntil.set(id, windowStart + windowSeconds)
    throw createLimitError()
  }

  return {
    /**
     * Rejects a call from memory, without counting it.
     * @throws TooManyCalls when this process knows that the budget of this minute is used up
     */
    rejectIfUsedUp(sub: string, limit: LimitClass): void {
      if (limit === 'none') return
      const nowSeconds = Math.floor(Date.now() / 1000)
      const untilSeconds = usedUpUntil.get(toId(sub, limit, scaleLimit(callsPerMinute[limit]))) ?? 0
      if (untilSeconds > nowSeconds)
        throw new TooManyCalls(`${limit} budget used up`, untilSeconds - nowSeconds)
    },

    /** A limit times the factor. */
    scaleLimit,
    countIn,
    /** Counts one call of a route against its class's budget of this minute. @throws TooManyCalls */
    async count(sub: string, limit: LimitClass): Promise<void> {
      if (limit !== 'none') await countIn(sub, { name: limit, max: callsPerMinute[limit], windowSeconds: 60 })
    },
  }
}
