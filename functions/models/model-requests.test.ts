import { afterAll, describe, expect, it } from 'vitest'
import {
  beginStream,
  calls,
  chunk,
  says,
  startFakeModel,
  wireFormat,
  type ModelBehaviour,
} from '../../test/support/fake-model-server.ts'
import { isUnbilled, ModelError } from './model-errors.ts'
import { openModel } from './open-model.ts'
import type { ModelApi, ModelMessage, ModelTool } from './model.ts'

const server = await startFakeModel()
afterAll(() => server.close())

const apis = ['chat', 'responses'] as const
const aTool: ModelTool = { type: 'function', function: { name: 'send', parameters: {} } }
const image: ModelMessage = {
  role: 'user',
  content: [
    { type: 'text', text: 'See' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
    { type: 'text', text: 'this' },
  ],
}
const question = { role: 'user' as const, content: 'hi' }

/** Calls a model once. @returns the outcome, what was left out of the request, and the text as it arrived */
async function ask({
  behaviours,
  api = 'chat',
  messages = [question],
  tools = [],
}: {
  behaviours: ModelBehaviour[]
  api?: ModelApi
  messages?: ModelMessage[]
  tools?: ModelTool[]
}) {
  server.behave(...behaviours)
  const omitted: string[] = []
  const texts: string[] = []
  const model = openModel({ api, baseUrl: server.baseUrl, model: 'm', readKey: async () => '' })
  const outcome = await model
    .complete({
      messages,
      tools,
      signal: new AbortController().signal,
      onText: (text) => texts.push(text),
      onOmit: (omission) => omitted.push(omission),
    })
    .then(
      (round) => ({ round, fault: undefined }),
      (fault: unknown) => ({ round: undefined, fault: fault as ModelError }),
    )
  return { ...outcome, omitted, texts }
}

const refuses =
  (status: number, error: object, headers: Record<string, string> = {}): ModelBehaviour =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-should-retry': 'false', ...headers })
      .end(JSON.stringify({ error }))

const streams =
  (...pieces: string[]): ModelBehaviour =>
  (response) => {
    beginStream(response)
    for (const piece of pieces) response.write(piece)
    response.end('data: [DONE]\n\n')
  }
const usage = (value: unknown) => `data: ${JSON.stringify({ choices: [], usage: value })}\n\n`

describe('a request', () => {
  it('sends a key even to a server that needs none, sends no empty list of tools, and uses the server’s token count', async () => {
    const keys: unknown[] = []
    const { round } = await ask({
      behaviours: [
        (response, request) => {
          keys.push(request.headers.authorization)
          streams(
            chunk({ content: 'Hi' }),
            chunk({}, 'stop'),
            usage({ prompt_tokens: 7, completion_tokens: 2 }),
          )(response, request, server.requests[0] as never)
        },
      ],
    })
    expect(keys).toEqual(['Bearer none'])
    expect(server.requests[0]).not.toHaveProperty('tools')
    expect(server.requests[0]).not.toHaveProperty('reasoning_effort')
    expect(round).toEqual({ text: 'Hi', toolCalls: [], truncated: false, inputTokens: 7, outputTokens: 2 })
  })

  it.each([[{ prompt_tokens: -1, completion_tokens: 'x' }], [{ prompt_tokens: 1.5 }], [{}]])(
    'treats a count of %j as none',
    async (value) => {
      const { round } = await ask({ behaviours: [streams(chunk({ content: 'Hi' }, 'stop'), usage(value))] })
      expect([round?.inputTokens, round?.outputTokens]).toEqual([0, 0])
    },
  )

  it('reports that the model reached its limit', async () => {
    const { round } = await ask({ behaviours: [streams(chunk({ content: 'Hi' }), chunk({}, 'length'))] })
    expect(round).toMatchObject({ text: 'Hi', truncated: true })
  })
})

describe('calls of tools', () => {
  const part = (index: number, args: object) => chunk({ tool_calls: [{ index, ...args }] })

  it('get a unique id if the server sends none or repeats one', async () => {
    const { round } = await ask({
      tools: [aTool],
      behaviours: [
        streams(
          part(0, { id: 'a', function: { name: 'send' } }),
          part(0, { id: 'other', function: { arguments: '{}' } }),
          part(1, { id: 'a', function: { name: 'send', arguments: '{"n":1}' } }),
          part(2, { function: { name: 'send', arguments: '{}' } }),
          part(3, { id: 'b', function: { arguments: '{}' } }),
          chunk({}, 'tool_calls'),
        ),
      ],
    })
    const ids = round?.toolCalls.map(({ id }) => id) ?? []
    expect(round?.toolCalls.map(({ name }) => name)).toEqual(['send', 'send', 'send'])
    expect(ids[0]).toBe('a')
    expect(new Set(ids).size).toBe(3)
  })

  it('are complete at the end of the stream, although no reason is given', async () => {
    const { round } = await ask({
      tools: [aTool],
      behaviours: [streams(part(0, { id: 'a', function: { name: 'send', arguments: '{}' } }))],
    })
    expect(round?.toolCalls).toHaveLength(1)
  })
})

describe.each(apis)('calls of tools over %s', (api) => {
  const format = wireFormat({ url: `/${api}` })

  it.each([
    [128, undefined],
    [129, 'model_unreadable'],
  ])('are read up to 128: %i give %s', async (count, code) => {
    const manyCalls = Array.from({ length: count }, (_, index) =>
      format.call(index, { id: `c${index}`, name: 'send' }),
    )
    const { fault } = await ask({
      api,
      tools: [aTool],
      behaviours: [streams(...manyCalls, format.end('tool_calls'))],
    })
    expect(fault?.code).toBe(code)
  })

  it.each([
    [1_000_000, undefined],
    [1_000_001, 'model_unreadable'],
  ])('are read with a million letters of arguments together: %i give %s', async (length, code) => {
    const half = 'x'.repeat(500_000)
    const { fault } = await ask({
      api,
      tools: [aTool],
      behaviours: [
        streams(
          format.call(0, { id: 'a', name: 'send', args: half }),
          format.call(1, { id: 'b', name: 'send', args: half }),
          format.call(1, { args: 'y'.repeat(length - 1_000_000) }),
          format.end('tool_calls'),
        ),
      ],
    })
    expect(fault?.code).toBe(code)
  })
})

describe.each(apis)('an answer over %s that cannot be used', (api) => {
  it.each<[string, ModelBehaviour, string, string]>([
    ['an end without a word', streams(), 'model_empty', 'sent an empty reply'],
    ['an unknown status', refuses(418, {}), 'model_refused', 'did not accept this request'],
    ['a time-out of the server', refuses(504, {}), 'model_silent', 'did not answer in time'],
    ['a time-out of the request', refuses(408, {}), 'model_silent', 'did not answer in time'],
    ['a forbidden key', refuses(403, {}), 'model_key_refused', "refused this product's key"],
    [
      'an unknown model',
      refuses(404, { message: 'The model `m` does not exist' }),
      'model_unknown',
      'The configured model does not exist.',
    ],
    ['a path that is none', refuses(404, {}), 'model_server_missing', 'does not answer as a model does'],
    ['a fault', refuses(503, {}), 'model_broken', 'had a problem'],
    [
      'an error after the first words',
      streams(wireFormat({ url: `/${api}` }).text('Hi'), 'event: error\ndata: {"error":{"message":"x"}}\n\n'),
      'model_cut',
      'The reply was cut off.',
    ],
  ])('%s has its own error message', async (_, behaviour, code, userMessage) => {
    const { fault } = await ask({ api, behaviours: [behaviour] })
    expect(fault).toBeInstanceOf(ModelError)
    expect([fault?.code, fault?.userMessage]).toEqual([code, expect.stringContaining(userMessage)])
  })

  it.each([
    ['1', 1],
    ['0', undefined],
    ['soon', undefined],
  ])('passes on a wait of %s seconds as %s', async (header, seconds) => {
    const { fault } = await ask({ api, behaviours: [refuses(429, {}, { 'retry-after': header })] })
    expect(fault?.retryAfterSeconds).toBe(seconds)
  })

  it.each([
    [401, true],
    [404, true],
    [429, true],
    [400, true],
    [500, false],
    [504, false],
  ])('of status %i costs nothing: %s', async (status, isFree) => {
    const { fault } = await ask({ api, behaviours: [refuses(status, {})] })
    expect(isUnbilled(fault)).toBe(isFree)
  })

  it('costs nothing without a connection, but may be charged after a lost one', async () => {
    const afterCut = await ask({ api, behaviours: [(response) => response.socket?.destroy()] })
    expect([afterCut.fault?.code, isUnbilled(afterCut.fault)]).toEqual(['model_unreachable', false])
    await server.goDown()
    const whileDown = await ask({ api, behaviours: [says('never')] })
    await server.comeBack()
    expect([whileDown.fault?.code, isUnbilled(whileDown.fault)]).toEqual(['model_unreachable', true])
    expect(isUnbilled(new Error('ours'))).toBe(false)
  })
})

describe.each(apis)('a server of %s that is not ready yet', (api) => {
  it.each([
    ['2', 2],
    ['21', 1],
  ])('and says to wait %s seconds gets %i requests', async (seconds, requestCount) => {
    const { fault } = await ask({
      api,
      behaviours: [(response) => response.writeHead(429, { 'retry-after': seconds }).end('{}')],
    })
    expect(fault?.code).toBe('model_busy')
    expect(server.requests).toHaveLength(requestCount)
  })

  it('and names a time that is too far away gets one request', async () => {
    const time = new Date(Date.now() + 60_000).toUTCString()
    const { fault } = await ask({
      api,
      behaviours: [(response) => response.writeHead(429, { 'retry-after': time }).end('{}')],
    })
    expect([fault?.code, server.requests.length]).toEqual(['model_busy', 1])
  })
})

describe('a server that rejects a part of the request', () => {
  it.each([
    [400, 'Unsupported: image input'],
    [422, 'this model has no vision'],
    [404, 'not a multimodal model'],
    [400, 'messages.1.content must be a string'],
    [400, 'content has the wrong type'],
  ])('with %i "%s" gets images only as text, and the user is told', async (status, message) => {
    const { round, omitted } = await ask({
      messages: [{ role: 'assistant', content: 'Hm' }, image, question],
      behaviours: [refuses(status, { message }), says('Hi')],
    })
    expect([round?.text, omitted]).toEqual(['Hi', ['refusedImages']])
    expect(server.requests[1]?.messages).toEqual([
      { role: 'assistant', content: 'Hm' },
      {
        role: 'user',
        content: `See\n\nthis\n\n[The images could not be shown to you.]\n\n${question.content}`,
      },
    ])
  })

  it.each([
    [400, 'tools are not supported'],
    [422, 'Unknown field: tool_choice'],
    [404, 'No endpoints found that support function calling: functions'],
  ])('with %i "%s" gets no tools, and the user is told', async (status, message) => {
    const { round, omitted } = await ask({
      tools: [aTool],
      behaviours: [refuses(status, { message }), says('Hi')],
    })
    expect([round?.text, omitted]).toEqual(['Hi', ['tools']])
    expect(server.requests.map(({ tools }) => tools?.length)).toEqual([1, undefined])
  })

  // Bedrock behind a gateway: langgenius/dify#17545
  it.each([
    'BedrockException - {"message":"The toolConfig field must be defined when using toolUse and toolResult content blocks."}',
    "Bedrock doesn't support tool calling without `tools=` param specified.",
  ])('with earlier calls but no tools gets the calls in words: %s', async (message) => {
    const call = { id: 'a', type: 'function' as const, function: { name: 'send', arguments: '{}' } }
    const refusal = refuses(400, { message, code: '400' })
    const { round, omitted } = await ask({
      messages: [
        question,
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'a', content: 'sent' },
      ],
      behaviours: Array.from({ length: 3 }, (): ModelBehaviour => (response, request, body) => {
        const isDescribed = body.messages?.every(({ role }) => role !== 'tool')
        return (isDescribed ? says('Hi') : refusal)(response, request, body)
      }),
    })
    expect([round?.text, omitted]).toEqual(['Hi', []])
  })

  it('gets neither if it accepts neither', async () => {
    const { round, omitted } = await ask({
      messages: [image],
      tools: [aTool],
      behaviours: [refuses(400, { message: 'no tools' }), refuses(400, { message: 'no images' }), says('Hi')],
    })
    expect([round?.text, omitted]).toEqual(['Hi', ['tools', 'refusedImages']])
  })

  it('can reject reasoning first, then tools, then images', async () => {
    const { round, omitted } = await ask({
      messages: [image],
      tools: [aTool],
      behaviours: [
        refuses(400, { message: 'no', param: 'reasoning_effort' }),
        refuses(400, { message: 'reasoning_effort: unknown' }),
        refuses(400, { message: 'no images' }),
        says('Hi'),
      ],
    })
    expect([round?.text, omitted]).toEqual(['Hi', ['tools', 'refusedImages']])
    expect(server.requests.map(({ reasoning_effort }) => reasoning_effort)).toEqual([
      undefined,
      'none',
      undefined,
      undefined,
    ])
  })

  it.each<[string, { status?: number; message: string; messages?: ModelMessage[]; tools?: ModelTool[] }]>([
    ['images that it did not get', { message: 'no images' }],
    ['tools that it did not get', { message: 'no tools' }],
    ['reasoning without tools', { message: 'reasoning_effort' }],
    ['something else', { message: 'no', tools: [aTool] }],
    ['everything, with another status', { status: 500, message: 'no tools', tools: [aTool] }],
    ['a toolbox', { message: 'no toolbox', tools: [aTool] }],
  ])('that is %s causes an error', async (_, { status = 400, message, ...request }) => {
    const { fault, omitted } = await ask({
      ...request,
      behaviours: [refuses(status, { message })],
    })
    expect(fault).toBeInstanceOf(ModelError)
    expect(omitted).toEqual([])
    // once more without what no reply misses
    expect(server.requests).toHaveLength(status === 400 ? 2 : 1)
  })

  it('again and again gets a limited number of requests', async () => {
    const { fault } = await ask({
      messages: [image],
      tools: [aTool],
      behaviours: [refuses(400, { message: 'no tools, no images, no reasoning_effort' })],
    })
    expect(fault?.code).toBe('model_refused')
    expect(server.requests.length).toBeLessThanOrEqual(5)
  })
})

