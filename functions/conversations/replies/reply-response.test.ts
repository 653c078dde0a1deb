import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { replyNotices } from '#shared/chat-texts.ts'
import {
  newConversationIds,
  aMessage,
  aRun,
  openSharedStores,
  aTranscript,
} from '../../../test/support/conversations.ts'
import { readJsonResponse } from '../../../test/support/read-json-response.ts'
import type { User } from '../../platform/auth/access-token.ts'
import { wait } from '../../platform/clock.ts'
import { StreamedResponse } from '../../platform/http/api-function.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import { ReplyLog } from '../store/reply-log.ts'
import { acquireStream, respondFollowing, respondLive, respondStored, streamRun } from './reply-response.ts'
import { TooManyCalls } from '../../platform/errors.ts'
import { streamLive } from './event-stream.ts'
import type { ReplyResult } from './reply-result.ts'

vi.mock('../../platform/clock.ts', () => ({ wait: vi.fn<() => Promise<void>>() }))

const stores = await openSharedStores()

/** all waits since the test began, with their durations */
let waits: { ms: number; end: () => void }[] = []
beforeEach(() => {
  waits = []
  vi.mocked(wait).mockImplementation(
    (ms = 0) => new Promise<never>((resolve) => waits.push({ ms, end: resolve as () => void })),
  )
})
afterEach(() => {
  vi.useRealTimers()
})

const reply = { success: true, content: 'Hi!', toolCalls: [], error: null }
const callerWith = (headers: Record<string, string> = {}) => ({ headers, remainingMs: () => 300_000 })
/** A reply whose work ends with it. */
const ended = (result: Promise<ReplyResult>) => ({ result, finished: result })
const requireStream = (response: unknown) => {
  if (!(response instanceof StreamedResponse)) throw new Error('no stream')
  return response
}
it('a stream takes its slot for half a minute, so that the slot is free soon after a crash', async () => {
  const slot = { release: async () => undefined }
  const acquire = vi.fn<() => Promise<typeof slot>>().mockResolvedValue(slot)
  const call = { user: { sub: 'ann' } as User, log: logger }
  expect(await acquireStream({ acquire }, call)).toBe(slot)
  expect(acquire).toHaveBeenCalledWith('ann', 30_000, logger)
})

describe('the JSON form of a reply', () => {
  it('is sent at once when the reply is ready, although work follows that the function has to finish', async () => {
    const summary = Promise.withResolvers<void>()
    const response = await respondLive(callerWith(), new ReplyLog(), {
      result: Promise.resolve(reply),
      finished: summary.promise,
    })
    expect(await readJsonResponse(response)).toEqual(reply)
    expect(waits[0]?.ms).toBe(20_000)
    expect(requireStream(response).finished).toBe(summary.promise)
  })

  it('has the status of the error that ended the reply', async () => {
    const respondWithCause = (cause: unknown) =>
      respondLive(
        callerWith(),
        new ReplyLog(),
        ended(Promise.resolve({ ...reply, success: false, error: 'no', cause })),
      )
    const cause = new TooManyCalls('no place', 10)
    await expect(respondWithCause(cause)).rejects.toBe(cause)
    const internalError = new Error('ours')
    await expect(respondWithCause(internalError)).rejects.toMatchObject({
      message: 'the reply failed',
      cause: internalError,
    })
  })

  it('begins with white space when the reply takes long, so that the connection is not closed', async () => {
    const { promise, resolve } = Promise.withResolvers<ReplyResult>()
    const responding = respondLive(callerWith(), new ReplyLog(), ended(promise))
    waits[0]?.end()
    const { headers, chunks, finished } = requireStream(await responding)
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    })
    const reading = chunks[Symbol.asyncIterator]()
    const first = reading.next()
    expect(waits[1]?.ms).toBe(10_000)
    waits[1]?.end()
    expect(await first).toEqual({ done: false, value: ' ' })
    const second = reading.next()
    resolve({ ...reply, success: false, error: 'Service error: no.', cause: new Error('secret') })
    const { value } = (await second) as { value: string }
    expect(JSON.parse(value)).toEqual({ ...reply, success: false, error: 'Service error: no.' })
    expect((await reading.next()).done).toBe(true)
    expect(await finished).toMatchObject({ success: false })
  })
})

