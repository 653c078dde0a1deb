import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { wait } from '../../platform/clock.ts'
import { ReplyLog } from '../store/reply-log.ts'
import { streamFinished, streamLive } from './event-stream.ts'

vi.mock('../../platform/clock.ts', () => ({ wait: vi.fn<() => Promise<void>>() }))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

it('INFRA-08 sends the first text at once, even right after the start, and batches what follows', async () => {
  const reply = new ReplyLog()
  const frames = streamLive(reply)
  const next = async () => String((await frames.next()).value)
  const say = (delta: string) => reply.push({ type: 'text-delta', id: 't', delta })

  reply.push({ type: 'start', messageId: 'm', messageMetadata: {} })
  expect(await next()).toContain('"start"')
  say('One')
  expect(await next()).toContain('"One"')
  expect(wait).not.toHaveBeenCalled()

  vi.mocked(wait).mockImplementation(async () => say(' three'))
  say(' two')
  expect(await next()).toContain('" two three"')
  expect(wait).toHaveBeenCalledExactlyOnceWith(20)
})

it('sends nothing while the reply is paused, and everything afterwards', async () => {
  const reply = new ReplyLog()
  reply.pause()
  const first = streamLive(reply).next()
  let hasSent = false
  void first.then(() => (hasSent = true))
  reply.push({ type: 'start', messageId: 'm', messageMetadata: {} })
  await new Promise(setImmediate)
  expect(hasSent).toBe(false)
  reply.resume()
  expect(String((await first).value)).toContain('"start"')
})

it('waits for the first event of a resumed reply', async () => {
  const reply = new ReplyLog(40)
  const first = streamLive(reply).next()
  await new Promise(setImmediate)
  reply.push({ type: 'tool-output-denied', toolCallId: 'c1' })
  expect(String((await first).value)).toContain('id: 41\n')
})

it('text that is collected as the reply is paused follows when it goes on', async () => {
  const reply = new ReplyLog()
  const frames = streamLive(reply)
  const next = async () => String((await frames.next()).value)
  const say = (delta: string) => reply.push({ type: 'text-delta', id: 't', delta })
  say('One')
  expect(await next()).toContain('"One"')
  say(' two')
  vi.mocked(wait).mockImplementation(async () => reply.pause())
  expect(await next()).toBe('')
  reply.resume()
  vi.mocked(wait).mockReset()
  expect(await next()).toContain('" two"')
})

it.each([
  [19, [1]],
  [20, []],
  [21, []],
])('text that comes %i ms after the last one waits for %j ms', async (afterMs, waits) => {
  const reply = new ReplyLog()
  const frames = streamLive(reply)
  vi.mocked(wait).mockReset()
  reply.push({ type: 'text-delta', id: 't', delta: 'One' })
  await frames.next()
  vi.setSystemTime(Date.now() + afterMs)
  reply.push({ type: 'text-delta', id: 't', delta: ' two' })
  await frames.next()
  expect(vi.mocked(wait).mock.calls.map(([ms]) => ms)).toEqual(waits)
})

it('finished events have positions of their own for a reader from the start, and keep that of another', async () => {
  const events = [{ type: 'abort' }, { type: 'start-step' }] as const
  const read = async (position?: number) => {
    const chunks: string[] = []
    for await (const chunk of streamFinished(events, position)) chunks.push(chunk)
    return chunks
  }
  const format = (...ids: number[]) => [
    `${events.map((event, index) => `id: ${ids[index]}\ndata: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`,
  ]
  expect(await read()).toEqual(format(1, 2))
  expect(await read(0)).toEqual(format(1, 2))
  expect(await read(7)).toEqual(format(7, 7))
})
