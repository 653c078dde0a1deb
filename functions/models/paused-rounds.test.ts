import { expect, it } from 'vitest'
import {
  beginMessage,
  endMessage,
  startFakeMessages,
  textDeltas,
  writeBlock,
  writesText,
} from '../../test/support/fake-messages-server.ts'
import { recordedCall } from '../../test/support/recorded-call.ts'
import type { ModelCall, ModelRound } from './model.ts'
import { openModel } from './open-model.ts'
import { askUntilDone } from './paused-rounds.ts'

const round = (text: string, more: Partial<ModelRound> = {}): ModelRound => ({
  text,
  toolCalls: [],
  truncated: false,
  inputTokens: 10,
  outputTokens: 2,
  ...more,
})
const paused = { truncated: true, isPaused: true as const }
const answer = { api: 'messages' as const, model: 'm', items: [{ type: 'thinking' }] }

it('an answer that its server pauses goes on with what it has, and is one', async () => {
  const asked: ModelCall[] = []
  const answers = [
    round('Let me look. ', { ...paused, webSearches: 2, answer }),
    round('Still. ', paused),
    round('Found it.', { cachedInputTokens: 5 }),
  ]
  const call = { ...recordedCall().call, maxWebSearches: 3 }
  const whole = await askUntilDone(async (one) => {
    asked.push(one)
    return answers[asked.length - 1] ?? round('')
  }, call)
  expect(whole).toEqual({
    ...round('Let me look. Still. Found it.', { cachedInputTokens: 5, webSearches: 2 }),
    answer: {
      ...answer,
      items: [{ type: 'thinking' }, { type: 'text', text: 'Still. ' }, { type: 'text', text: 'Found it.' }],
    },
    inputTokens: 30,
    outputTokens: 6,
  })
  expect(asked.map(({ maxWebSearches }) => maxWebSearches)).toEqual([3, 1, 1])
  expect(asked.at(-1)?.messages.slice(call.messages.length)).toEqual([
    { role: 'assistant', content: 'Let me look. ', answer },
    { role: 'assistant', content: 'Still. ' },
  ])
})

it('a server that pauses without an end is left after six requests', async () => {
  let count = 0
  const whole = await askUntilDone(async () => {
    count += 1
    return round('a', paused)
  }, recordedCall().call)
  expect(count).toBe(6)
  expect(whole).toMatchObject({ text: 'aaaaaa', truncated: true })
})

// https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons#pause-turn
it('a server of Messages gets its paused parts back as they came', async () => {
  const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } }
  const thinking = { type: 'thinking', thinking: 'Hm', signature: 'sealed' }
  const server = await startFakeMessages((response) => {
    beginMessage(response)
    writeBlock(response, 0, { ...thinking, thinking: '', signature: '' }, [
      { type: 'thinking_delta', thinking: 'Hm' },
      { type: 'signature_delta', signature: 'sealed' },
    ])
    writeBlock(response, 1, { type: 'text', text: '' }, textDeltas('Let me ', 'look.'))
    writeBlock(response, 2, { ...search, input: {} }, [
      { type: 'input_json_delta', partial_json: '{"query":"q"}' },
    ])
    endMessage(response, 'pause_turn')
  }, writesText('Found it.'))
  const model = openModel({ api: 'messages', baseUrl: server.baseUrl, model: 'm', readKey: async () => 'k' })
  const { call } = recordedCall()
  const whole = await model.complete({ ...call, messages: [{ role: 'user', content: 'hi' }] })
  await server.close()
  const parts = [thinking, { type: 'text', text: 'Let me look.' }, search]
  expect(server.requests[1]?.messages.at(-1)).toMatchObject({ role: 'assistant', content: parts })
  expect(server.requests).toHaveLength(2)
  expect(whole).toMatchObject({ text: 'Let me look.Found it.', truncated: false })
  expect(whole.answer?.items).toEqual([...parts, { type: 'text', text: 'Found it.' }])
})
