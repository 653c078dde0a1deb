import { callsPerMinute } from '../limits.ts'
import type { LimitClass } from '#shared/routes.ts'
import { TooManyCalls, type AppError } from '../errors.ts'
import type { Table } from '../dynamodb/table.ts'
import { updateIf } from '../dynamodb/update-row.ts'
import { dailyUsageKey, unusedDays } from '../dynamodb/usage-counters.ts'

const daySeconds = 86_400

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

/** What a user may do so often in a day (UTC). */
export const dailyBudget = (
  name: string,
  max: number,
  LimitError: new (detail: string, retryAfterSeconds: number) => AppError,
): Budget => ({
  name,
  max,
  windowSeconds: daySeconds,
  limitError: (retryAfterSeconds) => new LimitError(`${name} of the day used up`, retryAfterSeconds),
})

/** A chat call, to be counted in the row of its user's day: whoever admits a reply writes there anyway. */
export interface ChatCall {
  /** the row's attribute for this minute; the end of a reply removes those of earlier minutes */
  readonly attribute: string
  readonly maxCalls: number
  /** Counts the call by a write of its own. @throws TooManyCalls */
  readonly count: () => Promise<void>
  /** Remembers that the row has `maxCalls`, so that further calls cost nothing. @returns the error for this call */
  readonly markUsedUp: () => AppError
}

/** Whether an attribute of the row of a user's day counts the calls of an earlier minute than `current`. */
export const isEarlierMinute = (attribute: string, current: string): boolean =>
  attribute !== current && /^m\d+$/.test(attribute)

/** Used-up budgets that a function caches. Beyond this it clears the cache. */
const maxRemembered = 10_000

/**
 * Counts calls per user, budget and window: one write per call, one row per window, deleted by its TTL. Chat calls are counted in the row
 * of the user's day.
 */
export const rateLimit = (table: Table, factor: number) => {
  const scaleLimit = (max: number) => Math.max(1, Math.floor(max * factor))
  /** A rejected write costs as much as any other, so further calls are rejected from memory until the window ends. */
  const usedUpUntil = new Map<string, number>()

  const toId = (sub: string, name: string, most: number) => JSON.stringify([sub, name, most])

  /** The window of a budget that contains now. @throws TooManyCalls when this process knows that the budget is used up */
  function openWindow(sub: string, { name, max, isExact = false, windowSeconds, limitError }: Budget) {
    const nowSeconds = Math.floor(Date.now() / 1000)
    const startSeconds = nowSeconds - (nowSeconds % windowSeconds)
    const retryAfterSeconds = startSeconds + windowSeconds - nowSeconds
    const maxCalls = isExact ? max : scaleLimit(max)
    // a raised limit takes effect at once
    const id = toId(sub, name, maxCalls)
    const createLimitError = () =>
      limitError?.(retryAfterSeconds) ?? new TooManyCalls(`${name} budget used up`, retryAfterSeconds)
    if (maxCalls <= 0 || (usedUpUntil.get(id) ?? 0) > nowSeconds) throw createLimitError()
    const markUsedUp = () => {
      if (usedUpUntil.size >= maxRemembered) usedUpUntil.clear()
      usedUpUntil.set(id, startSeconds + windowSeconds)
      return createLimitError()
    }
    return { startSeconds, maxCalls, markUsedUp }
  }

  /** Adds calls to an attribute of a row. @throws TooManyCalls when it has as many as the window allows */
  async function addCall(
    key: { PK: string; SK: string },
    attribute: string,
    {
      ttl,
      maxCalls,
      markUsedUp,
      amount = 1,
    }: Pick<ReturnType<typeof openWindow>, 'maxCalls' | 'markUsedUp'> & { ttl: number; amount?: number },
  ): Promise<void> {
    const isCounted = await updateIf(table, key, {
      update: 'ADD #calls :amount SET #ttl = if_not_exists(#ttl, :ttl)',
      condition: 'attribute_not_exists(#calls) OR #calls < :most',
      names: { '#calls': attribute },
      values: { ':amount': amount, ':ttl': ttl, ':most': maxCalls },
    })
    if (!isCounted) throw markUsedUp()
  }

  /**
   * Counts one call against a budget.
   * @param amount of a budget of something else, such as seconds; the last one may exceed it
   * @throws TooManyCalls, with the seconds until the next window, when the budget is used up
   */
  async function countIn(sub: string, budget: Budget, amount = 1): Promise<void> {
    const window = openWindow(sub, budget)
    const { startSeconds } = window
    const key = { PK: `RATE#${sub}`, SK: `${budget.name}#${startSeconds}` }
    await addCall(key, 'calls', { ...window, amount, ttl: startSeconds + 2 * budget.windowSeconds })
  }

  const toBudget = (limit: Exclude<LimitClass, 'none'>): Budget => ({
    name: limit,
    max: callsPerMinute[limit],
    windowSeconds: 60,
  })

  function openChatCall(sub: string): ChatCall {
    const window = openWindow(sub, toBudget('chat'))
    const attribute = `m${window.startSeconds / 60}`
    const day = Math.floor(window.startSeconds / daySeconds)
    const ttl = (day + unusedDays) * daySeconds
    return {
      ...window,
      attribute,
      count: () => addCall(dailyUsageKey(sub, day), attribute, { ...window, ttl }),
    }
  }

  return {
    /**
     * Rejects a call from memory, without counting it.
     * @throws TooManyCalls when this process knows that the budget of this minute is used up
     */
    rejectIfUsedUp(sub: string, limit: LimitClass): void {
      if (limit !== 'none') openWindow(sub, toBudget(limit))
    },

    /** A limit times the factor. */
    scaleLimit,
    countIn,
    /**
     * Counts one call of a route against its class's budget of this minute.
     * @param admit counts a chat call in a write that it makes anyway
     * @throws TooManyCalls
     */
    async count(
      sub: string,
      limit: LimitClass,
      admit = ({ count }: ChatCall): Promise<void> => count(),
    ): Promise<void> {
      if (limit === 'chat') await admit(openChatCall(sub))
      else if (limit !== 'none') await countIn(sub, toBudget(limit))
    },
  }
}
