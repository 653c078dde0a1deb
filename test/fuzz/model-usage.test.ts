import { expect, it } from 'vitest'
import { addUsage } from '../../functions/chat/usage.ts'
import { noUsage } from '../../functions/conversations/turns/stored-reply.ts'
import { usageRead } from '../../shared/contracts/usage.ts'
import { usage as usageContract } from '../../shared/contracts/chat.ts'
import { parseCounters, toCounters } from '../../functions/platform/dynamodb/usage-counters.ts'
import { countUsage } from '../../functions/models/transcription-model.ts'
import { openModel } from '../../functions/models/open-model.ts'
import { fc } from '../support/fuzz.ts'

/** What servers report as usage is stored, priced and shown: no figure of theirs may be negative, broken or beyond any request. */

const figure = fc.oneof(
  fc.integer({ min: 0, max: 1e9 }),
  fc.constantFrom<unknown>(-1, -1e300, 0.5, 1e300, 2 ** 53, '7', null, [], {}, true),
  fc.jsonValue({ maxDepth: 2 }),
)
const figures = fc.record(
  Object.fromEntries(
    'prompt_tokens completion_tokens input_tokens output_tokens cache_read_input_tokens cache_creation_input_tokens seconds'
      .split(' ')
      .map((name) => [name, figure]),
  ),
  { requiredKeys: [] },
)
const details = fc.record(
  {
    prompt_tokens_details: fc.record({ cached_tokens: figure }),
    completion_tokens_details: fc.record({ reasoning_tokens: figure }),
    input_tokens_details: fc.record({ cached_tokens: figure, cache_write_tokens: figure }),
    output_tokens_details: fc.record({ reasoning_tokens: figure, thinking_tokens: figure }),
    server_tool_use: fc.record({ web_search_requests: figure }),
  },
  { requiredKeys: [] },
)
const reported = fc.oneof(
  { weight: 9, arbitrary: fc.tuple(figures, details).map(([a, b]) => ({ ...a, ...b })) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
)

const events = {
  chat: (usage: unknown) => [
    { choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: 'stop' }], usage },
  ],
  responses: (usage: unknown) => [
    { type: 'response.output_text.delta', output_index: 0, delta: 'Hello' },
    { type: 'response.completed', response: { output: [], usage } },
  ],
  messages: (usage: unknown) => [
    { type: 'message_start', message: { id: 'm', usage } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hello' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
    { type: 'message_stop' },
  ],
}

const price = { input: 2, cachedInput: 0.5, cacheWrite: 2.5, output: 10 }

/** Whether what is stored and sent of a round is as its readers want it. */
function expectSound(reportedRound: object): void {
  const round = reportedRound as Parameters<typeof addUsage>[1]
  const total = addUsage(addUsage(noUsage(), round, { price }), round, { price })
  expect(usageContract.parse(total)).toEqual(total)
  const counters = toCounters({ ...round, cost: total.cost })
  for (const count of Object.values(counters)) expect(Number.isSafeInteger(count) && count >= 0).toBe(true)
  const stored = parseCounters(counters)
  expect(usageRead.shape.days.element.omit({ day: true, replies: true }).parse(stored)).toEqual(stored)
}

it.each(['chat', 'responses', 'messages'] as const)(
  'whatever a server reports over %s, the figures are sound',
  (api) =>
    fc.assert(
      fc.asyncProperty(reported, async (usage) => {
        const body = events[api](usage)
          .map(
            (event) => `event: ${'type' in event ? event.type : 'chunk'}\ndata: ${JSON.stringify(event)}\n\n`,
          )
          .join('')
        const model = openModel({
          api,
          baseUrl: 'https://models.example.org/v1',
          model: 'm',
          readKey: async () => 'k',
          fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
        })
        const round = await model.complete({
          messages: [{ role: 'user', content: 'Hi' }],
          tools: [],
          signal: new AbortController().signal,
          onText: () => undefined,
          onOmit: () => undefined,
        })
        expect(round.text).toBe('Hello')
        expectSound(round)
      }),
    ),
)

it('whatever a server reports of a transcription, the figures are sound', () => {
  fc.assert(
    fc.property(reported, (usage) => {
      expectSound(countUsage({ text: 'Hello', usage }, { bytes: Buffer.alloc(0), type: 'webm', seconds: 10 }))
    }),
  )
})

it('whatever a row of usage has, it can be read', () => {
  const names = 'input_tokens cached_tokens output_tokens images web_searches nano_usd unpriced_tokens'.split(
    ' ',
  )
  const row = fc.record(Object.fromEntries(names.map((name) => [name, figure])), { requiredKeys: [] })
  fc.assert(
    fc.property(row, (stored) => {
      const totals = parseCounters(stored)
      expect(usageRead.shape.days.element.omit({ day: true, replies: true }).parse(totals)).toEqual(totals)
    }),
  )
})
