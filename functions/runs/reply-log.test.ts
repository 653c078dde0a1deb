import { expect, it } from 'vitest'
import { ReplyLog } from './reply-log.ts'

const text = (delta: string) => ({ type: 'text-delta', id: 't', delta }) as const

function sample() {
  const log = new ReplyLog()
  log.push({ type: 'text-start', id: 't' })
  log.push(text('Hello'))
  log.push(text(', world'))
  log.push({ type: 'text-end', id: 't' })
  return log
}

it('counts an event as 1 and text by its UTF-16 units, and joins neighbouring deltas', () => {
  expect(sample().after(0)).toEqual([
    { from: 0, to: 1, event: { type: 'text-start', id: 't' } },
    { from: 1, to: 13, textId: 't', text: 'Hello, world' },
    { from: 13, to: 14, event: { type: 'text-end', id: 't' } },
  ])
})

it('CHAT-45 every reader gets exactly what follows its position, wherever it stands', () => {
  const whole = sample()
    .after(0)
    .map((part) => ('text' in part ? part.text : '|'))
    .join('')
  for (let position = 0; position <= 14; position += 1) {
    const rest = sample().after(position)
    expect(rest.map((part) => ('text' in part ? part.text : '|')).join('')).toBe(whole.slice(position))
    expect(rest[0]?.from ?? 14).toBe(position)
  }
})

it('a log that goes on after a pause goes on counting', () => {
  const log = new ReplyLog(20)
  log.push(text('ab'))
  expect(log.after(20)).toEqual([{ from: 20, to: 22, textId: 't', text: 'ab' }])
})

it('wakes readers on a push, on the end and when their time is over', async () => {
  const log = new ReplyLog()
  const onPush = log.changed(0, 60_000)
  log.push(text('a'))
  await expect(onPush).resolves.toBeUndefined()
  await expect(log.changed(1, 1)).resolves.toBeUndefined()
  const onClose = log.changed(1, 60_000)
  log.close()
  await expect(onClose).resolves.toBeUndefined()
  await expect(log.changed(1, 60_000)).resolves.toBeUndefined()
})