it('text is passed on as it is written, before the calls that follow it', async () => {
  const { round, texts } = await ask({
    tools: [aTool],
    behaviours: [
      (response, request, body) => {
        beginStream(response)
        response.write(chunk({ content: '' }))
        response.write(chunk({ content: 'Let me ' }))
        response.write(chunk({ content: 'see.' }))
        const rest = calls({ id: 'a', name: 'send', arguments: '{}' })
        // the stream has begun already
        response.writeHead = () => response
        return rest(response, request, body)
      },
    ],
  })
  expect(texts).toEqual(['Let me ', 'see.'])
  expect(round).toMatchObject({ text: 'Let me see.', toolCalls: [{ id: 'a' }] })
})

describe('earlier calls of tools', () => {
  const earlierMessages: ModelMessage[] = [
    question,
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'send', arguments: '{"to":"ann"}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'sent' },
    { role: 'assistant', content: 'Done.' },
    question,
  ]
  const refusal = refuses(400, { message: 'This model does not support tools.' })

  it.each([
    ['no tools', [], []],
    ['tools', [aTool], ['tools']],
  ])(
    'are described in text to a server that accepts no tools, in a request that offers %s',
    async (_, tools, expectedOmissions) => {
      const { round, omitted } = await ask({
        behaviours: [refusal, says('Yes')],
        messages: earlierMessages,
        tools,
      })
      expect(round?.text).toBe('Yes')
      expect(omitted).toEqual(expectedOmissions)
      expect(server.requests[1]).not.toHaveProperty('tools')
      expect(server.requests[1]?.messages).toEqual([
        question,
        {
          role: 'assistant',
          content: '[A tool was called here: send with {"to":"ann"}. It answered: sent]\n\nDone.',
        },
        question,
      ])
    },
  )
})

