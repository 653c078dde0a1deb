import { expect, it } from 'vitest'
import { emptyReply } from '#shared/reply/reply-state.ts'
import { sliceFrom, toEvent, ReplyLog } from './reply-log.ts'

const text = (delta: string) => ({ type: 'text-delta', id: 't', delta }) as const

function sampleLog() {
  const log = new ReplyLog()
  log.push({ type: 'text-start', id: 't' })
  log.push(text('Hello'))
  log.push(text(', world'))
  log.push({ type: 'text-end', id: 't' })
  return log
}

it('counts an event as 1 and text by its UTF-16 units, and joins adjacent deltas', () => {
  expect(sampleLog().readAfter(0)).toEqual([
    { from: 0, to: 1, event: { type: 'text-start', id: 't' } },
    { from: 1, to: 13, textId: 't', text: 'Hello, world' },
    { from: 13, to: 14, event: { type: 'text-end', id: 't' } },
  ])
})

it('CHAT-45 every reader gets exactly what follows its position', () => {
  const whole = sampleLog()
    .readAfter(0)
    .map((part) => ('text' in part ? part.text : '|'))
    .join('')
  for (let position = 0; position <= 14; position += 1) {
    const rest = sampleLog().readAfter(position)
    expect(rest.map((part) => ('text' in part ? part.text : '|')).join('')).toBe(whole.slice(position))
    expect(rest[0]?.from ?? 14).toBe(position)
  }
})

it('the log of a continued reply counts on from its position', () => {
  const log = new ReplyLog(20)
  log.push(text('ab'))
  expect(log.readAfter(20)).toEqual([{ from: 20, to: 22, textId: 't', text: 'ab' }])
})

it('wakes readers on a push, at the end and when their time is up', async () => {
  const log = new ReplyLog()
  const untilPush = log.waitForChange(0, 60_000)
  log.push(text('a'))
  await expect(untilPush).resolves.toBeUndefined()
  await expect(log.waitForChange(1, 1)).resolves.toBeUndefined()
  const untilClose = log.waitForChange(1, 60_000)
  log.close()
  await expect(untilClose).resolves.toBeUndefined()
  await expect(log.waitForChange(1, 60_000)).resolves.toBeUndefined()
})

it('ignores empty deltas, and starts a new part for another text and after an event', () => {
  const log = new ReplyLog()
  log.push(text(''))
  log.push(text('a'))
  log.push(text(''))
  log.push({ ...text('b'), id: 'u' })
  log.push({ type: 'abort' })
  log.push({ ...text('c'), id: 'u' })
  expect(log.position).toBe(4)
  expect(log.readAfter(0)).toEqual([
    { from: 0, to: 1, textId: 't', text: 'a' },
    { from: 1, to: 2, textId: 'u', text: 'b' },
    { from: 2, to: 3, event: { type: 'abort' } },
    { from: 3, to: 4, textId: 'u', text: 'c' },
  ])
  expect(log.readAfter(4)).toEqual([])
})

it('parts that a reader has do not change when more is written', () => {
  const log = new ReplyLog()
  log.push(text('ab'))
  const [part] = log.readAfter(0)
  log.push(text('cd'))
  expect(part).toEqual({ from: 0, to: 2, textId: 't', text: 'ab' })
})

it('a reader waits only when it has read everything', async () => {
  const log = new ReplyLog()
  log.push(text('ab'))
  await log.waitForChange(1, 60_000)
  let hasWoken = false
  const waiting = log.waitForChange(2, 60_000).then(() => (hasWoken = true))
  await new Promise(setImmediate)
  expect(hasWoken).toBe(false)
  log.push(text(''))
  await waiting
  expect(log.isClosed).toBe(false)
  log.close()
  expect(log.isClosed).toBe(true)
})

it('cuts a part at the position of the reader', () => {
  const part = { from: 5, to: 10, textId: 't', text: 'Hello' }
  expect(toEvent(part, 7)).toEqual({ type: 'text-delta', id: 't', delta: 'llo' })
  expect(toEvent(part, 2)).toEqual({ type: 'text-delta', id: 't', delta: 'Hello' })
  expect(toEvent({ from: 0, to: 1, event: { type: 'abort' } }, 0)).toEqual({ type: 'abort' })
  expect(sliceFrom(part, 5)).toEqual(part)
  expect(sliceFrom(part, 6)).toEqual({ from: 6, to: 10, textId: 't', text: 'ello' })
  expect(sliceFrom({ from: 0, to: 1, event: { type: 'abort' } }, 1)).toEqual({
    from: 0,
    to: 1,
    event: { type: 'abort' },
  })
})

it('readers of a paused reply get nothing, and wait until it goes on', async () => {
  const log = new ReplyLog()
  log.push(text('ab'))
  log.pause()
  expect(log.readAfter(0)).toEqual([])
  let hasWoken = false
  const waiting = log.waitForChange(0, 60_000).then(() => (hasWoken = true))
  log.push(text('cd'))
  log.close()
  await new Promise(setImmediate)
  expect(hasWoken).toBe(false)
  log.resume()
  await waiting
  expect(log.readAfter(0)).toEqual([{ from: 0, to: 4, textId: 't', text: 'abcd' }])
})

it('a delta is one of its own kind', () => {
  const part = { from: 5, to: 10, textId: 'x', text: 'Hello' }
  expect(toEvent({ ...part, kind: 'reasoning' }, 6)).toEqual({
    type: 'reasoning-delta',
    id: 'x',
    delta: 'ello',
  })
  expect(toEvent({ ...part, kind: 'tool-input' }, 9)).toEqual({
    type: 'tool-input-delta',
    toolCallId: 'x',
    inputTextDelta: 'o',
  })
  const log = new ReplyLog()
  log.push({ type: 'reasoning-delta', id: 'x', delta: 'a' })
  log.push({ type: 'text-delta', id: 'x', delta: 'b' })
  log.push({ type: 'tool-input-delta', toolCallId: 'x', inputTextDelta: 'c' })
  log.push({ type: 'tool-input-delta', toolCallId: 'x', inputTextDelta: 'd' })
  expect(log.readAfter(0)).toEqual([
    { from: 0, to: 1, textId: 'x', text: 'a', kind: 'reasoning' },
    { from: 1, to: 2, textId: 'x', text: 'b' },
    { from: 2, to: 4, textId: 'x', text: 'cd', kind: 'tool-input' },
  ])
})

it('a resumed log goes on with the reply that it had', () => {
  const log = new ReplyLog(9, { ...emptyReply, text: 'So' })
  log.push(text(' far'))
  expect([log.reply.text, log.start, log.position]).toEqual(['So far', 9, 13])
})
