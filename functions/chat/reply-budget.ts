import type { ListedModel } from '#shared/models.ts'
import { TooManyCalls } from '../platform/errors.ts'
import type { Logger } from '../platform/telemetry/logger.ts'
import { measure } from '../platform/telemetry/metrics.ts'
import { listExpiredSlots, createSlotId } from '../platform/dynamodb/open-slots.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { isEarlierMinute, type ChatCall } from '../platform/http/rate-limit.ts'
import {
  dailyUsageDays,
  dailyUsageKey,
  toCounters,
  unusedDays,
  usageCounterNames,
  type ModelUsage,
} from '../platform/dynamodb/usage-counters.ts'
import { allOrNothing, budgetRows, siteTokensKey, type RowKey } from './budget-rows.ts'
import { costBudget } from './cost-budget.ts'
import { ImagesUsedUp, SiteBudgetUsedUp, TooManyReplies, type BudgetUsedUp } from './errors.ts'
import { findDayLimits, sumEarlierDays, type UserBudgetLimits } from './user-budget.ts'

const daySeconds = 86_400
/** Estimated output tokens of one request. */
const typicalOutputTokens = 2_000
/**
 * Reserved when a reply is admitted, before its prompt is known: instructions, some tools, and a conversation in Latin letters that fills
 * the prompt of a model whose window is unknown. Only a longer prompt needs another write.
 */
const typicalPromptTokens = 20_000
/** Counts of earlier minutes that the end of one reply removes: an expression has 4 KB, and a day has 1,440 minutes. */
const maxStaleCalls = 100
/** Site tokens that an image costs, by the prices of image models. */
const imageTokens = 20_000

export interface BudgetLimits extends UserBudgetLimits {
  /** per user */
  readonly repliesAtOnce: number
  /** for the whole deployment; undefined: as many as all users' budgets */
  readonly siteTokensPerDay: number | undefined
}

/** What everybody together may spend in a day. Undefined: no limit. */
export interface SiteBudgetLimits {
  readonly siteTokensPerDay?: number | undefined
  /** billionths of a dollar */
  readonly siteNanoUsdPerDay?: number | undefined
}

/** What a reply may spend. Every model request is reserved before it is sent. */
export interface Spending {
  /**
   * Reserves what one request to the model may come to.
   * @param price of the model
   * @param webSearches how often its server may search the web for this request
   * @throws RepliesStopped; UserBudgetUsedUp, SiteBudgetUsedUp when the budget was used up before it, this reply's own requests included
   */
  reserve(promptTokens: number, price?: ListedModel['price'], webSearches?: number): Promise<void>
  /** Counts what a request came to. Until then, and when the function dies, the reservation counts. */
  spend(usage: ModelUsage): void
  /** Counts an image before it is generated. @throws ImagesUsedUp, SiteBudgetUsedUp */
  reserveImage(): Promise<void>
  /** Refunds an image that the model refused to generate. */
  refundImage(): Promise<void>
}

/** A reply's concurrency slot, and its share of the daily budgets. */
export interface Reservation extends Spending {
  /**
   * Admits the reply, which counts from now on; repeated calls have no further effect.
   * @param call is counted by the same write, and also when the reply is refused
   * @throws RepliesStopped, TooManyCalls, TooManyReplies, UserBudgetUsedUp, SiteBudgetUsedUp
   */
  admit: (call?: ChatCall) => Promise<void>
  /** What is spent is counted as a schedule's, too: a run of one goes on after its user has answered. */
  countAsScheduled: () => void
  /**
   * Waits for the reply to end, then replaces the reservation by the actual usage, and releases the slot.
   * @param afterwards what the function does when the reply is over; it may reserve and spend more, without a slot
   */
  settleAfter: <Result>(
    ended: Promise<Result>,
    afterwards?: (result: Result) => Promise<unknown>,
  ) => Promise<Result>
  /** Releases everything if no reply started. */
  release: () => Promise<void>
}

/** One row that counts a day's tokens, and this reply's part of it. */
interface Counter {
  readonly key: RowKey
  limit: number
  toUsedUpError: () => BudgetUsedUp
  /** by others, and by this user's other replies, as of the last write */
  otherTokens: number
}