it.each<[ModelApi, string, (body: Record<string, unknown>) => unknown]>([
  ['responses', 'Unsupported parameter: max_tool_calls', (body) => body['max_tool_calls']],
  [
    'messages',
    'tools.0.web_search_20250305.max_uses: Extra inputs are not permitted',
    (body) => (body['tools'] as { max_uses?: number }[])[0]?.max_uses,
  ],
])('a server that takes no limit of searches over %s is asked without it', async (api, message, read) => {
  const bodies: Record<string, unknown>[] = []
  const model = openModel({
    api,
    baseUrl: 'https://models.example.org/v1',
    model: 'm',
    readKey: async () => 'k',
    webSearch: true,
    fetch: async (_, init) => {
      bodies.push(JSON.parse(init?.body as string) as Record<string, unknown>)
      return Response.json({ error: { message } }, { status: 400 })
    },
  })
  const asking = model.complete({
    messages: [question],
    tools: [],
    maxWebSearches: 4,
    signal: new AbortController().signal,
    onText: () => undefined,
    onOmit: () => undefined,
  })
  await expect(asking).rejects.toMatchObject({ code: 'model_refused' })
  expect(bodies.slice(0, 2).map(read)).toEqual([4, undefined])
  expect(JSON.stringify(bodies[1])).toContain('web_search')
})

