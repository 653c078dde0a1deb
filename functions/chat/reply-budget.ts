import { GetCommand } from '@aws-sdk/lib-dynamodb'
import type { Logger } from '../platform/telemetry/logger.ts'
import { measure } from '../platform/telemetry/metrics.ts'
import { expiredSlots, newSlot } from '../platform/dynamodb/open-slots.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import {
  ImagesUsedUp,
  SiteTokensUsedUp,
  TokensUsedUp,
  TooManyReplies,
  type DailyBudgetUsedUp,
} from './errors.ts'
import { type Change, isConditionFailed, updateRow } from '../platform/dynamodb/update-row.ts'

const daySeconds = 86_400
/** What a model writes in one answer, as long as nobody knows. */
const answerTokens = 2_000
/**
 * Reserved when a reply is admitted, before its prompt is known: instructions, some tools, and a conversation as long as one may
 * be in Latin letters. Only a longer prompt needs another write.
 */
const usualPromptTokens = 20_000
/** What a picture counts for among everybody's tokens, by the prices of models that draw. */
const imageTokens = 20_000

export interface BudgetLimits {
  /** per user */
  readonly repliesAtOnce: number
  readonly tokensPerDay: number
  readonly imagesPerDay: number
  /** for everybody together; undefined: as many as all users' budgets */
  readonly siteTokensPerDay: number | undefined
}

/** What a reply may spend. Everything a model is asked for is reserved before. */
export interface Spending {
  /**
   * Reserves what one request to the model may come to.
   * @throws TokensUsedUp, SiteTokensUsedUp when the budget was used up before it, this reply's own requests included
   */
  reserve(promptTokens: number): Promise<void>
  /** Counts what a request came to. Until then, and when the function dies, the reservation counts. */
  spend(tokens: number): void
  /** Counts a picture before it is drawn. @throws ImagesUsedUp, SiteTokensUsedUp */
  reserveImage(): Promise<void>
  /** Takes a picture back that the model refused to draw. */
  refundImage(): Promise<void>
}

/** A reply's place among those written at once, and its share of the day's budgets. */
export interface Reservation extends Spending {
  /** Reserves for a reply; it counts from now on. Once more is the same. @throws TooManyReplies, TokensUsedUp, SiteTokensUsedUp */
  admit: () => Promise<void>
  /** Keeps the reservation until a reply has ended, and then counts what it has really used. */
  until: <Result>(ended: Promise<Result>) => Promise<Result>
  /** Gives everything back when no reply was begun. */
  leave: () => Promise<void>
}

/** One row that counts a day's tokens, and this reply's part of it. */
interface Account {
  readonly key: { PK: string; SK: string }
  readonly limit: number
  readonly usedUp: (retryAfterSeconds: number) => DailyBudgetUsedUp
  /** by others, and by this user's other replies, as of the last write */
  others: number
}

/**
 * Limits per user beside calls a minute, and for the whole deployment: replies written at once, tokens and pictures a day (UTC).
 * A reply reserves an estimate when it begins and settles when it ends, each with one write for its user and one for the
 * deployment. A request may begin while anything is left, so a day's budget is exceeded by one reservation at most (ADR 0027).
 */
