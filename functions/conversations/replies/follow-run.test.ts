import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { aMessage, aPendingCall, aRun, newConversationIds } from '../../../test/support/conversations.ts'
import { wait } from '../../platform/clock.ts'
import type { ConversationStores } from '../store/conversation-stores.ts'
import { RunOwnershipLost } from '../store/errors.ts'
import type { LogPart } from '../store/reply-log.ts'
import { toRunView, type Run } from '../store/run.ts'
import { endFrame, heartbeatFrame } from './event-stream.ts'
import { followRun } from './follow-run.ts'

vi.mock('../../platform/clock.ts', () => ({ wait: vi.fn<() => Promise<void>>() }))

const startMs = Date.parse('2026-03-01T12:00:00.000Z')
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: startMs })
  // each wait takes its time, at once
  vi.mocked(wait).mockImplementation(async (ms = 0) => {
    vi.setSystemTime(Date.now() + ms)
    return undefined as never
  })
})
afterEach(() => {
  vi.useRealTimers()
})

const run = aRun({ ...newConversationIds(), heartbeatAtMs: startMs, startedAtMs: startMs })
const textPart = (from: number, text: string): LogPart => ({
  from,
  to: from + text.length,
  textId: 't',
  text,
})
const frame = (id: number, delta: string) =>
  `id: ${id}\ndata: ${JSON.stringify({ type: 'text-delta', id: 't', delta })}\n\n`

/** Follows a run until the reader has as many chunks, or the stream ends. */
async function follow({
  states,
  parts = [],
  after = 0,
  isTimeUp = () => false,
  setWatchedUntil = async () => run,
  onFind = () => undefined,
}: {
  /** of the run, by the number of the poll; the last one stays */
  states: (Run | undefined)[]
  /** what the log has, by the number of the read */
  parts?: LogPart[][]
  after?: number
  isTimeUp?: () => boolean
  setWatchedUntil?: (run: Run, untilMs: number) => Promise<Run>
  /** called before each poll */
  onFind?: () => void
}) {
  const watched: number[] = []
  const reads: number[] = []
  let polls = 0
  const stores = {
    logs: {
      read: async (_: Run, from: number) => {
        reads.push(from)
        return (parts[reads.length - 1] ?? []).filter((part) => part.from >= from)
      },
    },
    runs: {
      find: async () => {
        onFind()
        return states[Math.min((polls += 1), states.length - 1)]
      },
      setWatchedUntil: (of: Run, untilMs: number) => {
        watched.push(untilMs - startMs)
        return setWatchedUntil(of, untilMs)
      },
    },
    messages: { loadTurn: async () => [aMessage({ session_id: run.sessionId, content: 'Hi' })] },
    files: { addLinks: async (_: string, messages: unknown[]) => messages },
  } as unknown as ConversationStores
  const [first = run] = states
  const chunks: string[] = []
  for await (const chunk of followRun(stores, { run: first, after, isTimeUp })) chunks.push(chunk)
  return { chunks, watched, reads, polls }
}

it('a reader gets what each checkpoint adds after its position, and the end', async () => {
  const { chunks, reads } = await follow({
    states: [run, run, { ...run, status: 'done' }],
    parts: [[textPart(0, 'Once ')], [textPart(5, 'upon ')], [textPart(10, 'a time')]],
    after: 3,
  })
  expect(chunks.slice(0, 3)).toEqual([frame(5, 'e '), frame(10, 'upon '), frame(16, 'a time')])
  expect(reads).toEqual([0, 5, 10])
  expect(chunks[3]).toMatch(/^id: 16\ndata: \{"type":"data-reply"/)
  expect(chunks[3]?.endsWith(endFrame)).toBe(true)
  expect(chunks).toHaveLength(4)
})

it('a reader that is ahead of the checkpoints gets nothing twice', async () => {
  const { chunks } = await follow({
    states: [run, run, undefined],
    parts: [[textPart(0, 'Once ')], [textPart(5, 'upon')], []],
    after: 7,
  })
  expect(chunks).toEqual([frame(9, 'on'), endFrame])
})

it.each([
  ['was deleted', undefined],
  ['was replaced', { ...run, runId: 'newer' }],
])('the stream of a run that %s ends', async (_, state) => {
  expect((await follow({ states: [run, state] })).chunks).toEqual([endFrame])
})

it('the stream of a run that waits ends with what it waits for', async () => {
  const waiting: Run = { ...run, status: 'waiting', pending: [aPendingCall()] }
  const { chunks } = await follow({ states: [run, waiting], parts: [[textPart(0, 'One')]] })
  expect(chunks).toEqual([
    frame(3, 'One'),
    `id: 3\ndata: ${JSON.stringify({ type: 'data-run', data: toRunView(waiting) })}\n\n${endFrame}`,
  ])
})

it('when the time is up the stream ends without its end, so that the reader comes back', async () => {
  let checks = 0
  const isTimeUp = () => (checks += 1) > 2
  const { chunks, polls } = await follow({ states: [run], parts: [[textPart(0, 'One')]], isTimeUp })
  expect([chunks, polls]).toEqual([[frame(3, 'One')], 2])
})

it('a quiet stream has a heartbeat every ten seconds, and its reader is announced before that runs out', async () => {
  const isTimeUp = () => Date.now() - startMs >= 45_000
  // the writer sends heartbeats
  const state = { ...run, heartbeatAtMs: startMs + 60_000 }
  const { chunks, watched } = await follow({ states: [state], isTimeUp })
  expect(chunks).toEqual(Array(4).fill(heartbeatFrame))
  expect(watched).toEqual([20_000, 40_000, 60_000])
})

it.each([new RunOwnershipLost('gone'), new Error('throttled')])(
  'a stream goes on although its reader could not be announced: %s',
  async (error) => {
    const setWatchedUntil = () => Promise.reject(error)
    const { chunks } = await follow({
      states: [run, undefined],
      setWatchedUntil,
      parts: [[textPart(0, 'One')]],
    })
    expect(chunks).toEqual([frame(3, 'One'), endFrame])
  },
)

it.each([
  [1, [frame(3, 'One'), endFrame]],
  [100, 'throttled'],
])('a stream goes on after a failed read of its run, and not after %i', async (failures, expected) => {
  let left = failures
  const onFind = () => {
    if (left-- > 0) throw new Error('throttled')
  }
  const following = follow({ states: [run, undefined], parts: [[textPart(0, 'One')]], onFind })
  const ended = following.then(
    ({ chunks }) => chunks,
    ({ message }: Error) => message,
  )
  expect(await ended).toEqual(expected)
})