/**
 * Limits per user beside calls a minute, and for the whole deployment: replies written at once, tokens and images a day (UTC).
 * A reply reserves an estimate when it begins and settles when it ends, each with one write for its user and one for the
 * deployment. A request may begin while anything is left, so a day's budget is exceeded by one reservation at most (ADR 0027).
 */
export const replyBudget = (
  table: Table,
  limits: BudgetLimits,
  /** @throws RepliesStopped; called before each request to a model, so that replies that are being written end, too */
  requireReplies: () => Promise<void> = async () => undefined,
) => {
  const rows = budgetRows(table)

  return {
    /**
     * The reservation for a reply that an invocation may begin.
     * @param forMs after which the invocation has ended, whatever happens
     * @param messageTokens estimated tokens of the request's messages
     * @param continues whether the reply was already counted, when it began
     * @param isScheduled whether a schedule has begun it: what it uses is counted apart, too
     * @param userLimits what this user may spend; by default what the deployment allows everybody
     * @param siteLimits what everybody may spend; by default what the deployment allows
     */
    openReservation(
      sub: string,
      {
        forMs,
        messageTokens,
        continues = false,
        isScheduled = false,
        userLimits = limits,
        siteLimits: { siteTokensPerDay, siteNanoUsdPerDay } = limits,
      }: {
        forMs: number
        messageTokens: number
        continues?: boolean
        isScheduled?: boolean
        userLimits?: UserBudgetLimits
        siteLimits?: SiteBudgetLimits
      },
      log: Logger,
    ) {
      const nowSeconds = Math.floor(Date.now() / 1_000)
      const day = Math.floor(nowSeconds / daySeconds)
      const slot = createSlotId(nowSeconds + Math.ceil(forMs / 1_000))
      // what earlier days leave of the month is known when they are read
      const user: Counter = {
        key: dailyUsageKey(sub, day),
        ...findDayLimits(userLimits, day).tokens,
        otherTokens: 0,
      }
      const costs = costBudget(table, user.key)
      const toSiteError = () =>
        new SiteBudgetUsedUp("everybody's budget of the day is used up", getSecondsToMidnight())
      const site: Counter | undefined =
        siteTokensPerDay === undefined && siteNanoUsdPerDay === undefined
          ? undefined
          : {
              key: siteTokensKey(day),
              limit: siteTokensPerDay ?? Number.MAX_SAFE_INTEGER,
              toUsedUpError: toSiteError,
              otherTokens: 0,
            }
      const siteCosts = costBudget(table, siteTokensKey(day))
      const measureSite = (tokens: number) => {
        if (siteTokensPerDay !== undefined)
          measure({ SiteBudgetUsed: Math.round((100 * tokens) / siteTokensPerDay) })
      }
      const budgets = site ? [user, site] : [user]
      const getSecondsToMidnight = () => Math.max(1, (day + 1) * daySeconds - Math.floor(Date.now() / 1_000))
      const initialTokens = typicalPromptTokens + typicalOutputTokens + messageTokens
      /** in each counter; `settle` replaces it by what was spent */
      let reserved = initialTokens
      let spent = 0
      /** counters of the stored usage */
      const used = toCounters({ inputTokens: 0, outputTokens: 0 })

      /** counts of calls in earlier minutes, which the end of the reply removes from the row */
      let staleCalls: string[] = []

      async function admitUser(call: ChatCall | undefined): Promise<void> {
        await requireReplies()
        const earlier = await sumEarlierDays(table, sub, { day, limits: userLimits })
        const { tokens, nanoUsd } = findDayLimits(userLimits, day, earlier)
        Object.assign(user, tokens)
        // the condition of the write is true for a row that does not exist yet
        const exhausted = [tokens, nanoUsd].find((one) => one && one.limit <= 0)
        if (exhausted) throw exhausted.toUsedUpError()
        const addUser = () =>
          rows.admitToUserRow(user.key, {
            slot,
            tokens: initialTokens,
            expiresAtSeconds: (day + unusedDays) * daySeconds,
            maxReplies: limits.repliesAtOnce,
            maxTokens: user.limit,
            maxNanoUsd: nanoUsd?.limit,
            call,
          })
        let { admitted, row } = await addUser()
        if (!admitted) {
          if (call && Number(row?.[call.attribute] ?? 0) >= call.maxCalls) throw call.markUsedUp()
          if (Number(row?.['tokens'] ?? 0) >= user.limit) throw user.toUsedUpError()
          if (nanoUsd && Number(row?.['nano_usd'] ?? 0) >= nanoUsd.limit) throw nanoUsd.toUsedUpError()
          // functions that were killed left their slots; what they reserved counts as spent
          const expired = listExpiredSlots(row?.['open'], nowSeconds)
          if (expired.length > 0) await rows.releaseSlots(user.key, expired)
          ;({ admitted } = await addUser())
          if (!admitted) throw new TooManyReplies('no reply slot is free')
        }
        if (call)
          staleCalls = Object.keys(admitted)
            .filter((name) => isEarlierMinute(name, call.attribute))
            .slice(0, maxStaleCalls)
        user.otherTokens = Number(admitted['tokens'] ?? 0) - initialTokens
        costs.open(nanoUsd, admitted)
      }

      async function admitAtSite(): Promise<void> {
        if (!site) return
        const row = await rows.reserveTokens(site.key, {
          tokens: initialTokens,
          expiresAtSeconds: (day + unusedDays) * daySeconds,
          maxTokens: site.limit,
        })
        if (!row) {
          measureSite(site.limit)
          throw site.toUsedUpError()
        }
        if (Number(row['nano_usd'] ?? 0) >= (siteNanoUsdPerDay ?? Number.POSITIVE_INFINITY)) {
          await rows.adjustTokens(site.key, -initialTokens)
          throw site.toUsedUpError()
        }
        site.otherTokens = Number(row['tokens'] ?? 0) - initialTokens
        siteCosts.open(
          siteNanoUsdPerDay === undefined
            ? undefined
            : { limit: siteNanoUsdPerDay, toUsedUpError: toSiteError },
          row,
        )
      }

      /** A refused reply has written nothing, so its call is counted alone. */
      const admitUserOrCount = (call: ChatCall | undefined) =>
        admitUser(call).catch(async (error: unknown) => {
          if (!(error instanceof TooManyCalls)) await call?.count()
          throw error
        })

      let admission: Promise<void> | undefined
      const admit = (call?: ChatCall) =>
        (admission ??= allOrNothing(
          [admitUserOrCount(call), admitAtSite()],
          [
            () => rows.endReservation(user.key, slot, { tokens: -initialTokens }),
            () => (site ? rows.adjustTokens(site.key, -initialTokens) : Promise.resolve()),
          ],
        ))

      /** Reserves more in one counter. Others and what this reply has actually spent must leave something of the limit. */
      async function reserveMoreAt(counter: Counter, more: number): Promise<void> {
        const tokens = await rows.addTokens(counter.key, more, counter.limit + reserved - spent)
        if (tokens === undefined) throw counter.toUsedUpError()
        counter.otherTokens = tokens - reserved - more
      }

      async function reserveMore(more: number): Promise<void> {
        await allOrNothing(
          budgets.map((counter) => reserveMoreAt(counter, more)),
          budgets.map((counter) => () => rows.adjustTokens(counter.key, -more)),
        )
        reserved += more
      }

      /** Images have a budget of their own; for everybody together they count as the tokens they cost. */
      async function countImage(): Promise<void> {
        const { imagesPerDay } = userLimits
        const counted = imagesPerDay > 0 && (await rows.addImage(user.key, imagesPerDay))
        if (!counted)
          throw new ImagesUsedUp("the user's images of the day are used up", getSecondsToMidnight())
      }

      const refundImageCount = () => rows.refundImage(user.key)

      // calls of a round run side by side, and each must see what the others have reserved
      let queue: Promise<unknown> = Promise.resolve()
      const enqueue = <Result>(work: () => Promise<Result>): Promise<Result> => {
        const result = queue.then(work, work)
        queue = result.catch(() => undefined)
        return result
      }

      let isOfSchedule = isScheduled
      /** What a reply spends after its first settlement counts beside it, and is none of its replies. */
      let isSettled = false
      async function settle(): Promise<void> {
        const isAdmitted = await admission?.then(
          () => true,
          () => false,
        )
        if (!isAdmitted) return
        await queue
        if (isSettled && reserved === 0 && spent === 0) return
        const tokens = spent - reserved
        const counters = {
          ...used,
          tokens,
          costs: costs.getDifference(),
          ...(isOfSchedule && { scheduled_tokens: spent, scheduled_nano_usd: used.nano_usd }),
        }
        const expiry = spent > 0 && { expiresAtSeconds: (day + dailyUsageDays) * daySeconds }
        // what cannot be refunded stays counted; the slot expires
        await Promise.all([
          isSettled
            ? rows.addUsage(user.key, counters, expiry || {})
            : rows.endReservation(
                user.key,
                slot,
                {
                  ...counters,
                  replies: spent > 0 && !continues ? 1 : 0,
                  ...(isOfSchedule && spent > 0 && !continues && { scheduled_replies: 1 }),
                },
                { stale: staleCalls, ...expiry },
              ),
          site &&
            rows
              .adjustTokens(site.key, tokens, { costs: siteCosts.getDifference(), nano_usd: used.nano_usd })
              .then((siteTokens) => measureSite(siteTokens ?? 0)),
        ]).catch((error: unknown) => log.warn('failed to settle a reservation', { error }))
        isSettled = true
        for (const counter of budgets) counter.otherTokens += spent
        reserved = spent = 0
        for (const name of usageCounterNames) used[name] = 0
        costs.close()
        siteCosts.close()
      }

      let isUsed = false
      return {
        admit,
        countAsScheduled() {
          isOfSchedule = true
        },
        async settleAfter<Result>(ended: Promise<Result>, afterwards?: (result: Result) => Promise<unknown>) {
          isUsed = true
          try {
            const result = await ended
            if (!afterwards) return result
            await settle()
            await afterwards(result)
            return result
          } finally {
            await settle()
          }
        },
        async release() {
          if (!isUsed) await settle()
        },
        reserve: (promptTokens: number, price?: ListedModel['price'], webSearches = 0) =>
          enqueue(async () => {
            await admit()
            await requireReplies()
            const exceeded = budgets.find(({ otherTokens, limit }) => otherTokens + spent >= limit)
            if (exceeded) throw exceeded.toUsedUpError()
            const estimate = { inputTokens: promptTokens, outputTokens: typicalOutputTokens, webSearches }
            await costs.reserve(estimate, price)
            // what is reserved for the user beside it is settled with the reply
            await siteCosts.reserve(estimate, price)
            const more = spent + promptTokens + typicalOutputTokens - reserved
            if (more > 0) await reserveMore(more)
          }),
        spend(usage) {
          spent += usage.inputTokens + usage.outputTokens
          const counts = toCounters(usage)
          for (const name of usageCounterNames) used[name] += counts[name]
          costs.spend(counts.nano_usd)
          siteCosts.spend(counts.nano_usd)
        },
        reserveImage: () =>
          enqueue(async () => {
            await admit()
            await requireReplies()
            await allOrNothing(
              [countImage(), ...(site ? [reserveMoreAt(site, imageTokens)] : [])],
              [
                refundImageCount,
                () => (site ? rows.adjustTokens(site.key, -imageTokens) : Promise.resolve()),
              ],
            )
            // images are not part of what `settle` refunds
            if (site) site.otherTokens += imageTokens
          }),
        refundImage: () =>
          enqueue(async () => {
            if (site) site.otherTokens -= imageTokens
            await Promise.all([refundImageCount(), site && rows.adjustTokens(site.key, -imageTokens)])
          }).catch((error: unknown) => log.warn('failed to refund an image', { error })),
      } satisfies Reservation
    },
  }
}
