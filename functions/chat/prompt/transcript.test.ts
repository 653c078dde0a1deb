import { describe, expect, it } from 'vitest'
import { aMessage } from '../../../test/support/conversations.ts'
import type { ModelMessage } from '../../models/model.ts'
import {
  addTranscripts,
  closeRounds,
  formatTranscript,
  nothingGiven,
  parseTranscript,
  restoreRounds,
} from './transcript.ts'

const call = (id: string, text = '{}') => ({
  id,
  type: 'function' as const,
  function: { name: 'find', arguments: text },
})
const calling = (...ids: string[]): ModelMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => call(id)),
})
const result = (id: string): ModelMessage => ({ role: 'tool', tool_call_id: id, content: `result ${id}` })
const items = [{ type: 'message', id: 'm', content: [{ n: 1 }] }]
const answered: ModelMessage = {
  role: 'assistant',
  content: 'Hi',
  answer: { api: 'responses', model: 'm', items },
}

describe('a transcript', () => {
  it('is read as it was written, with numbers that JavaScript cannot hold and fields in their order', () => {
    const text =
      '{"model":"m","given":{"files":[],"memories":[]},"messages":[{"role":"assistant","content":"Hi","answer":{"api":"messages","model":"m","items":[{"z":1,"input":{"n":12345678901234567890,"x":1.50},"a":null}]}}]}'
    const read = parseTranscript(text)
    expect(read && formatTranscript(read)).toBe(text)
  })

  it('stores ids of images alone', () => {
    const images = [{ url: 'data:image/png;base64,AA==', fileId: 'f' }, { url: 'data:image/png;base64,BB==' }]
    const stored = formatTranscript({
      model: 'm',
      given: nothingGiven,
      messages: [{ role: 'tool', tool_call_id: 'a', content: 'x', images }],
    })
    expect(parseTranscript(stored)?.messages).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'x', images: [{ fileId: 'f' }] },
    ])
  })

  it.each(['', '{', '[]', '{"messages":[]}', '{"model":"m","messages":[{"role":"x"}]}'])(
    'that cannot be read is none: %s',
    (text) => {
      expect(parseTranscript(text)).toBeUndefined()
    },
  )

  it('goes on without an answer that cannot be read', () => {
    const message = { role: 'assistant', content: 'Hi', answer: { api: 'new', items: [] } }
    expect(parseTranscript(JSON.stringify({ model: 'm', messages: [message] }))).toEqual({
      model: 'm',
      given: nothingGiven,
      messages: [{ role: 'assistant', content: 'Hi', answer: undefined }],
    })
  })
})

it('for another model it has text and calls alone, with ids of nine letters and digits', () => {
  const messages = [
    answered,
    calling('call_1', 'call_2'),
    result('call_1'),
    result('call_2'),
    calling('call_3'),
  ]
  const transcript = { model: 'm', given: nothingGiven, messages }
  expect(restoreRounds(transcript, 7, 'm')).toBe(messages)
  expect(restoreRounds(transcript, 7, 'other')).toEqual([
    { role: 'assistant', content: 'Hi' },
    calling('000007000', '000007001'),
    { ...result('call_1'), tool_call_id: '000007000' },
    { ...result('call_2'), tool_call_id: '000007001' },
    calling('000007002'),
  ])
})

it('rounds of a reply that has ended have a result for each call, in their order', () => {
  const stopped = (id: string) => ({
    role: 'tool',
    tool_call_id: id,
    content: 'Error: The reply ended before this call was answered.',
  })
  expect(closeRounds([calling('a', 'b', 'c'), result('c'), result('a'), answered])).toEqual([
    calling('a', 'b', 'c'),
    result('a'),
    stopped('b'),
    result('c'),
    answered,
  ])
  expect(closeRounds([calling('a')])).toEqual([calling('a'), stopped('a')])
  expect(closeRounds([result('x')])).toEqual([])
})

it('messages get the transcript of the run that their reply names, of their turn', () => {
  const text = formatTranscript({
    model: 'm',
    given: { ...nothingGiven, date: '2026-11-28' },
    messages: [answered],
  })
  const user = aMessage({ session_id: 's', id: 'u', turn: 2 })
  const reply = aMessage({
    session_id: 's',
    id: 'r',
    turn: 2,
    role: 'assistant',
    kind: 'reply',
    transcript_run: 'run',
  })
  const add = (turn: number, runId: string) =>
    addTranscripts([user, reply], [{ turn, runId, text }]).map(({ given, transcript }) => [
      given?.date,
      transcript?.messages.length,
    ])
  expect(add(2, 'run')).toEqual([
    ['2026-11-28', undefined],
    [undefined, 1],
  ])
  expect(add(2, 'other')).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ])
  expect(add(1, 'run')).toEqual(add(2, 'other'))
})
