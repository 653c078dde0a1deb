import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ChatEvent } from '#shared/chat-events.ts'
import { ApiError, NetworkError } from '../../../lib/api/api-errors.ts'
import { streamReply, type StreamConnection } from './stream-reply.ts'

type Line = [position: number, event: ChatEvent] | 'done' | 'comment'

const delta = (text: string): ChatEvent => ({ type: 'text-delta', id: 't', delta: text })
const start = (runId: string): ChatEvent => ({ type: 'start', messageId: 'r', messageMetadata: { runId } })

function encode(line: Line): Uint8Array {
  const text =
    line === 'done'
      ? 'data: [DONE]\n\n'
      : line === 'comment'
        ? ': alive\n\n'
        : `id: ${line[0]}\ndata: ${JSON.stringify(line[1])}\n\n`
  return new TextEncoder().encode(text)
}

/** What a connection does after its lines: it ends, breaks, or stays open without data. */
type Ending = 'ends' | 'breaks' | 'stays'

function createBody(lines: Line[], ending: Ending, signal: AbortSignal): ReadableStream<Uint8Array> {
  const queue = [...lines]
  return new ReadableStream({
    pull(controller) {
      const line = queue.shift()
      if (line) controller.enqueue(encode(line))
      else if (ending === 'ends') controller.close()
      else if (ending === 'breaks') controller.error(new TypeError('network error'))
      else
        return new Promise<void>((resolve) =>
          signal.addEventListener('abort', () => {
            controller.error(signal.reason)
            resolve()
          }),
        )
      return undefined
    },
  })
}

/** Streams a reply over these connections. */
function runScenario(connections: ([Line[], Ending] | Error)[], { sends = true } = {}) {
  const events: ChatEvent[] = []
  const connectionChanges: StreamConnection[] = []
  const calls: { at: number; position?: number }[] = []
  const controller = new AbortController()
  const connect = (position: number | undefined, signal: AbortSignal) => {
    calls.push({ at: Date.now(), ...(position !== undefined && { position }) })
    const next = connections.shift() ?? new NetworkError()
    return next instanceof Error
      ? Promise.reject(next)
      : Promise.resolve(createBody(next[0], next[1], signal))
  }
  const reply = streamReply({
    ...(sends && { send: (signal: AbortSignal) => connect(undefined, signal) }),
    reattach: connect,
    onEvent: (event) => events.push(event),
    onConnectionChange: (connection) => connectionChanges.push(connection),
    signal: controller.signal,
  })
  const outcome = reply.then(
    () => 'ended' as const,
    (error: unknown) => error,
  )
  const joinText = () => events.map((event) => (event.type === 'text-delta' ? event.delta : '')).join('')
  return { events, connectionChanges, calls, controller, outcome, joinText }
}

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

it('CHAT-45 delivers the events of one connection until the end marker', async () => {
  const { outcome, joinText, calls } = runScenario([
    [[[1, start('a')], [6, delta('Hello')], 'done'], 'stays'],
  ])
  expect(await outcome).toBe('ended')
  expect(joinText()).toBe('Hello')
  expect(calls).toHaveLength(1)
})

it('DEC-103 resumes after the last position when the connection breaks', async () => {
  const run = runScenario([
    [
      [
        [1, start('a')],
        [6, delta('Hello')],
      ],
      'breaks',
    ],
    [[[12, delta(' world')], 'done'], 'ends'],
  ])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await run.outcome).toBe('ended')
  expect(run.joinText()).toBe('Hello world')
  expect(run.calls).toEqual([{ at: 0 }, { at: 1_000, position: 6 }])
  expect(run.connectionChanges).toEqual(['open', 'lost', 'open'])
})

it('delivers that the run waits, which has the position of the reader who comes back', async () => {
  const waiting: ChatEvent = {
    type: 'data-run',
    data: { run_id: 'a', status: 'waiting', message_id: 'm', reply_id: 'r', questions: [] },
  }
  const run = runScenario([
    [
      [
        [1, start('a')],
        [6, delta('Hello')],
      ],
      'breaks',
    ],
    [[[6, delta('Hello')], [6, waiting], 'done'], 'ends'],
  ])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await run.outcome).toBe('ended')
  expect(run.joinText()).toBe('Hello')
  expect(run.events.at(-1)).toEqual(waiting)
})

it('ignores events that a server sends twice', async () => {
  const run = runScenario([
    [
      [
        [1, start('a')],
        [6, delta('Hello')],
      ],
      'breaks',
    ],
    [[[1, start('a')], [6, delta('Hello')], [12, delta(' world')], 'done'], 'ends'],
  ])
  await vi.advanceTimersByTimeAsync(1_000)
  await run.outcome
  expect(run.joinText()).toBe('Hello world')
})

