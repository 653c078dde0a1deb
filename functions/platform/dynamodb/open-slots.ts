import { GetCommand } from '@aws-sdk/lib-dynamodb'
import type { AppError } from '../errors.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { Table } from './table.ts'
import { updateIf, updateRow } from './update-row.ts'

/** A slot among those that a user may have at once, named by the second after which it is free anyhow. */
export const newSlot = (endsAtSeconds: number) =>
  `${endsAtSeconds.toString(36)}-${crypto.randomUUID().slice(0, 8)}`

/** The slots of a row that functions have left behind which were ended from outside. */
export const expiredSlots = (open: unknown, nowSeconds: number): string[] =>
  [...((open ?? []) as Iterable<string>)].filter((slot) => Number.parseInt(slot, 36) < nowSeconds)

export interface Slot {
  /** Gives the slot back; what cannot be given back is free when its time is over. */
  release: () => Promise<void>
}

/** Longer than any slot is taken for. */
const rowSeconds = 3_600

/**
 * Limits how many of one thing a user may have open at once: one row a user, one write to open and one to close.
 * @param name part of the row's key
 */
export function openSlots(
  table: Table,
  { name, max: max, limitError: limitError }: { name: string; max: number; limitError: () => AppError },
) {
  const add = (key: Record<string, string>, slot: string, nowSeconds: number) =>
    updateIf(table, key, {
      update: 'ADD #open :slot SET #ttl = :ttl',
      condition: 'attribute_not_exists(#open) OR size(#open) < :most',
      values: { ':slot': new Set([slot]), ':ttl': nowSeconds + rowSeconds, ':most': max },
    })

  async function remove(key: Record<string, string>, slots: readonly string[]): Promise<void> {
    await updateRow(table, key, { update: 'DELETE #open :slots', values: { ':slots': new Set(slots) } })
  }

  return {
    /**
     * Takes a slot for a user.
     * @param forMs after which it is free, whatever happens
     * @throws what `refused` makes when all are taken
     */
    async acquire(sub: string, forMs: number, log: Logger): Promise<Slot> {
      const nowSeconds = Math.floor(Date.now() / 1_000)
      const key = { PK: `RATE#${sub}`, SK: name }
      const slot = newSlot(nowSeconds + Math.ceil(forMs / 1_000))
      if (!(await add(key, slot, nowSeconds))) {
        const { Item } = await table.client.send(
          new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }),
        )
        const expired = expiredSlots(Item?.['open'], nowSeconds)
        if (expired.length > 0) await remove(key, expired)
        if (expired.length === 0 || !(await add(key, slot, nowSeconds))) throw limitError()
      }
      return {
        release: () =>
          remove(key, [slot]).catch((error: unknown) => log.warn('a slot was not given back', { error })),
      }
    },
  }
}

export type OpenSlots = ReturnType<typeof openSlots>