export const replyBudget = (table: Table, limits: BudgetLimits) => {
  /** @returns the row's tokens after the change; undefined when the condition does not hold */
  async function change(key: Account['key'], given: Omit<Change, 'returns'>): Promise<number | undefined> {
    try {
      const { attributes } = await updateRow(table, key, { ...given, returns: 'UPDATED_NEW' })
      return Number(attributes?.['tokens'] ?? 0)
    } catch (error) {
      if (isConditionFailed(error)) return undefined
      throw error
    }
  }

  const read = async (key: Account['key']) =>
    (await table.client.send(new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }))).Item

  /** Writes what a reply gives back, or has used beyond its reservation. A row that was erased meanwhile is not made again. */
  const giveBack = (key: Account['key'], tokens: number, slots: readonly string[] = []) =>
    change(key, {
      update: `${slots.length > 0 ? 'DELETE #open :slots ' : ''}ADD #tokens :tokens`,
      condition: 'attribute_exists(#ttl)',
      values: { ':tokens': tokens, ...(slots.length > 0 && { ':slots': new Set(slots) }) },
    })

  const measureSite = (tokens: number) => {
    if (limits.siteTokensPerDay !== undefined)
      measure({ SiteBudgetUsed: Math.round((100 * tokens) / limits.siteTokensPerDay) })
  }

  return {
    /**
     * The reservation for a reply that an invocation may begin.
     * @param forMs after which the invocation has ended, whatever happens
     * @param questionTokens what the request itself holds
     */
    take(sub: string, { forMs, questionTokens }: { forMs: number; questionTokens: number }, log: Logger) {
      const nowSeconds = Math.floor(Date.now() / 1_000)
      const day = Math.floor(nowSeconds / daySeconds)
      const ttl = (day + 2) * daySeconds
      const slot = newSlot(nowSeconds + Math.ceil(forMs / 1_000))
      const user: Account = {
        key: { PK: `RATE#${sub}`, SK: `replies#${day}` },
        limit: limits.tokensPerDay,
        usedUp: (seconds) => new TokensUsedUp("the user's tokens of the day are used up", seconds),
        others: 0,
      }
      const site: Account | undefined =
        limits.siteTokensPerDay === undefined
          ? undefined
          : {
              key: { PK: 'RATE#site', SK: `tokens#${day}` },
              limit: limits.siteTokensPerDay,
              usedUp: (seconds) => new SiteTokensUsedUp("everybody's tokens of the day are used up", seconds),
              others: 0,
            }
      const accounts = site ? [user, site] : [user]
      const midnight = () => (day + 1) * daySeconds - Math.floor(Date.now() / 1_000)
      const refusal = ({ usedUp }: Account) => usedUp(Math.max(1, midnight()))
      const first = usualPromptTokens + answerTokens + questionTokens
      /** on all accounts; what was spent of it is settled at the end */
      let reserved = first
      let spent = 0

      async function admitUser(): Promise<void> {
        const addUser = () =>
          change(user.key, {
            update: 'ADD #open :slot, #tokens :first SET #ttl = :ttl',
            condition:
              '(attribute_not_exists(#open) OR size(#open) < :most) AND (attribute_not_exists(#tokens) OR #tokens < :limit)',
            values: {
              ':slot': new Set([slot]),
              ':first': first,
              ':ttl': ttl,
              ':most': limits.repliesAtOnce,
              ':limit': user.limit,
            },
          })
        let tokens = await addUser()
        if (tokens === undefined) {
          const row = await read(user.key)
          if (Number(row?.['tokens'] ?? 0) >= user.limit) throw refusal(user)
          // functions that were ended from outside have left theirs; what they reserved is spent
          const expired = expiredSlots(row?.['open'], nowSeconds)
          if (expired.length > 0) await giveBack(user.key, 0, expired)
          tokens = await addUser()
          if (tokens === undefined) throw new TooManyReplies('no place for another reply')
        }
        user.others = tokens - first
      }

      async function admitAtSite(): Promise<void> {
        if (!site) return
        const tokens = await change(site.key, {
          update: 'ADD #tokens :first SET #ttl = :ttl',
          condition: 'attribute_not_exists(#tokens) OR #tokens < :limit',
          values: { ':first': first, ':ttl': ttl, ':limit': site.limit },
        })
        if (tokens === undefined) {
          measureSite(site.limit)
          throw refusal(site)
        }
        site.others = tokens - first
      }

      /** Both accounts or neither: what one has let pass is given back when the other refuses. */
      async function both(attempts: readonly Promise<void>[], undo: readonly (() => Promise<unknown>)[]) {
        const results = await Promise.allSettled(attempts)
        const refused = results.find(({ status }) => status === 'rejected')
        if (!refused) return
        const passed = undo.filter((_, index) => results[index]?.status === 'fulfilled')
        await Promise.all(passed.map((each) => each().catch(() => undefined)))
        throw (refused as PromiseRejectedResult).reason
      }

      let opening: Promise<void> | undefined
      const admit = () =>
        (opening ??= both(
          [admitUser(), admitAtSite()],
          [() => giveBack(user.key, -first, [slot]), () => (site ? giveBack(site.key, -first) : done)],
        ))

      /** On top of what is reserved: what others have, and what this reply has really spent, must leave something. */
      async function grow(account: Account, more: number): Promise<void> {
        const tokens = await change(account.key, {
          update: 'ADD #tokens :more',
          condition: '#tokens < :limit',
          values: { ':more': more, ':limit': account.limit + reserved - spent },
        })
        if (tokens === undefined) throw refusal(account)
        account.others = tokens - reserved - more
      }

      async function reserveMore(more: number): Promise<void> {
        await both(
          accounts.map((account) => grow(account, more)),
          accounts.map((account) => () => giveBack(account.key, -more)),
        )
        reserved += more
      }

      /** Pictures have a budget of their own; for everybody together they count as the tokens they cost. */
      async function countImage(): Promise<void> {
        const counted = await change(user.key, {
          update: 'ADD #images :one',
          condition: 'attribute_not_exists(#images) OR #images < :most',
          values: { ':one': 1, ':most': limits.imagesPerDay },
        })
        if (counted === undefined)
          throw new ImagesUsedUp("the user's pictures of the day are used up", midnight())
      }

      const takeImageBack = () =>
        change(user.key, {
          update: 'ADD #images :less',
          condition: 'attribute_exists(#ttl)',
          values: { ':less': -1 },
        })

      // calls of a round run side by side, and each must see what the others have reserved
      let queue: Promise<unknown> = Promise.resolve()
      const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
        const result = queue.then(work, work)
        queue = result.catch(() => undefined)
        return result
      }

      async function settle(): Promise<void> {
        const isAdmitted = await opening?.then(
          () => true,
          () => false,
        )
        if (!isAdmitted) return
        await queue
        const tokens = spent - reserved
        // what cannot be given back stays counted, and the slot is free when its time is over
        await Promise.all([
          giveBack(user.key, tokens, [slot]),
          site && giveBack(site.key, tokens).then((used) => measureSite(used ?? 0)),
        ]).catch((error: unknown) => log.warn('a reservation was not settled', { error }))
      }

      let used = false
      return {
        admit,
        async until(ended) {
          used = true
          const result = await ended
          await settle()
          return result
        },
        async leave() {
          if (!used) await settle()
        },
        reserve: (promptTokens) =>
          inTurn(async () => {
            await admit()
            const over = accounts.find(({ others, limit }) => others + spent >= limit)
            if (over) throw refusal(over)
            const more = spent + promptTokens + answerTokens - reserved
            if (more > 0) await reserveMore(more)
          }),
        spend(tokens) {
          spent += tokens
        },
        reserveImage: () =>
          inTurn(async () => {
            await admit()
            await both(
              [countImage(), ...(site ? [grow(site, imageTokens)] : [])],
              [takeImageBack, () => (site ? giveBack(site.key, -imageTokens) : done)],
            )
            // no part of what is settled
            if (site) site.others += imageTokens
          }),
        refundImage: () =>
          inTurn(async () => {
            if (site) site.others -= imageTokens
            await Promise.all([takeImageBack(), site && giveBack(site.key, -imageTokens)])
          }).catch((error: unknown) => log.warn('a picture was not taken back', { error })),
      } satisfies Reservation
    },
  }
}

const done = Promise.resolve()