it('starts again for another run, which has its own positions', async () => {
  const run = runScenario([
    [
      [
        [1, start('a')],
        [20, delta('a long first reply.')],
      ],
      'breaks',
    ],
    [[[1, start('b')], [4, delta('New')], 'done'], 'ends'],
  ])
  await vi.advanceTimersByTimeAsync(1_000)
  await run.outcome
  expect(run.events.at(-1)).toEqual(delta('New'))
  expect(run.events.at(-2)).toEqual(start('b'))
})

it('LIB-16 reconnects after 1, 2, 5, then 10 s, and gives up after 28 s', async () => {
  const run = runScenario([[[[1, start('a')]], 'breaks']])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await run.outcome).toBeInstanceOf(NetworkError)
  expect(run.calls.map(({ at }) => at)).toEqual([0, 1_000, 3_000, 8_000, 18_000, 28_000])
})

it('counts lost connections in a row: one that brought events starts the count anew', async () => {
  const lost = new NetworkError()
  const run = runScenario([
    [[[1, start('a')]], 'breaks'],
    ...[2, 3, 4].flatMap((position) => [
      lost,
      lost,
      [[[position, delta('x')]], 'breaks'] as [Line[], Ending],
    ]),
    [['done'], 'ends'],
  ])
  await vi.advanceTimersByTimeAsync(200_000)
  expect(await run.outcome).toBe('ended')
  expect(run.joinText()).toBe('xxx')
})

it('does not give up while the browser is offline, and reconnects at once when it is online again', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const run = runScenario([[[[1, start('a')]], 'breaks']])
  await vi.advanceTimersByTimeAsync(120_000)
  const connectCount = run.calls.length
  expect(connectCount).toBeGreaterThan(6)
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(run.calls).toHaveLength(connectCount + 1)
  run.controller.abort()
})

it('LIB-15 treats 25 s without data as a dead connection; heartbeats count as data', async () => {
  const run = runScenario([
    [[[1, start('a')], 'comment'], 'stays'],
    [['done'], 'ends'],
  ])
  await vi.advanceTimersByTimeAsync(24_999)
  expect(run.connectionChanges).toEqual(['open'])
  await vi.advanceTimersByTimeAsync(1)
  expect(run.connectionChanges).toEqual(['open', 'lost'])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await run.outcome).toBe('ended')
})

it('reconnects at once when the server closes a connection that had events', async () => {
  const run = runScenario(
    [
      [
        [
          [1, start('a')],
          [3, delta('Hi')],
        ],
        'ends',
      ],
      [[[4, delta('!')], 'done'], 'ends'],
    ],
    { sends: false },
  )
  expect(await run.outcome).toBe('ended')
  expect(run.calls).toEqual([
    { at: 0, position: 0 },
    { at: 0, position: 3 },
  ])
  expect(run.connectionChanges).toEqual(['open', 'open'])
})

it('waits before it reconnects when a connection closes at once without events', async () => {
  const run = runScenario(
    [
      [[], 'ends'],
      [['done'], 'ends'],
    ],
    { sends: false },
  )
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await run.outcome).toBe('ended')
  expect(run.calls.map(({ at }) => at)).toEqual([0, 1_000])
})

it.each([
  ['a refused request', new ApiError({ status: 500, code: 'x', userMessage: 'x' })],
  ['a first request that fails', new NetworkError()],
])('DEC-109 does not reconnect after %s', async (_, error) => {
  const run = runScenario([error])
  expect(await run.outcome).toBe(error)
  expect(run.calls).toHaveLength(1)
})

it('waits while the user follows too many replies in other tabs, and gives up neither soon nor late', async () => {
  const refusal = new ApiError({ status: 429, code: 'too_many_streams', userMessage: 'x' })
  const refusals = Array.from({ length: 20 }, () => refusal)
  const { outcome, joinText, connectionChanges } = runScenario(
    [...refusals, [[[1, start('run')], [6, delta('Hello')], 'done'], 'ends']],
    { sends: false },
  )
  await vi.advanceTimersByTimeAsync(150_000)
  expect(new Set(connectionChanges)).toEqual(new Set(['crowded']))
  await vi.advanceTimersByTimeAsync(100_000)
  expect([await outcome, joinText(), connectionChanges.at(-1)]).toEqual(['ended', 'Hello', 'open'])
})

it('does not retry when reconnecting is refused', async () => {
  const goneError = new ApiError({ status: 404, code: 'run_not_found', userMessage: 'x' })
  const run = runScenario([[[[1, start('a')]], 'breaks'], goneError])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await run.outcome).toBe(goneError)
})

it('stops on request', async () => {
  const run = runScenario([[[[1, start('a')]], 'stays']])
  await vi.advanceTimersByTimeAsync(0)
  run.controller.abort(new Error('left'))
  expect(await run.outcome).toEqual(new Error('left'))
})
