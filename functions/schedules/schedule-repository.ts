import type { PauseReason, ScheduledRunStatus } from '#shared/contracts/schedules.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import { createRow, deleteRow, readRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { updateIf, type PartialFields } from '../platform/dynamodb/update-row.ts'
import { holdKey, parseSchedule, scheduleKey, schedulePrefix, type ScheduleRow } from './schedule-row.ts'

/** After so many failures in a row a schedule is paused. */
export const maxFailures = 3

/** More attempts than there are writers of one schedule at a time: its owner, two dispatchers, a worker. */
const maxAttempts = 8

/** How many approved recipients a schedule has, and how long each may be. */
const maxRecipients = 200
const maxRecipientCharacters = 500

/** What a write changes; undefined removes the field. */
export type ScheduleFields = PartialFields<Omit<ScheduleRow, 'id' | 'v' | 'created_at'>>

/** How a run ended, or that it did not begin. `at` is the time that was claimed (ms), `because` a code. */
export interface RunOutcome {
  at: number
  status: ScheduledRunStatus
  message_id?: string | undefined
  because?: string | undefined
}

/** The changes that pause a schedule. */
export const toPaused = (because: PauseReason): ScheduleFields => ({
  paused_because: because,
  next_at: undefined,
})

/**
 * The changes that pause a schedule until its owner resumes it. The first reason stays, also while an administrator has paused it. A deleted
 * conversation never comes back, so the next run begins another one.
 */
export function toStopped(
  { paused_because, paused_before }: Pick<ScheduleRow, 'paused_because' | 'paused_before'>,
  because: PauseReason,
): ScheduleFields {
  return {
    ...(paused_because === undefined && toPaused(because)),
    ...(paused_because === 'administrator' && { paused_before: paused_before ?? because }),
    ...(because === 'conversation_deleted' && { session_id: crypto.randomUUID() }),
  }
}

/** A budget that other replies have used, unlike that of one run: the schedule has no fault that would stay. */
const isBudgetOfOthers = (because: string | undefined) =>
  because !== undefined && /^budget(?:\.|$)/.test(because) && because !== 'budget.schedule'

/** The changes that record the end of a run. Failures of runs that the owner started are not counted, nor those by a budget. */
export function toSettled(
  { failures, handed, paused_because }: Pick<ScheduleRow, 'failures' | 'handed' | 'paused_because'>,
  outcome: RunOutcome,
): ScheduleFields {
  const { at, status, message_id, because } = outcome
  const by_hand = handed?.at === at && handed.by_hand === true
  const last_run = { at, status, by_hand, ...(message_id && { message_id }), ...(because && { because }) }
  const settled = { handed: undefined, last_run }
  if (status === 'skipped' || (status === 'failed' && (handed?.by_hand || isBudgetOfOthers(because))))
    return settled
  if (status !== 'failed') return { ...settled, failures: 0, announced_cause: undefined }
  const count = failures + 1
  return {
    ...settled,
    failures: count,
    ...(count >= maxFailures && paused_because === undefined && toPaused('failures')),
  }
}

