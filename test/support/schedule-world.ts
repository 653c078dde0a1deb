import type { Rule } from '#shared/contracts/schedules.ts'
import { nextTime } from '#shared/schedule-times.ts'
import { dispatch, type DispatchDeps } from '../../functions/schedules/dispatch.ts'
import { dueIndex } from '../../functions/schedules/due-index.ts'
import { scheduleRepository } from '../../functions/schedules/schedule-repository.ts'
import type { RunMessage, ScheduleRow } from '../../functions/schedules/schedule-row.ts'
import type { Table } from '../../functions/platform/dynamodb/table.ts'
import { memoryTable } from './memory-table.ts'

export const minuteMs = 60_000

/** What a function's process does with its n-th request: dies before it, or after it without having read the answer. */
type Fate = (request: number) => 'before' | 'after' | undefined

class Killed extends Error {}

/** Requests of one process; once it is dead, all of them fail. */
function killable(fate: Fate) {
  let requests = 0
  let isDead = false
  return async <Result>(request: () => Promise<Result>): Promise<Result> => {
    if (isDead) throw new Killed()
    const end = fate(requests++)
    isDead ||= end !== undefined
    if (end === 'before') throw new Killed()
    const result = await request()
    if (end === 'after') throw new Killed()
    return result
  }
}

/** Schedules, their queue and a worker, at a time that only the test moves. */
export function scheduleWorld(start: string, { spreadMinutes = 1 } = {}) {
  const table = memoryTable()
  const world = { now: Date.parse(start) }
  const queue: RunMessage[] = []
  /** when each run began, by the id of its message */
  const begun = new Map<string, number[]>()

  const open = (guard: ReturnType<typeof killable>): DispatchDeps => {
    const guarded: Table = {
      name: table.name,
      client: {
        send: ((command: never) => guard(() => table.client.send(command))) as Table['client']['send'],
      },
    }
    return {
      index: dueIndex(guarded, { spreadMinutes }),
      schedules: scheduleRepository(guarded),
      send: (message) => guard(async () => void queue.push(message)),
      now: () => world.now,
    }
  }
  const healthy = open(killable(() => undefined))
  const schedules = scheduleRepository(table)

  const scene = {
    table,
    world,
    queue,
    begun,
    schedules,
    index: healthy.index,

    async add(id: string, rule: Rule, fields: Partial<ScheduleRow> = {}): Promise<ScheduleRow> {
      const { time_zone = 'UTC' } = fields
      const next_at = nextTime(rule, time_zone, world.now)
      const row: ScheduleRow = {
        id,
        v: 1,
        version: 1,
        prompt: 'Read my mail',
        rule,
        time_zone,
        session_id: `session-${id}`,
        writes: 'ask',
        notify: [],
        created_at: world.now,
        approved_at: world.now,
        failures: 0,
        ...(next_at !== undefined && { next_at }),
        ...fields,
      }
      if (row.next_at !== undefined) await healthy.index.put({ sub: 'ann', id, at: row.next_at })
      await schedules.create('ann', row)
      return row
    },

    find: (id: string) => schedules.find('ann', id),

    /** One pass of a dispatcher. */
    pass: (fate: Fate = () => undefined) =>
      dispatch(open(killable(fate)), () => false).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error
      }),

    /** Takes all messages as the worker does: a run begins once for its id. */
    async work(status: 'done' | 'failed' = 'done'): Promise<void> {
      for (const { sub, id, at, message_id } of queue.splice(0)) {
        const row = await schedules.find(sub, id)
        if (row?.handed?.at !== at) continue
        if (!begun.has(message_id)) begun.set(message_id, [world.now])
        await schedules.settle(sub, id, { at, status, message_id })
      }
    },

    /** Lets time pass, with a pass and the worker each minute. */
    async run(minutes: number): Promise<void> {
      for (let minute = 0; minute < minutes; minute++) {
        world.now += minuteMs
        await scene.pass()
        await scene.work()
      }
    },
  }
  return scene
}
