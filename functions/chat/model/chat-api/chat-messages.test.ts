import { describe, expect, it } from 'vitest'
import { recordedCall } from '../../../../test/support/recorded-call.ts'
import type { ContentPart, ModelMessage } from '../model.ts'
import { RoundBuilder } from '../round-builder.ts'
import { toAnswerMessage, toChatMessages } from './chat-messages.ts'

const user = (content: string | ContentPart[]): ModelMessage => ({ role: 'user', content })
const assistant = (content: string | null, more: object = {}): ModelMessage => ({
  role: 'assistant',
  content,
  ...more,
})
const call = (id: string, text = '{}') => ({
  id,
  type: 'function' as const,
  function: { name: 'find', arguments: text },
})
const text = (words: string): ContentPart => ({ type: 'text', text: words })
const image = (url: string): ContentPart => ({ type: 'image_url', image_url: { url } })
const result = (id: string, ...urls: string[]): ModelMessage => ({
  role: 'tool',
  tool_call_id: id,
  content: id,
  ...(urls.length > 0 && { images: urls.map((url) => ({ url })) }),
})
const note = { type: 'text', text: expect.stringContaining('untrusted') as string }

// https://github.com/vllm-project/vllm/issues/6862: templates take one system message, and roles in turn
it.each<[string, ModelMessage[], object[]]>([
  ['nothing', [], []],
  ['a question', [user('a')], [{ role: 'user', content: 'a' }]],
  [
    'all instructions first',
    [{ role: 'system', content: 'one' }, user('a'), { role: 'system', content: 'two' }],
    [
      { role: 'system', content: 'one\n\ntwo' },
      { role: 'user', content: 'a' },
    ],
  ],
  [
    'questions in a row as one',
    [user('a'), user(''), user('b'), user('c')],
    [{ role: 'user', content: 'a\n\nb\n\nc' }],
  ],
  [
    'a picture behind a text',
    [user('a'), user([image('u')])],
    [{ role: 'user', content: [text('a'), image('u')] }],
  ],
  [
    'a text behind a picture',
    [user([image('u')]), user('a')],
    [{ role: 'user', content: [image('u'), text('a')] }],
  ],
  [
    'a picture behind an empty text',
    [user(''), user([image('u')])],
    [{ role: 'user', content: [image('u')] }],
  ],
  [
    'an empty text behind a picture',
    [user([image('u')]), user('')],
    [{ role: 'user', content: [image('u')] }],
  ],
  [
    'answers in a row as one',
    [assistant('a'), assistant(null), assistant('b')],
    [{ role: 'assistant', content: 'a\n\nb' }],
  ],
  [
    'calls behind a text as one',
    [assistant('a'), assistant('b', { tool_calls: [call('1')] })],
    [{ role: 'assistant', content: 'a\n\nb', tool_calls: [call('1')] }],
  ],
  [
    'a text behind calls as another',
    [assistant('a', { tool_calls: [call('1')] }), assistant('b')],
    [
      { role: 'assistant', content: 'a', tool_calls: [call('1')] },
      { role: 'assistant', content: 'b' },
    ],
  ],
  ['no empty list of calls', [assistant('a', { tool_calls: [] })], [{ role: 'assistant', content: 'a' }]],
  [
    'each result, and no content that is null',
    [assistant(null, { tool_calls: [call('1'), call('2')] }), result('1'), result('2')],
    [
      { role: 'assistant', content: '', tool_calls: [call('1'), call('2')] },
      { role: 'tool', tool_call_id: '1', content: '1' },
      { role: 'tool', tool_call_id: '2', content: '2' },
    ],
  ],
])('a server gets %s', (_, messages, sent) => {
  expect(toChatMessages(messages)).toStrictEqual(sent)
})

