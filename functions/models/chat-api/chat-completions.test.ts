import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { recordedCall } from '../../../test/support/recorded-call.ts'
import type { ModelApiCall, ModelSettings, ModelTool } from '../model.ts'
import { openChatCompletions } from './chat-completions.ts'

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const hi = event({ choices: [{ delta: { content: 'Hi' }, finish_reason: 'stop' }] })
const aTool: ModelTool = { type: 'function', function: { name: 'send', description: 'Sends' } }

interface Request {
  url: string
  body: Record<string, unknown>
  authorization: string | null
}

/** Sends a call. @param answers to the requests, the last one to all that follow */
function send(
  answers: (() => Response | Promise<Response>)[],
  call: Partial<ModelApiCall> = {},
  settings: Partial<ModelSettings> = {},
) {
  const requests: Request[] = []
  const { call: recorded, received } = recordedCall()
  const client = openChatCompletions({
    baseUrl: 'https://m.example.org/v1/',
    model: 'm',
    readKey: async () => 'key',
    fetch: async (input, init) => {
      requests.push({
        url: String(input as string),
        body: JSON.parse(init?.body as string) as Request['body'],
        authorization: new Headers(init?.headers).get('authorization'),
      })
      const answer = answers[Math.min(requests.length, answers.length) - 1]
      if (!answer) throw new Error('no answer')
      return answer()
    },
    ...settings,
  })
  const round = client.send({ ...recorded, messages: [{ role: 'user', content: 'hi' }], ...call })
  // each test awaits it, some later
  round.catch(() => undefined)
  return { round, requests, received }
}

const answers = (body: string) => () => new Response(body)
const fails =
  (status: number, error: object = {}, headers: Record<string, string> = {}) =>
  () =>
    Response.json({ error }, { status, headers })

describe('a request', () => {
  const base = {
    model: 'm',
    messages: [{ role: 'user', content: 'hi' }],
    stream: true,
    stream_options: { include_usage: true },
  }
  const { stream_options: _, ...withoutUsage } = base

  it.each<[string, Partial<ModelApiCall>, Partial<ModelSettings>, object]>([
    ['of a conversation', {}, {}, base],
    ['without usage', { omitUsage: true }, {}, withoutUsage],
    ['with tools', { tools: [aTool] }, {}, { ...base, tools: [aTool] }],
    ['with an effort', { effort: 'high' }, {}, { ...base, reasoning_effort: 'high' }],
    ['with a limit', {}, { maxOutputTokens: 500 }, { ...base, max_tokens: 500 }],
    ['without a limit', { omitOutputLimit: true }, { maxOutputTokens: 500 }, base],
  ])('%s', async (__, call, settings, body) => {
    const { round, requests } = send([answers(hi)], call, settings)
    await round
    expect(requests).toEqual([
      { url: 'https://m.example.org/v1/chat/completions', body, authorization: 'Bearer key' },
    ])
  })

  it('goes to OpenAI if no server is named, and has a key even if there is none', async () => {
    const { round, requests } = send([answers(hi)], {}, { baseUrl: undefined, readKey: async () => '' })
    await round
    expect(requests).toMatchObject([
      { url: 'https://api.openai.com/v1/chat/completions', authorization: 'Bearer none' },
    ])
  })

  // https://platform.openai.com/docs/api-reference/chat/create#chat_create-max_tokens: deprecated there
  it.each([
    [undefined, true],
    ['https://api.openai.com/v1', true],
    ['https://openai.com', true],
    ['https://mine.openai.azure.com/openai/v1', true],
    ['https://azure.com/v1', true],
    ['https://notopenai.com/v1', false],
    ['https://openai.com.example.org/v1', false],
    ['https://example.org/openai.com', false],
  ])('has the newer name of the limit at %s: %s', async (baseUrl, isNewer) => {
    const { round, requests } = send([answers(hi)], {}, { baseUrl, maxOutputTokens: 5 })
    await round
    const { max_tokens: older, max_completion_tokens: newer } = requests[0]?.body ?? {}
    expect([older, newer]).toEqual(isNewer ? [undefined, 5] : [5, undefined])
  })
})