describe('the form of a response', () => {
  it.each([
    ['text/event-stream', true],
    ['application/json, Text/Event-Stream;q=0.9', true],
    ['application/json', false],
    ['', false],
  ])('for a caller that accepts "%s" is a stream: %s', async (accept, isStream) => {
    const run = aRun({ ...newConversationIds(), status: 'done' })
    const response = respondStored(callerWith({ accept }), run, [])
    expect(response instanceof StreamedResponse).toBe(isStream)
    const { headers } = requireStream(
      await respondLive(callerWith({ accept }), new ReplyLog(), ended(Promise.resolve(reply))),
    )
    expect(headers['content-type']?.startsWith('text/event-stream')).toBe(isStream)
  })

  it('names the protocol of a stream, and forbids caching and changing it', async () => {
    const liveResponse = await respondLive(
      callerWith({ accept: 'text/event-stream' }),
      new ReplyLog(),
      ended(Promise.resolve(reply)),
    )
    expect(requireStream(liveResponse).headers).toEqual({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-vercel-ai-ui-message-stream': 'v1',
    })
  })

  it('joins the texts of a stored reply without the line after a stop', () => {
    const run = aRun({ ...newConversationIds(), status: 'stopped' })
    const message = { session_id: run.sessionId, role: 'assistant' } as const
    const image = { id: 'f', name: 'a', type: 'image/png', size: 1 }
    const call = { tool: 't', action: 'T', parameters: {}, result: { success: true } }
    expect(
      respondStored(callerWith(), run, [
        aMessage({ session_id: run.sessionId, content: 'Hello' }),
        aMessage({ ...message, content: 'Half', attachments: [image], tool_calls: [call] }),
      ]),
    ).toEqual({
      success: true,
      content: 'Half',
      toolCalls: [call],
      error: null,
      attachments: [image],
    })
  })

  it('says of an interrupted reply that the connection was lost', () => {
    const run = aRun({ ...newConversationIds(), status: 'interrupted' })
    expect(respondStored(callerWith(), run, [])).toEqual({
      success: false,
      code: 'connection_lost',
      content: '',
      toolCalls: [],
      error: expect.stringContaining("I'm having trouble connecting") as string,
    })
  })
})

describe('the JSON form of a reply that another invocation writes', () => {
  /** Follows a run that is being written. @param remainingTimes the function’s remaining milliseconds at each read of the run */
  async function startFollowing(...remainingTimes: number[]) {
    const conversation = newConversationIds()
    const run = await stores.runs.claim(aRun(conversation), undefined)
    const acquiredMs: number[] = []
    let released = 0
    const responding = respondFollowing(
      {
        ...callerWith(),
        remainingMs: () => (remainingTimes.length > 1 ? remainingTimes.shift() : remainingTimes[0]) ?? 0,
        user: { sub: conversation.sub } as never,
        log: undefined as never,
      },
      {
        stores,
        streams: {
          acquire: async (_, forMs) => {
            acquiredMs.push(forMs)
            return { release: async () => void (released += 1) }
          },
        },
      },
      run,
    )
    const listPolls = () => waits.filter(({ ms }) => ms === 500)
    const releasePoll = async (count: number) => {
      await vi.waitUntil(() => listPolls().length === count)
      listPolls()[count - 1]?.end()
    }
    return { run, responding, acquiredMs, released: () => released, releasePoll }
  }

  it('is sent when the run has ended, and holds a stream slot until then', async () => {
    const { run, responding, acquiredMs, released, releasePoll } = await startFollowing(200_000)
    await releasePoll(1)
    const replyMessage = { session_id: run.sessionId, role: 'assistant', kind: 'reply' } as const
    await stores.messages.put(run.sub, aMessage({ ...replyMessage, content: 'Hi!' }), run.startedAtMs)
    await stores.messages.put(
      run.sub,
      aMessage({ ...replyMessage, content: 'Other', turn: 2 }),
      run.startedAtMs,
    )
    await stores.runs.end(run, 'done')
    await releasePoll(2)
    expect(await responding).toEqual(reply)
    expect([acquiredMs, released()]).toEqual([[200_000], 1])
  })

  it('ends ten seconds before the function’s time is up, with what is there', async () => {
    const { responding, released } = await startFollowing(200_000, 10_000)
    expect(await responding).toEqual({ ...reply, content: '' })
    expect(released()).toBe(1)
  })

  it('reports a failure of the table after the response has begun', async () => {
    const { responding, releasePoll, released } = await startFollowing(200_000)
    await vi.waitUntil(() => waits.some(({ ms }) => ms === 20_000))
    waits.find(({ ms }) => ms === 20_000)?.end()
    const { chunks, finished } = requireStream(await responding)
    vi.spyOn(stores.runs, 'find').mockRejectedValueOnce(new Error('the table is down'))
    await releasePoll(1)
    let body = ''
    for await (const chunk of chunks) body += chunk
    expect(JSON.parse(body)).toMatchObject({
      success: false,
      error: expect.stringContaining("I'm having trouble connecting") as string,
    })
    await finished
    expect(released()).toBe(1)
  })

  it('is sent at once when the reply waits for the user, with what is written so far', async () => {
    const { run, responding, releasePoll, released } = await startFollowing(200_000)
    await releasePoll(1)
    const question = {
      callId: 'c',
      kind: 'approval' as const,
      tool: 'send',
      title: 'Send',
      arguments: '{}',
      fingerprint: 'f',
      askedAtMs: 1,
    }
    const notices = [replyNotices.images]
    await stores.runs.startWaiting(run, [question], aTranscript({ text: 'Shall I?', notices }))
    await releasePoll(2)
    expect(await responding).toEqual({ ...reply, content: 'Shall I?', notices })
    expect(released()).toBe(1)
  })

  it('is sent when the run is lost, with what its checkpoints hold', async () => {
    const { run, responding, releasePoll } = await startFollowing(200_000)
    await stores.logs.append(run, [{ from: 0, to: 3, textId: 't', text: 'Hi!' }])
    await stores.runs.heartbeat(run, Date.now() - 60_000)
    await releasePoll(1)
    expect(await responding).toMatchObject({
      success: false,
      content: 'Hi!',
      error: expect.stringContaining("I'm having trouble connecting") as string,
    })
  })

  it('ends when another run has replaced this one', async () => {
    const { run, responding, releasePoll } = await startFollowing(200_000)
    await stores.runs.end(run, 'failed', { error: 'no' })
    await stores.runs.remove(run.sub, run.sessionId)
    await stores.runs.claim(aRun({ ...run, runId: 'next', turn: 2 }), undefined)
    await releasePoll(1)
    expect(await responding).toMatchObject({ content: '' })
  })
})

