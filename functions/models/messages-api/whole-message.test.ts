import { expect, it } from 'vitest'
import { toEvents } from './whole-message.ts'

// https://platform.claude.com/docs/en/build-with-claude/streaming
it('a whole message is what it would have been in events', () => {
  const message = {
    id: 'msg_1',
    content: [
      { type: 'thinking', thinking: 'Hm', signature: 's' },
      { type: 'text', text: 'Hi' },
      { type: 'tool_use', id: 'a', name: 'find', input: { n: 1 } },
    ],
    stop_reason: 'tool_use',
    usage: { output_tokens: 2 },
  }
  expect(toEvents(message)).toStrictEqual([
    { type: 'message_start', message },
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'thinking', thinking: '', signature: 's' },
    },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: 'Hi' } },
    { type: 'content_block_stop', index: 1 },
    {
      type: 'content_block_start',
      index: 2,
      content_block: { type: 'tool_use', id: 'a', name: 'find', input: { n: 1 } },
    },
    { type: 'content_block_stop', index: 2 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ])
})

it.each([
  ['a text in place of blocks', { content: 'Hi' }],
  ['a text in place of a block', { content: ['Hi'] }],
])('%s is a block of text, and ends well', (_, message) => {
  expect(toEvents(message)).toStrictEqual([
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hi' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} },
    { type: 'message_stop' },
  ])
})
