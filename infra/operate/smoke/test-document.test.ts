import { expect, it } from 'vitest'
import { readReply, type StreamedReply } from './read-reply.ts'
import { checkToolCall } from './test-document.ts'

const stream = (...events: object[]) =>
  readReply(
    Promise.resolve(
      new Response(
        [...events.map((event) => JSON.stringify(event)), '[DONE]']
          .map((data) => `data: ${data}\n\n`)
          .join(''),
      ),
    ),
  )
const text = (delta: string) => ({ type: 'text-delta', id: 't', delta })
const finish = { type: 'finish', messageMetadata: { success: true, content: '', toolCalls: [], error: null } }
const toolCall = { type: 'tool-input-available', toolCallId: 'c', toolName: 'read_attachment', input: {} }

const check = async (reply: Promise<StreamedReply>) => checkToolCall(await reply)

it('INFRA-11 the smoke test detects that the model called a tool and that the call succeeded', async () => {
  const output = { type: 'tool-output-available', toolCallId: 'c', output: {} }
  expect(await check(stream(toolCall, output, text('f00d'), finish))).toBe(
    'read_attachment read smoke-test.txt',
  )
  const failedOutput = { type: 'tool-output-error', toolCallId: 'c', errorText: 'There is no attachment.' }
  await expect(check(stream(toolCall, failedOutput, text('Sorry'), finish))).rejects.toThrow(
    'read_attachment failed: There is no attachment.',
  )
})

it.each([
  [
    [text('It is '), text('blue.'), finish],
    'the model did not call read_attachment, but answered: It is blue.',
  ],
  [
    [
      { type: 'data-notice', data: { code: 'tools_unavailable', text: 'This model has no tools.' } },
      text('Blue.'),
      finish,
    ],
    'the model called no tool. This model has no tools.',
  ],
  [[finish], 'the reply is empty'],
  [[text('Half')], 'the reply broke off'],
  [[text('Half'), { type: 'error', errorText: 'The model is overloaded.' }], 'The model is overloaded.'],
])('says what went wrong: %#', async (events, message) => {
  await expect(check(stream(...events))).rejects.toThrow(message)
})
