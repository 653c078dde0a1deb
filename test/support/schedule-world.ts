import type { Rule } from '#shared/contracts/schedules.ts'
import { nextTime } from '#shared/schedule-times.ts'
import { dispatch, type DispatchDeps } from '../../functions/schedules/dispatch.ts'
import { dueIndex } from '../../functions/schedules/due-index.ts'
import { scheduleRepository, toSettled } from '../../functions/schedules/schedule-repository.ts'
import type { RunMessage, ScheduleRow } from '../../functions/schedules/schedule-row.ts'
import type { Table } from '../../functions/platform/dynamodb/table.ts'
import { memoryTable } from './memory-table.ts'

export const minuteMs = 60_000

/**
 * What becomes of a process at its n-th request: it dies before it, or after it without having read the answer; or the request alone fails.
 * `name` says what it asks, and for which row.
 */
export type Fate = (request: number, name: string) => 'before' | 'after' | 'fails' | undefined

/** What a command asks of the table: the same for the same request, however many came before. */
function toName(command: { constructor: { name: string }; input?: Record<string, unknown> }): string {
  const { Key, Item, ExpressionAttributeValues } = command.input ?? {}
  const { PK, SK } = (Key ?? Item ?? {}) as Record<string, unknown>
  return [
    command.constructor.name,
    PK,
    SK,
    (Key ?? Item) ? '' : JSON.stringify(ExpressionAttributeValues),
  ].join(' ')
}

/**
 * Lets requests that are made at the same time go on in the order of their names, once nothing but them is waited for. So the result does not
 * depend on how many promises the code awaits between two requests.
 */
function inOrder() {
  let waiting: { name: string; start: () => void }[] = []
  return (name: string): Promise<void> =>
    new Promise((start) => {
      waiting.push({ name, start })
      if (waiting.length > 1) return
      setImmediate(() => {
        const round = waiting.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
        waiting = []
        for (const one of round) one.start()
      })
    })
}

/** The queue shows a message again after the longest run: infra/aws/schedules.ts. */
const visibilityMinutes = 16

/** Takes elements out of a list. */
function takeBy<One>(list: One[], isTaken: (one: One) => boolean): One[] {
  const taken = list.filter(isTaken)
  list.splice(0, list.length, ...list.filter((one) => !isTaken(one)))
  return taken
}

/** The process is dead, or its call has failed. */
class Killed extends Error {}

/** Requests of one process; once it is dead, all of them fail. */
function killable(fate: Fate, enter: (name: string) => Promise<void>) {
  let requests = 0
  let isDead = false
  return async <Result>(name: string, request: () => Promise<Result>): Promise<Result> => {
    await enter(name)
    if (isDead) throw new Killed()
    const end = fate(requests++, name)
    isDead ||= end === 'before' || end === 'after'
    if (end === 'before' || end === 'fails') throw new Killed()
    const result = await request()
    if (end === 'after') throw new Killed()
    return result
  }
}

/** Schedules, their queue and a worker, at a time that only the test moves. */
export function scheduleWorld(start: string, { spreadMinutes = 1 } = {}) {
  const table = memoryTable()
  const enterInOrder = inOrder()
  let processes = 0
  /** Requests of a new process. */
  const begin = (fate: Fate) => {
    const number = String(processes++)
    return killable(fate, (name) => enterInOrder(`${name} ${number}`))
  }
  const world = { now: Date.parse(start), stop: { isStopped: false, resumedAt: 0 }, isQuiet: false }
  const queue: RunMessage[] = []
  /** messages of workers that died: the queue delivers them again */
  const hidden: { message: RunMessage; until: number }[] = []
  /** schedules about which their person was told that they did nothing */
  const notified: string[] = []
  /** schedules about whose reply their person was told after their quiet hours */
  const toldLate: string[] = []
  /** when each run began, by the id of its message */
  const begun = new Map<string, number[]>()

  const open = (guard: ReturnType<typeof killable>): DispatchDeps => {
    const guarded: Table = {
      name: table.name,
      client: {
        send: ((command: never) =>
          guard(toName(command), () => table.client.send(command))) as Table['client']['send'],
      },
    }
    return {
      index: dueIndex(guarded, { spreadMinutes }),
      schedules: scheduleRepository(guarded),
      send: (message) => guard(`send ${message.message_id}`, async () => void queue.push(message)),
      announce: async (_, scheduleId) => {
        if (world.isQuiet) return false
        notified.push(scheduleId)
        return true
      },
      isQuiet: async () => world.isQuiet,
      announceReply: async (_, { id }) => void toldLate.push(id),
      readStop: async () => world.stop,
      now: () => world.now,
    }
  }
  const healthy = open(
    killable(
      () => undefined,
      async () => undefined,
    ),
  )
  const schedules = scheduleRepository(table)

  /** As functions/schedules/runs/run-schedule.ts: who writes that it begins, begins it. */
  async function runOnce(
    rows: DispatchDeps['schedules'],
    { sub, id, at, message_id }: RunMessage,
    status: 'done' | 'failed',
  ): Promise<void> {
    const row = await rows.find(sub, id)
    if (row?.handed?.at !== at) return
    if (row.begun?.at === at) {
      // the worker before has died behind its write
      if (!begun.has(message_id)) begun.set(message_id, [row.begun.since])
    } else {
      if (!(await rows.write(sub, row, { begun: { at, since: world.now } }))) return
      begun.set(message_id, [...(begun.get(message_id) ?? []), world.now])
    }
    const now = await rows.find(sub, id)
    if (now?.handed?.at === at) await rows.write(sub, now, toSettled(now, { at, status, message_id }))
  }

  const scene = {
    table,
    world,
    queue,
    begun,
    notified,
    toldLate,
    schedules,
    index: healthy.index,

    add: async (id: string, rule: Rule, fields: Partial<ScheduleRow> = {}): Promise<ScheduleRow> => {
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

    /** One pass of a dispatcher. @returns what it has done; undefined if it died */
    pass: (fate: Fate = () => undefined, isTimeUp = () => false) =>
      dispatch(open(begin(fate)), isTimeUp).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error
        return undefined
      }),

    /** Takes all messages at once, in the order of the worker's steps: claim, begin, settle. */
    work: async (status: 'done' | 'failed' = 'done', fate: Fate = () => undefined): Promise<void> => {
      for (const { message } of takeBy(hidden, ({ until }) => until <= world.now)) queue.push(message)
      await Promise.all(
        queue.splice(0).map(async (message) => {
          try {
            await runOnce(open(begin(fate)).schedules, message, status)
          } catch (error) {
            if (!(error instanceof Killed)) throw error
            hidden.push({ message, until: world.now + visibilityMinutes * minuteMs })
          }
        }),
      )
    },

    /** Lets time pass, with a pass and the worker each minute. */
    run: async (minutes: number): Promise<void> => {
      for (let minute = 0; minute < minutes; minute++) {
        world.now += minuteMs
        await scene.pass()
        await scene.work()
      }
    },
  }
  return scene
}
