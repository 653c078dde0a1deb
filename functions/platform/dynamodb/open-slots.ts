import type { AppError } from '../errors.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { Table } from './table.ts'
import { getStoredRow, isConditionFailed, updateIf, updateRow } from './update-row.ts'

/** An id of a slot, which starts with the second when the slot expires. */
export const createSlotId = (endsAtSeconds: number) =>
  `${endsAtSeconds.toString(36)}-${crypto.randomUUID().slice(0, 8)}`

/** Whether an acquired slot is stored: the SDK repeats a write whose response was lost, and the repetition may find no free slot. */
export const hasSlot = (openIds: unknown, slot: string): boolean =>
  [...((openIds ?? []) as Iterable<string>)].includes(slot)

/** Expired slots, which a function did not release because it was ended from outside. */
export const listExpiredSlots = (openIds: unknown, nowSeconds: number): string[] =>
  [...((openIds ?? []) as Iterable<string>)].filter((slot) => Number.parseInt(slot, 36) < nowSeconds)

export interface Slot {
  /** Releases the slot; if that fails, the slot expires. */
  release: () => Promise<void>
}

/** Longer than any slot is in use. */
const rowSeconds = 3_600

/**
 * Limits how many of one thing a user may have open at once: one row per user, one write to acquire a slot and one to release it.
 * @param name part of the row's key
 */
export function openSlots(
  table: Table,
  { name, max, limitError }: { name: string; max: number; limitError: () => AppError },
) {
  /** @returns ids of the slots that leave no room for this one; undefined when it was added */
  async function add(key: Record<string, string>, slot: string, nowSeconds: number): Promise<unknown> {
    try {
      await updateRow(table, key, {
        update: 'ADD #open :slot SET #ttl = :ttl',
        condition: 'attribute_not_exists(#open) OR size(#open) < :most',
        values: { ':slot': new Set([slot]), ':ttl': nowSeconds + rowSeconds, ':most': max },
      })
      return undefined
    } catch (error) {
      if (!isConditionFailed(error)) throw error
      const openIds = getStoredRow(error)?.['open'] ?? []
      return hasSlot(openIds, slot) ? undefined : openIds
    }
  }

  async function remove(key: Record<string, string>, slots: readonly string[]): Promise<void> {
    // an expired row is not created again: the new one would have no ttl
    await updateIf(table, key, {
      update: 'DELETE #open :slots',
      condition: 'attribute_exists(PK)',
      values: { ':slots': new Set(slots) },
    })
  }

  return {
    /**
     * Acquires a slot for a user.
     * @param forMs after which the slot expires
     * @throws the `limitError` when no slot is free
     */
    async acquire(sub: string, forMs: number, log: Logger): Promise<Slot> {
      const nowSeconds = Math.floor(Date.now() / 1_000)
      const key = { PK: `RATE#${sub}`, SK: name }
      const slot = createSlotId(nowSeconds + Math.ceil(forMs / 1_000))
      const openIds = await add(key, slot, nowSeconds)
      if (openIds) {
        const expired = listExpiredSlots(openIds, nowSeconds)
        if (expired.length > 0) await remove(key, expired)
        if (expired.length === 0 || (await add(key, slot, nowSeconds))) throw limitError()
      }
      return {
        release: () =>
          remove(key, [slot]).catch((error: unknown) => log.warn('a slot was not released', { error })),
      }
    },
  }
}

export type OpenSlots = ReturnType<typeof openSlots>