describe('an answer', () => {
  it('has all that its chunks have', async () => {
    const call = { index: 0, id: 'a', function: { name: 'send', arguments: '{' }, signature: 's' }
    const { round, received } = send([
      answers(
        [
          { choices: [{ delta: { reasoning: 'Hm' } }] },
          { choices: [{ delta: { content: 'Hi' } }] },
          { choices: [{ delta: { tool_calls: [call] } }] },
          { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: '}' } }] } }] },
          { choices: [{ delta: {}, finish_reason: 'length' }], usage: { prompt_tokens: 7 } },
        ]
          .map(event)
          .join(''),
      ),
    ])
    expect(await round).toStrictEqual({
      text: 'Hi',
      toolCalls: [{ id: 'a', name: 'send', arguments: '{}' }],
      truncated: true,
      incompleteReason: 'length',
      inputTokens: 7,
      outputTokens: 0,
      answer: {
        api: 'chat',
        model: 'm',
        items: [
          {
            reasoning: 'Hm',
            role: 'assistant',
            content: 'Hi',
            tool_calls: [
              { signature: 's', id: 'a', type: 'function', function: { name: 'send', arguments: '{}' } },
            ],
          },
        ],
      },
    })
    expect(received).toEqual([
      ['reasoning', 'Hm', 'reasoning'],
      ['text', 'Hi'],
      ['input', 'a', ''],
      ['input', 'a', '{'],
      ['input', 'a', '}'],
    ])
  })

  it('has nothing that the server wants back if it sent nothing of the kind', async () => {
    const call = { index: 0, id: 'a', function: { name: 'send', arguments: '{}' } }
    const { round } = send([answers(event({ choices: [{ delta: { tool_calls: [call] } }] }) + hi)])
    expect(await round).toStrictEqual({
      text: 'Hi',
      toolCalls: [{ id: 'a', name: 'send', arguments: '{}' }],
      truncated: false,
      inputTokens: 0,
      outputTokens: 0,
    })
  })

  it.each<[string, () => Response | Promise<Response>, string]>([
    ['without a body', () => new Response(null), 'model_empty'],
    ['that is empty', answers(''), 'model_empty'],
    ['that is a page', () => new Response('<html>'), 'model_server_missing'],
    ['with an error', answers(event({ error: { code: 429, message: 'x' } })), 'model_busy'],
    ['with an error after text', answers(hi + event({ error: 'x' })), 'model_cut'],
    ['with words alone', answers('data: {oops\n\n'), 'model_unreadable'],
    ['of a refused key', fails(401), 'model_key_refused'],
    ['of a fault in our own code', () => Promise.reject(new Error('x')), 'model_broken'],
    [
      'of a server that is not there',
      () => Promise.reject(new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') })),
      'model_unreachable',
    ],
  ])('%s is an error', async (_, answer, code) => {
    await expect(send([answer]).round).rejects.toMatchObject({ code })
  })

  it('that breaks off after text is cut', async () => {
    const body = () =>
      ReadableStream.from(
        (async function* () {
          yield Buffer.from(event({ choices: [{ delta: { content: 'Hi' } }] }))
          throw new TypeError('terminated', { cause: new Error('other side closed') })
        })(),
      )
    const { round, received } = send([() => new Response(body())])
    await expect(round).rejects.toMatchObject({ code: 'model_cut' })
    expect(received).toEqual([['text', 'Hi']])
  })

  it('that was stopped ends with the reason, and with no further request', async () => {
    const stop = new AbortController()
    const stopped = new Error('stopped')
    const { round, requests } = send(
      [
        () => {
          stop.abort(stopped)
          throw new TypeError('fetch failed')
        },
      ],
      { signal: stop.signal },
    )
    await expect(round).rejects.toBe(stopped)
    expect(requests).toHaveLength(1)
  })
})

describe('a request that may succeed in a moment', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  /** Waits for the timer of the next attempt, beside the one of the silence. */
  async function untilWaiting(round: Promise<unknown>) {
    let isOver = false
    const end = () => (isOver = true)
    round.then(end, end)
    while (!isOver && vi.getTimerCount() < 2) await new Promise(setImmediate)
  }

  it.each<[string, () => Response | Promise<Response>, number]>([
    ['500', fails(500), 500],
    ['503', fails(503), 500],
    ['408', fails(408), 500],
    ['429', fails(429), 500],
    ['409 for its rate', fails(409, { type: 'rate_limit_error' }), 500],
    ['429 and a wait of a second', fails(429, {}, { 'retry-after': '1' }), 1_000],
    ['429 and a wait of two', fails(429, {}, { 'retry-after': '2' }), 2_000],
    ['429 and no wait', fails(429, {}, { 'retry-after': '0' }), 500],
    ['a lost connection', () => Promise.reject(new TypeError('fetch failed')), 500],
  ])('is sent once more: %s', async (_, answer, waitMs) => {
    const { round, requests } = send([answer, answers(hi)])
    await untilWaiting(round)
    await vi.advanceTimersByTimeAsync(waitMs - 1)
    expect(requests).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(requests).toHaveLength(2)
    expect(await round).toMatchObject({ text: 'Hi' })
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each<[string, () => Response | Promise<Response>, string]>([
    ['500', fails(500), 'model_broken'],
    ['429', fails(429), 'model_busy'],
    [
      'a lost connection',
      () => Promise.reject(new TypeError('fetch failed', { cause: new Error('x') })),
      'model_unreachable',
    ],
  ])('fails when it fails again: %s', async (_, answer, code) => {
    const { round, requests } = send([answer])
    await untilWaiting(round)
    await vi.advanceTimersByTimeAsync(500)
    expect(requests).toHaveLength(2)
    await expect(round).rejects.toMatchObject({ code })
  })

  it('is sent no more once it was stopped', async () => {
    const stop = new AbortController()
    const stopped = new Error('stopped')
    const { round, requests } = send([fails(500)], { signal: stop.signal })
    await untilWaiting(round)
    stop.abort(stopped)
    await expect(round).rejects.toBe(stopped)
    expect(requests).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each<[string, () => Response | Promise<Response>, string]>([
    ['a request that is wrong', fails(400), 'model_refused'],
    [
      'one that is wrong, in the words of a busy server',
      fails(400, { type: 'overloaded_error' }),
      'model_busy',
    ],
    ['a server that says not to', fails(500, {}, { 'x-should-retry': 'false' }), 'model_broken'],
    ['a server that says to wait longer', fails(429, {}, { 'retry-after': '3' }), 'model_busy'],
    ['an account without credit', fails(429, { code: 'insufficient_quota' }), 'model_no_credit'],
    [
      'a page',
      () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      'model_server_missing',
    ],
  ])('is not %s', async (_, answer, code) => {
    const { round, requests } = send([answer])
    await expect(round).rejects.toMatchObject({ code })
    expect(requests).toHaveLength(1)
  })

  it('passes on how long the server says to wait', async () => {
    const { round } = send([fails(429, {}, { 'retry-after': '20' })])
    await expect(round).rejects.toMatchObject({ retryAfterSeconds: 20 })
  })
})