/** The schedules of users. Each write is a condition on the row as it was read. */
export const scheduleRepository = (table: Table) => {
  /** @returns undefined if there is none (any more); strongly consistent */
  async function find(sub: string, id: string): Promise<ScheduleRow | undefined> {
    const item = await readRow(table, scheduleKey(sub, id))
    return item && parseSchedule(item)
  }

  /** All of a user, oldest first. */
  async function list(sub: string): Promise<ScheduleRow[]> {
    const items = await queryAll(table, { partition: `U#${sub}`, prefix: schedulePrefix })
    return items
      .flatMap((item) => parseSchedule(item) ?? [])
      .toSorted((a, b) => a.created_at - b.created_at || a.id.localeCompare(b.id))
  }

  /**
   * Changes a schedule in one write, if nobody has written it since it was read.
   * @returns false otherwise, also if it is gone
   */
  async function write(
    sub: string,
    { id, v }: Pick<ScheduleRow, 'id' | 'v'>,
    fields: ScheduleFields,
  ): Promise<boolean> {
    const entries = Object.entries(fields)
    const set = entries.filter(([, value]) => value !== undefined)
    const removed = entries.filter(([, value]) => value === undefined)
    // a write whose response was lost finds its own mark
    const mark = crypto.randomUUID()
    const isWritten = await updateIf(table, scheduleKey(sub, id), {
      update: [
        `SET ${['v', 'mark', ...set.map(([name]) => name)].map((name) => `#${name} = :${name}`).join(', ')}`,
        ...(removed.length > 0 ? [`REMOVE ${removed.map(([name]) => `#${name}`).join(', ')}`] : []),
      ].join(' '),
      condition: '#v = :before',
      values: {
        ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
        ':v': v + 1,
        ':mark': mark,
        ':before': v,
      },
    })
    return isWritten || (await readRow(table, scheduleKey(sub, id)))?.['mark'] === mark
  }

  /**
   * Changes a schedule by what it is now, again until nobody else writes at the same moment.
   * @param change undefined: nothing has to change
   * @returns the schedule as it is then; undefined if it is gone
   */
  async function change(
    sub: string,
    id: string,
    toFields: (row: ScheduleRow) => ScheduleFields | undefined | Promise<ScheduleFields | undefined>,
  ): Promise<ScheduleRow | undefined> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const row = await find(sub, id)
      if (!row) return undefined
      const fields = await toFields(row)
      if (!fields) return row
      if (await write(sub, row, fields)) return { ...withFields(row, fields), v: row.v + 1 }
    }
    throw new Error(`schedule ${id} is written all the time`)
  }

  return {
    find,
    list,
    write,
    change,

    /** Whether an administrator has paused all schedules of a user, also those to come; strongly consistent. */
    isHeld: async (sub: string): Promise<boolean> => (await readRow(table, holdKey(sub))) !== undefined,

    /** Can be repeated. What is there is paused by `hold`. */
    async setHeld(sub: string, isHeld: boolean): Promise<void> {
      if (isHeld) await createRow(table, holdKey(sub))
      else await deleteRow(table, holdKey(sub))
    },

    /** @returns false if there is one with this id already */
    create: (sub: string, { id, ...fields }: ScheduleRow): Promise<boolean> =>
      createRow(table, { ...scheduleKey(sub, id), ...fields }),

    /** Deletes a schedule. A missing one is no error. @param version deletes it only as its owner has seen it; else it stays */
    remove: (sub: string, id: string, version?: number): Promise<void> =>
      deleteRow(
        table,
        scheduleKey(sub, id),
        version === undefined
          ? {}
          : {
              ConditionExpression: '#version = :version',
              ExpressionAttributeNames: { '#version': 'version' },
              ExpressionAttributeValues: { ':version': version },
            },
      ),

    /** Adds whom a call reached that the owner has approved. Beyond a limit the oldest are forgotten, and asked about again. */
    async approveRecipients(sub: string, id: string, recipients: readonly string[]): Promise<void> {
      await change(sub, id, ({ approved_recipients: known = [] }) => {
        const added = recipients.filter((one) => one.length <= maxRecipientCharacters && !known.includes(one))
        return added.length === 0
          ? undefined
          : { approved_recipients: [...known, ...added].slice(-maxRecipients) }
      })
    },

    /** Pauses a schedule until its owner resumes it. */
    pause: (sub: string, id: string, because: PauseReason): Promise<ScheduleRow | undefined> =>
      change(sub, id, (row) => {
        const fields = toStopped(row, because)
        return Object.keys(fields).length > 0 ? fields : undefined
      }),

    /** Pauses a schedule until an administrator releases it, whatever else pauses it. Can be repeated. */
    hold: (sub: string, id: string): Promise<ScheduleRow | undefined> =>
      change(sub, id, ({ paused_because }) =>
        paused_because === 'administrator'
          ? undefined
          : { ...toPaused('administrator'), paused_before: paused_because },
      ),

    /**
     * Resumes a schedule that an administrator has paused, unless something else had paused it before. Can be repeated.
     * @param findNext the next time (ms) of one that goes on, which is in the index then; undefined: its only time is over
     */
    release: (
      sub: string,
      id: string,
      findNext: (row: ScheduleRow) => number | undefined | Promise<number | undefined>,
    ): Promise<ScheduleRow | undefined> =>
      change(sub, id, async (row) => {
        if (row.paused_because !== 'administrator') return undefined
        const before = row.paused_before
        return {
          paused_before: undefined,
          paused_because: before,
          next_at: before === undefined ? await findNext(row) : undefined,
        }
      }),
  }
}
export type ScheduleRepository = ReturnType<typeof scheduleRepository>

/** The row as a write leaves it. */
export function withFields(row: ScheduleRow, fields: ScheduleFields): ScheduleRow {
  const merged = { ...row, ...fields }
  return Object.fromEntries(
    Object.entries(merged).filter(([, value]) => value !== undefined),
  ) as unknown as ScheduleRow
}