describe('live events', () => {
  const readFrames = async (stream: AsyncIterable<string>) => {
    const all: string[] = []
    for await (const one of stream) all.push(one)
    return all
  }

  it('are followed by the end once the reply is closed, each with its position', async () => {
    const log = new ReplyLog()
    log.push({ type: 'text-start', id: 't' })
    log.push({ type: 'text-delta', id: 't', delta: 'Hi' })
    log.close()
    expect(await readFrames(streamLive(log))).toEqual([
      'id: 1\ndata: {"type":"text-start","id":"t"}\n\nid: 3\ndata: {"type":"text-delta","id":"t","delta":"Hi"}\n\n',
      'data: [DONE]\n\n',
    ])
  })

  it('have a heartbeat after ten seconds without an event', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const log = new ReplyLog()
    const stream = streamLive(log)
    const first = stream.next()
    await vi.advanceTimersByTimeAsync(9_999)
    let hasArrived = false
    void first.then(() => (hasArrived = true))
    await Promise.resolve()
    expect(hasArrived).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect((await first).value).toBe(': heartbeat\n\n')
    const second = stream.next()
    await vi.advanceTimersByTimeAsync(1)
    log.close()
    expect((await second).value).toBe('data: [DONE]\n\n')
  })

  it('are only heartbeats while a reply is paused', async () => {
    vi.useFakeTimers()
    const log = new ReplyLog()
    log.pause()
    log.push({ type: 'start', messageId: 'm', messageMetadata: {} })
    const first = streamLive(log).next()
    await vi.advanceTimersByTimeAsync(10_000)
    expect((await first).value).toBe(': heartbeat\n\n')
  })
})

describe('a stream of a reply that another invocation has written', () => {
  const run = aRun({ sub: 'ann', sessionId: 's', status: 'done' })
  const events = [{ from: 0, to: 5, textId: 't', text: 'Hello' }]
  const following = {
    logs: { read: async () => events },
    messages: { loadTurn: async () => [] },
    files: { addLinks: async () => [] },
  } as unknown as typeof stores

  it.each<[id: string | undefined, delta: string | undefined]>([
    [undefined, 'Hello'],
    ['0', 'Hello'],
    ['2', 'llo'],
    ['5', undefined],
    ['000000003', 'lo'],
    ['0000000003', 'Hello'],
    ['3x', 'Hello'],
    ['x3', 'Hello'],
    ['', 'Hello'],
  ])('begins after the event that the reader names: %s', async (id, delta) => {
    const release = vi.fn<() => Promise<void>>(async () => undefined)
    const caller = callerWith(id === undefined ? {} : { 'last-event-id': id })
    const { chunks } = streamRun(caller, following, run, { release })
    const received: string[] = []
    for await (const chunk of chunks) received.push(String(chunk))
    const found = /"type":"text-delta","id":"t","delta":"(\w+)"/.exec(received[0] ?? '')?.[1]
    expect(found).toBe(delta)
    expect(release).toHaveBeenCalledOnce()
  })

  it.each([
    [20_000, 300_000, true],
    [19_999, 300_000, false],
    [0, 10_000, true],
    [0, 10_001, false],
  ])('that is %i ms old, with %i ms of the function left, is over: %s', async (ageMs, leftMs, isOver) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.mocked(wait).mockResolvedValue(undefined)
    const runs = { setWatchedUntil: async () => undefined, find: async () => undefined }
    const active = { ...following, runs } as unknown as typeof stores
    const caller = { headers: {}, remainingMs: () => leftMs }
    const slot = { release: async () => undefined }
    const { chunks } = streamRun(caller, active, { ...run, status: 'running' }, slot)
    const reading = chunks[Symbol.asyncIterator]()
    await reading.next()
    vi.setSystemTime(Date.now() + ageMs)
    expect((await reading.next()).done).toBe(isOver)
  })
})
