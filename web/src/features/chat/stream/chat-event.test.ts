import { expect, it } from 'vitest'
import { trimOverlap, parseChatEvent } from './chat-event.ts'

const delta = (text: string) => ({ type: 'text-delta' as const, id: 't', delta: text })

it('reads known events', () => {
  expect(parseChatEvent('{"type":"text-delta","id":"t","delta":"Hi"}')).toEqual(delta('Hi'))
})

it('DEC-041 accepts a reply with unknown fields', () => {
  const metadata = { success: true, content: 'Hi', toolCalls: [], error: null }
  expect(
    parseChatEvent(
      JSON.stringify({ type: 'finish', messageMetadata: { ...metadata, confidence: 1 }, model: 'm' }),
    ),
  ).toMatchObject({ type: 'finish', messageMetadata: metadata })
})

it.each([
  '{',
  'null',
  '[]',
  '{"type":"reset-step"}',
  '{"type":"toString"}',
  '{"type":"text-delta","delta":7}',
])('ignores what it cannot read: %s', (data) => expect(parseChatEvent(data)).toBeUndefined())

it.each([
  ['nothing of an event that was received before', 5, 5, undefined],
  ['all of a new event', 10, 5, 'world'],
  ['the rest of a delta that was received in part', 10, 7, 'rld'],
])('keeps %s', (_, position, received, rest) => {
  expect(trimOverlap(delta('world'), position, received)).toEqual(
    rest === undefined ? undefined : delta(rest),
  )
})

it('accepts an event without a position', () => {
  expect(trimOverlap(delta('world'), undefined, 100)).toEqual(delta('world'))
})
