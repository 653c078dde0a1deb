import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { aRun, newConversationIds } from '../../../test/support/conversations.ts'
import { wait } from '../../platform/clock.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import type { ConversationStores } from '../store/conversation-stores.ts'
import { RunOwnershipLost } from '../store/errors.ts'
import { ReplyLog, type LogPart } from '../store/reply-log.ts'
import type { Run } from '../store/run.ts'
import { StopRequested, superviseRun } from './supervise-run.ts'

vi.mock('../../platform/clock.ts', () => ({ wait: vi.fn<() => Promise<void>>() }))

const startMs = Date.parse('2026-03-01T12:00:00.000Z')
let pause: { ms: number; end: () => void } | undefined
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: startMs })
  pause = undefined
  vi.mocked(wait).mockImplementation(
    (ms, { signal } = {}) =>
      new Promise<never>((resolve, reject) => {
        pause = { ms, end: resolve as () => void }
        signal?.addEventListener('abort', () => reject(new Error('aborted')))
      }),
  )
})
afterEach(() => {
  vi.useRealTimers()
})

/** Supervises a run whose writer says a letter before each tick, and records what is written when. */
function supervise({ run: changes = {}, position = 0 }: { run?: Partial<Run>; position?: number } = {}) {
  const run = aRun({ ...newConversationIds(), ...changes })
  const events = new ReplyLog(position)
  const seconds = () => (Date.now() - startMs) / 1_000
  /** what the table has of the run, or its failure */
  const table: { state: Run | undefined; failure?: Error } = { state: run }
  const [beats, polls]: [number[], number[]] = [[], []]
  const checkpoints: [number, string][] = []
  const answer = async (times: number[]) => {
    times.push(seconds())
    if (table.failure) throw table.failure
    return table.state
  }
  const stores = {
    runs: { heartbeat: () => answer(beats), find: () => answer(polls) },
    logs: {
      append: async (_: Run, parts: LogPart[]) => {
        checkpoints.push([seconds(), parts.map((part) => ('text' in part ? part.text : '')).join('')])
      },
    },
  } as unknown as ConversationStores
  const supervision = superviseRun(stores, { run, events, log: logger })
  const tick = async (count: number) => {
    for (let index = 0; index < count; index += 1) {
      events.push({ type: 'text-delta', id: 't', delta: 'x' })
      vi.setSystemTime(Date.now() + 500)
      expect(pause?.ms).toBe(500)
      pause?.end()
      await new Promise(setImmediate)
    }
  }
  return { run, table, beats, polls, checkpoints, supervision, tick }
}

it('a writer sends a heartbeat each four seconds, reads its run each second, and stores its text each two', async () => {
  const { beats, polls, checkpoints, supervision, tick } = supervise()
  expect(supervision.hasCheckpoints()).toBe(false)
  await tick(16)
  // a heartbeat reads the run too
  expect([beats, polls]).toEqual([
    [4, 8],
    [1, 2, 3, 5, 6, 7],
  ])
  expect(checkpoints).toEqual([2, 4, 6, 8].map((second) => [second, 'xxxx']))
  expect(supervision.hasCheckpoints()).toBe(true)
  await supervision.stop()
})

it('a writer stores its text each half second while somebody follows it', async () => {
  const { run, table, checkpoints, supervision, tick } = supervise()
  table.state = { ...run, watchedUntilMs: startMs + 2_500 }
  await tick(10)
  expect(checkpoints).toEqual([
    [1, 'xx'],
    [1.5, 'x'],
    [2, 'x'],
    [4, 'xxxx'],
  ])
  await supervision.stop()
})

it('a writer whose reply is written only sends heartbeats', async () => {
  const { beats, polls, checkpoints, supervision, tick } = supervise()
  await supervision.finishWriting()
  await tick(9)
  expect([beats, polls, checkpoints]).toEqual([[4], [], []])
  expect(supervision.hasCheckpoints()).toBe(false)
  await supervision.stop()
})

it('a resumed reply has checkpoints already, and stores what follows them', async () => {
  const { checkpoints, supervision, tick } = supervise({ position: 40 })
  expect(supervision.hasCheckpoints()).toBe(true)
  await tick(4)
  expect(checkpoints).toEqual([[2, 'xxxx']])
  await supervision.stop()
})

it('a temporary chat has no checkpoints', async () => {
  const { checkpoints, supervision, tick } = supervise({ run: { isSaved: false } })
  await tick(5)
  await supervision.checkpoint()
  expect([checkpoints, supervision.hasCheckpoints()]).toEqual([[], false])
  await supervision.stop()
})

it.each<[what: string, state: (run: Run) => Run | undefined]>([
  ['is gone', () => undefined],
  ['was replaced', (run) => ({ ...run, runId: 'newer' })],
  ['has another writer', (run) => ({ ...run, epoch: run.epoch + 1 })],
  ['has ended', (run) => ({ ...run, status: 'interrupted' })],
])('the writer of a run that %s ends, and writes nothing more', async (_, toState) => {
  const { run, table, beats, polls, checkpoints, supervision, tick } = supervise()
  table.state = toState(run)
  await tick(2)
  expect(supervision.signal.reason).toBeInstanceOf(RunOwnershipLost)
  // it waits no more
  pause?.end()
  await new Promise(setImmediate)
  expect([beats, polls, checkpoints]).toEqual([[], [1], []])
  await supervision.stop()
})

it('a writer that shall stop writes nothing more, and lives on until its reply is stored', async () => {
  const { run, table, beats, polls, checkpoints, supervision, tick } = supervise()
  table.state = { ...run, stopRequestedAtMs: startMs }
  await tick(8)
  expect(supervision.signal.reason).toBeInstanceOf(StopRequested)
  expect([beats, polls, checkpoints]).toEqual([[4], [1], []])
  await supervision.stop()
})

it('a failure of the table is logged, and the next second tries again', async () => {
  const warn = vi.spyOn(logger, 'warn').mockReturnValue()
  const { run, table, polls, supervision, tick } = supervise()
  table.failure = new Error('throttled')
  await tick(4)
  expect(warn).toHaveBeenCalledWith(expect.any(String), { runId: run.runId, error: table.failure })
  expect([polls, supervision.signal.aborted]).toEqual([[1, 2], false])
  table.failure = new RunOwnershipLost('gone')
  await tick(2)
  expect(supervision.signal.reason).toBe(table.failure)
  await supervision.stop()
})

it('what is not supervised any more costs nothing', async () => {
  const { beats, polls, supervision } = supervise()
  await supervision.stop()
  vi.setSystemTime(startMs + 60_000)
  pause?.end()
  await new Promise(setImmediate)
  expect([beats, polls]).toEqual([[], []])
  expect(wait).toHaveBeenCalledOnce()
})
