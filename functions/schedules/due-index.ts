import { createHash } from 'node:crypto'
import * as z from 'zod'
import { queryAll } from '../platform/dynamodb/query.ts'
import { createRow, deleteRow, putRow, readRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import type { ScheduleRow } from './schedule-row.ts'

/*
 * The index of the times at which schedules are due: `DUE#<hour>` / `<minute>#<sub>#<id>#<at>`, with hours of UTC. Runs of the same time
 * are spread over a few minutes by a hash of the schedule's id.
 */

/** Of the environment: over how many minutes runs of the same time are spread. */
export const spreadMinutes = z.coerce.number().int().min(0).max(59).default(0)

const minuteMs = 60_000
const hourMs = 3_600_000

/** An entry of the index: a schedule and a time (ms) by its rule. */
export interface DueEntry {
  sub: string
  id: string
  at: number
  /** when the dispatcher handles it (ms), as it was written: the spread may have changed since */
  due?: number
}

const toHourKey = (hourStart: number) => `DUE#${new Date(hourStart).toISOString().slice(0, 13)}`
const startOfHour = (time: number) => time - (time % hourMs)
const cursorKey = { PK: 'DUE#cursor', SK: 'CURSOR' }

/** @param spread over how many minutes runs of the same time are spread; 0 or 1: not at all */
export function dueIndex(table: Table, { spreadMinutes: spread }: { spreadMinutes: number }) {
  /** When the dispatcher handles an entry (ms), in whole minutes. */
  function dueAt({ id, at, due }: DueEntry): number {
    if (due !== undefined) return due
    const hash = createHash('sha256').update(id).digest().readUInt32BE()
    return at - (at % minuteMs) + (hash % Math.max(1, spread)) * minuteMs
  }

  function key(entry: DueEntry) {
    const due = dueAt(entry)
    const minute = String((due % hourMs) / minuteMs).padStart(2, '0')
    return {
      PK: toHourKey(startOfHour(due)),
      SK: [minute, entry.sub, entry.id, entry.at].join('#'),
    }
  }

  return {
    dueAt,

    put: (entry: DueEntry) => putRow(table, key(entry)),

    remove: (entry: DueEntry) => deleteRow(table, key(entry)),

    /** Entries of the hour in which a time lies, in the order of their minutes. */
    async listHour(time: number): Promise<DueEntry[]> {
      const rows = await queryAll(table, { partition: toHourKey(startOfHour(time)), projection: 'SK' })
      return rows.flatMap(({ SK }) => {
        const [minute, sub, id, at] = String(SK).split('#')
        return sub !== undefined && id !== undefined && Number.isSafeInteger(Number(at ?? NaN))
          ? [{ sub, id, at: Number(at), due: startOfHour(time) + Number(minute) * minuteMs }]
          : []
      })
    },

    /** @returns the start of the hour before which nothing is due any more; undefined before the first call of the dispatcher */
    async readCursor(): Promise<number | undefined> {
      const hour = Number((await readRow(table, cursorKey))?.['hour'] ?? NaN)
      return Number.isSafeInteger(hour) ? hour : undefined
    },

    /** Sets the cursor for the first call of the dispatcher, unless there is one. */
    begin: (time: number) => createRow(table, { ...cursorKey, hour: startOfHour(time) }),

    writeCursor: (hour: number) => putRow(table, { ...cursorKey, hour }),
  }
}
export type DueIndex = ReturnType<typeof dueIndex>

/** Removes the entries of a deleted schedule. */
export async function clearIndex(
  index: Pick<DueIndex, 'remove'>,
  sub: string,
  { id, next_at, handed }: Pick<ScheduleRow, 'id' | 'next_at' | 'handed'>,
): Promise<void> {
  for (const at of [next_at, handed?.at]) if (at !== undefined) await index.remove({ sub, id, at })
}
