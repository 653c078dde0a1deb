import type { ChatCall } from '../platform/http/rate-limit.ts'
import { hasSlot } from '../platform/dynamodb/open-slots.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { type Change, getStoredRow, isConditionFailed, updateRow } from '../platform/dynamodb/update-row.ts'
import { buildAddition } from '../platform/dynamodb/usage-counters.ts'

export type RowKey = { PK: string; SK: string }

/** The row of everybody's tokens and costs of a day, in days since 1970 (UTC). */
export const siteTokensKey = (day: number): RowKey => ({ PK: 'RATE#site', SK: `tokens#${day}` })

type Row = Record<string, unknown>

/** What a row must allow before a reply is admitted, and what the reply adds. */
interface Admission {
  slot: string
  /** reserved for the reply */
  tokens: number
  expiresAtSeconds: number
  maxReplies: number
  maxTokens: number
  /** undefined: costs are not limited */
  maxNanoUsd: number | undefined
  /** the call that begins the reply, if it is counted here */
  call: ChatCall | undefined
}

/** The rows that count a day's usage: one per user, with a slot for each reply that is being written, and one for the whole deployment. */
export const budgetRows = (table: Table) => {
  /** @returns the row after the change, or as it is `stored` when the condition does not hold */
  async function tryChange(
    key: RowKey,
    update: Omit<Change, 'returns'>,
  ): Promise<{ changed: Row } | { stored: Row | undefined }> {
    try {
      const { attributes = {} } = await updateRow(table, key, { ...update, returns: 'ALL_NEW' })
      return { changed: attributes }
    } catch (error) {
      if (isConditionFailed(error)) return { stored: getStoredRow(error) }
      throw error
    }
  }

  /** @returns the row after the change; undefined when the condition does not hold */
  async function change(key: RowKey, update: Omit<Change, 'returns'>): Promise<Row | undefined> {
    const result = await tryChange(key, update)
    return 'changed' in result ? result.changed : undefined
  }

  /** @returns the row's tokens after the change; undefined when the condition does not hold */
  async function changeTokens(key: RowKey, update: Omit<Change, 'returns'>): Promise<number | undefined> {
    const row = await change(key, update)
    return row && Number(row['tokens'] ?? 0)
  }

  return {
    /** Admits a reply to its user's row. A repeated write counts once. @returns the `admitted` row or, when it is refused, the unchanged `row` */
    async admitToUserRow(
      key: RowKey,
      { slot, tokens, expiresAtSeconds, maxReplies, maxTokens, maxNanoUsd, call }: Admission,
    ): Promise<{ admitted?: Row | undefined; row?: Row | undefined }> {
      const costCondition =
        maxNanoUsd === undefined ? '' : ' AND (attribute_not_exists(#nano_usd) OR #nano_usd < :maxNanoUsd)'
      const callCondition = call ? ' AND (attribute_not_exists(#calls) OR #calls < :maxCalls)' : ''
      const result = await tryChange(key, {
        update: `ADD #open :slot, #tokens :reserved${call ? ', #calls :one' : ''} SET #ttl = if_not_exists(#ttl, :ttl)`,
        condition: `(attribute_not_exists(#open) OR (size(#open) < :maxReplies AND NOT contains(#open, :slotId))) AND (attribute_not_exists(#tokens) OR #tokens < :maxTokens)${costCondition}${callCondition}`,
        ...(call && { names: { '#calls': call.attribute } }),
        values: {
          ':slot': new Set([slot]),
          // a repeated write must not count twice: the stored row then has the slot
          ':slotId': slot,
          ':reserved': tokens,
          ':ttl': expiresAtSeconds,
          ':maxReplies': maxReplies,
          ':maxTokens': maxTokens,
          ...(maxNanoUsd !== undefined && { ':maxNanoUsd': maxNanoUsd }),
          ...(call && { ':one': 1, ':maxCalls': call.maxCalls }),
        },
      })
      if ('changed' in result) return { admitted: result.changed }
      const { stored } = result
      return hasSlot(stored?.['open'], slot) ? { admitted: stored } : { row: stored }
    },

    /** Reserves tokens in a row, without a slot. @returns the row; undefined when they are used up */
    reserveTokens: (
      key: RowKey,
      { tokens, expiresAtSeconds, maxTokens }: Pick<Admission, 'tokens' | 'expiresAtSeconds' | 'maxTokens'>,
    ) =>
      change(key, {
        update: 'ADD #tokens :reserved SET #ttl = if_not_exists(#ttl, :ttl)',
        condition: 'attribute_not_exists(#tokens) OR #tokens < :maxTokens',
        values: { ':reserved': tokens, ':ttl': expiresAtSeconds, ':maxTokens': maxTokens },
      }),

    /**
     * Reserves more for an admitted reply. Callers add to `maxTokens` what the reply has reserved and not used.
     * @returns the row's tokens; undefined when they are used up
     */
    addTokens: (key: RowKey, tokens: number, maxTokens: number) =>
      changeTokens(key, {
        update: 'ADD #tokens :more',
        condition: '#tokens < :maxTokens',
        values: { ':more': tokens, ':maxTokens': maxTokens },
      }),

    /**
     * Adds what a reply has used beyond its reservation; negative to give tokens back. A row that was deleted meanwhile is not created again.
     * @param costs in billionths of a dollar, if they differ, too
     */
    adjustTokens(key: RowKey, difference: number, costs: { costs?: number; nano_usd?: number } = {}) {
      const { clause, values } = buildAddition(costs) ?? { clause: '', values: {} }
      return changeTokens(key, {
        update: `ADD #tokens :tokens${clause && `, ${clause}`}`,
        condition: 'attribute_exists(#ttl)',
        values: { ':tokens': difference, ...values },
      })
    },

    /** Removes slots of replies from a user's row; what they have reserved stays counted. */
    releaseSlots: (key: RowKey, slots: readonly string[]) =>
      change(key, {
        update: 'DELETE #open :slots',
        condition: 'attribute_exists(#ttl)',
        values: { ':slots': new Set(slots) },
      }),

    /**
     * Ends a reply's reservation in its user's row: releases its slot, and adds the differences to its counters. Without the slot the
     * reservation has ended before, so a repeated call adds nothing.
     * @param end `stale` attributes to remove, and when the row with what was used expires
     */
    endReservation(
      key: RowKey,
      slot: string,
      counters: Readonly<Record<string, number>>,
      { stale = [], expiresAtSeconds }: { stale?: readonly string[]; expiresAtSeconds?: number } = {},
    ) {
      const { clause, values } = buildAddition(counters) ?? { clause: '', values: {} }
      const removal = stale.length > 0 && ` REMOVE ${stale.map((name) => `#${name}`).join(', ')}`
      const expiry = expiresAtSeconds !== undefined && ' SET #ttl = :ttl'
      return change(key, {
        update: `DELETE #open :slot${clause && ` ADD ${clause}`}${removal || ''}${expiry || ''}`,
        condition: 'contains(#open, :slotId)',
        values: {
          ...values,
          ...(expiry && { ':ttl': expiresAtSeconds }),
          ':slot': new Set([slot]),
          ':slotId': slot,
        },
      })
    },

    /** Adds to the counters of a user's row what was used when its reply was over already. A row that was deleted is not created again. */
    async addUsage(
      key: RowKey,
      counters: Readonly<Record<string, number>>,
      { expiresAtSeconds }: { expiresAtSeconds?: number },
    ): Promise<void> {
      const addition = buildAddition(counters)
      if (!addition) return
      await change(key, {
        update: `ADD ${addition.clause}${expiresAtSeconds === undefined ? '' : ' SET #ttl = :ttl'}`,
        condition: 'attribute_exists(#ttl)',
        values: {
          ...addition.values,
          ...(expiresAtSeconds !== undefined && { ':ttl': expiresAtSeconds }),
        },
      })
    },

    /** @returns undefined when the images of the day are used up, or the row was deleted meanwhile */
    addImage: (key: RowKey, maxImages: number) =>
      change(key, {
        update: 'ADD #images :one',
        condition: 'attribute_exists(#ttl) AND (attribute_not_exists(#images) OR #images < :maxImages)',
        values: { ':one': 1, ':maxImages': maxImages },
      }),

    refundImage: (key: RowKey) =>
      change(key, {
        update: 'ADD #images :minusOne',
        condition: 'attribute_exists(#ttl)',
        values: { ':minusOne': -1 },
      }),
  }
}

/**
 * Waits for all attempts; when one is rejected, undoes those that succeeded.
 * @param undo one function for each attempt; its errors are ignored
 * @throws the reason of the first rejected attempt
 */
export async function allOrNothing(
  attempts: readonly Promise<void>[],
  undo: readonly (() => Promise<unknown>)[],
): Promise<void> {
  const results = await Promise.allSettled(attempts)
  const refused = results.find(({ status }) => status === 'rejected')
  if (!refused) return
  const passed = undo.filter((_, index) => results[index]?.status === 'fulfilled')
  await Promise.all(passed.map((each) => each().catch(() => undefined)))
  throw (refused as PromiseRejectedResult).reason
}