it.each<[ModelApi, string | undefined, object]>([
  ['chat', 'https://api.openai.com/v1', { max_completion_tokens: 500 }],
  ['chat', 'https://mine.openai.azure.com/openai/v1', { max_completion_tokens: 500 }],
  ['chat', 'https://models.example.org/v1', { max_tokens: 500 }],
  ['responses', undefined, { max_output_tokens: 500 }],
  ['messages', 'https://api.anthropic.com/v1', { max_tokens: 500 }],
])('the longest answer is a setting of all APIs: %s at %s', async (api, baseUrl, expected) => {
  const bodies: unknown[] = []
  const model = openModel({
    api,
    baseUrl,
    model: 'm',
    readKey: async () => 'k',
    maxOutputTokens: 500,
    fetch: async (_, init) => {
      bodies.push(JSON.parse(init?.body as string))
      return Response.json(
        { error: { message: 'Unsupported parameter: max_tokens', param: 'max_tokens' } },
        { status: 400 },
      )
    },
  })
  await expect(
    model.complete({
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [],
      signal: new AbortController().signal,
      onText: () => undefined,
      onOmit: () => undefined,
    }),
  ).rejects.toMatchObject({ code: 'model_refused' })
  expect(bodies[0]).toMatchObject(expected)
  // Messages wants one; others go without it where it is refused
  expect(Object.keys(bodies[1] as object).filter((name) => name.startsWith('max_'))).toEqual(
    api === 'messages' ? ['max_tokens'] : [],
  )
})
