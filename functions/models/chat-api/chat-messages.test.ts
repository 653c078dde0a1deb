import { describe, expect, it } from 'vitest'
import type { ContentPart, ModelMessage } from '../model.ts'
import { toChatMessages } from './chat-messages.ts'

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
