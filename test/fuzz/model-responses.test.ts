import { afterAll, beforeAll, expect, it } from 'vitest'
import { ModelError } from '../../functions/models/model-errors.ts'
import { openModel } from '../../functions/models/open-model.ts'
import { anyJson, arbitraryText, fc, mutatedJson, stringify } from '../support/fuzz.ts'
import { beginStream, startFakeModel } from '../support/fake-model-server.ts'

let server: Awaited<ReturnType<typeof startFakeModel>>
beforeAll(async () => {
  server = await startFakeModel()
})
afterAll(() => server.close())

const chunks = [
  {
    id: 'c',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'm',
    choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: null }],
  },
  {
    id: 'c',
    choices: [
      {
        index: 0,
        delta: {
          tool_calls: [
            { index: 0, id: 'a', type: 'function', function: { name: 'send', arguments: '{"to":1}' } },
          ],
        },
        finish_reason: null,
      },
    ],
  },
  {
    id: 'c',
    choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 4 },
  },
]
const item = { type: 'function_call', call_id: 'a', name: 'send', arguments: '{"to":1}' }
const reasoning = { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'x' }
const events = [
  { type: 'response.output_text.delta', output_index: 0, delta: 'Hello' },
  { type: 'response.reasoning_summary_text.delta', item_id: 'rs', summary_index: 0, delta: 'Hm' },
  { type: 'response.output_item.added', output_index: 1, item: { ...item, arguments: '' } },
  { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"to":1}' },
  { type: 'response.output_item.done', output_index: 1, item },
  { type: 'response.output_item.done', output_index: 0, item: reasoning },
  {
    type: 'response.completed',
    response: { output: [reasoning, item], usage: { input_tokens: 3, output_tokens: 4 } },
  },
  { type: 'response.failed', response: { error: { code: 'server_error', message: 'x' } } },
]
const oddValue = fc.oneof(
  anyJson(),
  arbitraryText(30),
  fc.constantFrom({ error: { message: 'busy', code: 429 } }, -1, 'NaN', { length: 3 }),
)

it.each([
  ['chat', chunks],
  ['responses', events],
] as const)(
  'any response over %s gives a round of text, calls and numbers, or an error with a text',
  async (api, validFrames) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc
            .constantFrom<object>(...validFrames)
            .chain((chunk) => fc.oneof(fc.constant<unknown>(chunk), mutatedJson(chunk, oddValue))),
          { maxLength: 5 },
        ),
        fc.constantFrom('data: [DONE]\n\n', ''),
        fc.constantFrom(200, 200, 200, 200, 400, 429, 599),
        async (frames, end, status) => {
          server.behave((response) => {
            if (status === 200) beginStream(response)
            else response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '9' })
            for (const one of frames) response.write(`data: ${stringify(one)}\n\n`)
            response.end(end)
          })
          const model = openModel({ api, baseUrl: server.baseUrl, model: 'm', readKey: async () => '' })
          let received = ''
          try {
            const round = await model.complete({
              messages: [],
              tools: [],
              signal: new AbortController().signal,
              onOmit: () => undefined,
              onText: (delta) => {
                received += delta
              },
            })
            expect(round.text).toBe(received)
            for (const { id, name, arguments: text } of round.toolCalls)
              expect([typeof id, typeof name, typeof text]).toEqual(['string', 'string', 'string'])
            for (const tokens of [round.inputTokens, round.outputTokens])
              expect(Number.isSafeInteger(tokens) && tokens >= 0).toBe(true)
            expect(new Set(round.toolCalls.map(({ id }) => id)).size).toBe(round.toolCalls.length)
          } catch (error) {
            if (!(error instanceof ModelError)) throw error
            expect(error.userMessage).toMatch(/\.$/)
          }
        },
      ),
    )
  },
)