it.each([
  ['{"n": 1}', '{"n": 1}'],
  ['', '{}'],
  ['null', '{}'],
  ['[1]', '{"unreadable":"[1]"}'],
  ['{oops', '{"unreadable":"{oops"}'],
])('arguments are the JSON of an object: %j', (written, sent) => {
  expect(toChatMessages([assistant('', { tool_calls: [call('1', written)] })])).toEqual([
    { role: 'assistant', content: '', tool_calls: [call('1', sent)] },
  ])
})

describe('images of tools', () => {
  const asked = assistant('', { tool_calls: [call('1')] })

  it('follow the last result', () => {
    const sent = toChatMessages([asked, result('1', 'a', 'b'), result('2', 'c')])
    expect(sent.slice(3)).toEqual([{ role: 'user', content: [note, image('a'), image('b'), image('c')] }])
  })

  it('are in one message with what the user writes next', () => {
    const sent = toChatMessages([asked, result('1', 'a'), user('b')])
    expect(sent.slice(2)).toEqual([{ role: 'user', content: [note, image('a'), text('b')] }])
  })

  it('are sent once, before the next answer', () => {
    const sent = toChatMessages([asked, result('1', 'a'), asked, result('1', 'b'), asked, result('1')])
    expect(sent.filter(({ role }) => role === 'user')).toEqual([
      { role: 'user', content: [note, image('a')] },
      { role: 'user', content: [note, image('b')] },
    ])
    expect(sent.map(({ role }) => role).join(' ')).toBe(
      'assistant tool user assistant tool user assistant tool',
    )
  })
})

it('an answer of this API goes back as its server gave it', () => {
  const message = {
    reasoning: 'Hm',
    role: 'assistant',
    content: [],
    tool_calls: [{ ...call('1'), signature: 's' }],
  }
  const send = (api: 'chat' | 'messages') =>
    toChatMessages([
      assistant('Hi', { tool_calls: [call('1')], answer: { api, model: 'm', items: [message] } }),
    ])
  expect(send('chat')).toEqual([message])
  expect(send('messages')).toEqual([{ role: 'assistant', content: 'Hi', tool_calls: [call('1')] }])
})

describe('what the server wants back', () => {
  const build = (text_: string, ...args: [fields: object, callFields?: [number, object][]]) => {
    const [fields, callFields = []] = args
    const round = new RoundBuilder(recordedCall().call)
    round.addText(text_)
    for (const key of [1, 2]) round.addToolInput(key, { id: String(key), name: 'find', delta: '{}' })
    round.build(true)
    return toAnswerMessage(round, { ...fields }, new Map(callFields.map(([key, more]) => [key, { ...more }])))
  }
  const sent = (more: object, content: unknown = 'Hi', calls: object[] = [call('1'), call('2')]) => ({
    ...more,
    role: 'assistant',
    content,
    tool_calls: calls,
  })

  it('are fields of the message', () => {
    expect(build('Hi', { reasoning: 'Hm', more: 1 })).toEqual(sent({ reasoning: 'Hm', more: 1 }))
  })

  it('are fields of the call that they came with', () => {
    expect(build('Hi', {}, [[2, { signature: 's' }]])).toEqual(
      sent({}, 'Hi', [call('1'), { ...call('2'), signature: 's' }]),
    )
  })

  it('is nothing more than text and calls without such fields', () => {
    expect(build('Hi', {})).toBeUndefined()
  })

  it('never replaces what the product says', () => {
    const fields = { role: 'user', content: 'x', tool_calls: [] }
    expect(build('Hi', fields, [[1, { id: 'x', type: 'x', function: {} }]])).toEqual(sent({}))
  })

  // https://docs.mistral.ai/capabilities/reasoning
  it('stands before the text if it is a part of the content', () => {
    const thinking = { type: 'thinking', thinking: [] }
    const fields = { content_parts: [thinking], other: 1 }
    expect(build('Hi', fields)).toEqual(sent({ other: 1 }, [thinking, text('Hi')]))
    expect(build('', fields)).toEqual(sent({ other: 1 }, [thinking]))
  })
})
