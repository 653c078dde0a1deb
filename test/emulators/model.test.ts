import OpenAI, { APIConnectionError, InternalServerError, RateLimitError } from 'openai'
import type { ChatCompletionChunk } from 'openai/resources/chat/completions'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type DemoModel, startDemoModel } from '../support/model-server/server.ts'

let model: DemoModel
let openai: OpenAI

async function start(tokensPerSecond: number) {
  model = await startDemoModel({ tokensPerSecond })
  openai = new OpenAI({ apiKey: model.apiKey, baseURL: model.baseUrl, maxRetries: 0 })
}

beforeEach(() => start(20_000))
afterEach(() => model.close())

const tools = [
  {
    type: 'function' as const,
    function: {
      name: 'get_weather',
      description: 'Current weather of a city',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
]

function stream(content: string, signal?: AbortSignal) {
  return openai.chat.completions.create(
    {
      model: 'juno-demo',
      messages: [{ role: 'user', content }],
      stream: true,
      stream_options: { include_usage: true },
    },
    signal ? { signal } : {},
  )
}

async function collect(chunks: AsyncIterable<ChatCompletionChunk>) {
  const all: ChatCompletionChunk[] = []
  for await (const chunk of chunks) all.push(chunk)
  return all
}

const joinText = (chunks: ChatCompletionChunk[]) =>
  chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')

const waitUntil = async (condition: () => boolean) => {
  while (!condition()) await new Promise(setImmediate)
}

it('lists its models, without those that have been shut down', async () => {
  const { data } = await openai.models.list()
  expect(data.map(({ id }) => id)).toEqual(['juno-demo', 'juno-demo-reasoning', 'juno-demo-text'])
})

it('streams text token by token, then the finish reason, then the usage', async () => {
  const chunks = await collect(await stream('/echo The quick brown fox jumps'))
  expect(joinText(chunks)).toBe('The quick brown fox jumps')
  expect(chunks.at(0)?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' })
  expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop')
  expect(chunks.at(-1)).toMatchObject({
    choices: [],
    usage: { completion_tokens: 5, prompt_tokens: 10, total_tokens: 15 },
  })
  expect(chunks).toHaveLength(1 + 5 + 1 + 1)
})

it('answers in one piece without streaming, and respects the token limit', async () => {
  const response = await openai.chat.completions.create({
    model: 'juno-demo',
    messages: [{ role: 'user', content: '/echo one two three' }],
    max_completion_tokens: 2,
  })
  expect(response.choices[0]).toMatchObject({
    message: { role: 'assistant', content: 'one two' },
    finish_reason: 'length',
  })
  expect(response.usage?.completion_tokens).toBe(2)
})

it('calls a tool in a stream and answers from its result', async () => {
  const question = { role: 'user' as const, content: 'How is the weather in the city of Oslo?' }
  const runner = openai.chat.completions.stream({ model: 'juno-demo', messages: [question], tools })
  const { choices } = await runner.finalChatCompletion()
  const call = choices[0]?.message.tool_calls?.[0]
  expect(choices[0]?.finish_reason).toBe('tool_calls')
  expect(call).toMatchObject({
    type: 'function',
    function: { name: 'get_weather', arguments: '{"city":"oslo"}' },
  })
  if (call?.type !== 'function') throw new Error('no call')
  const response = await openai.chat.completions.create({
    model: 'juno-demo',
    messages: [
      question,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: call.id, content: '{"sky":"clear","degrees":4}' },
    ],
    tools,
  })
  expect(response.choices[0]?.message.content).toMatch(/- \*\*Sky\*\*: clear\n- \*\*Degrees\*\*: 4/)
})

it('fails on request: with a status, a broken connection, an empty reply', async () => {
  await expect(stream('/fail')).rejects.toBeInstanceOf(InternalServerError)
  const busy = await stream('/fail 429').catch((error: unknown) => error)
  expect(busy).toBeInstanceOf(RateLimitError)
  expect((busy as RateLimitError).headers.get('retry-after')).toBe('20')
  const receivedChunks: ChatCompletionChunk[] = []
  const reading = (async () => {
    for await (const chunk of await stream('/fail mid')) receivedChunks.push(chunk)
  })()
  await expect(reading).rejects.toThrow(/terminated|Connection error/)
  expect(joinText(receivedChunks)).toMatch(/^This reply begins well/)
  const emptyReply = await collect(await stream('/empty'))
  expect(joinText(emptyReply)).toBe('')
  expect(emptyReply.at(-2)?.choices[0]?.finish_reason).toBe('stop')
  await model.close()
  await expect(stream('hello')).rejects.toBeInstanceOf(APIConnectionError)
})

it('refuses malformed requests', async () => {
  const request = openai.chat.completions.create({ model: 'juno-demo', messages: [] })
  await expect(request).rejects.toMatchObject({
    status: 400,
    param: 'messages',
    type: 'invalid_request_error',
  })
  const url = model.baseUrl.replace('/v1', '/v2/nothing')
  const headers = { authorization: `Bearer ${model.apiKey}` }
  expect((await fetch(url, { headers })).status).toBe(404)
})

it('stops generating when the client disconnects, and counts it', async () => {
  for (const command of ['/long 500', '/slow 9500', '/hang']) {
    const clientAbort = new AbortController()
    const chunks = stream(command, clientAbort.signal)
    const reading = chunks.then(collect).catch(() => undefined)
    await waitUntil(() => model.openRequests() === 1)
    clientAbort.abort()
    await reading
    await waitUntil(() => model.openRequests() === 0)
  }
  await waitUntil(() => model.counts().aborted === 3)
  expect(model.counts().requests).toBe(3)
})

it('writes no faster than its configured speed', async () => {
  await model.close()
  await start(100)
  const startedAt = performance.now()
  await collect(await stream(`/echo ${'word '.repeat(20).trim()}`))
  const seconds = (performance.now() - startedAt) / 1_000
  expect(seconds).toBeGreaterThan(0.18)
})
