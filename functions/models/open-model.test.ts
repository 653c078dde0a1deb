import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  calls,
  reasonsByDefault,
  says,
  startFakeModel,
  takesNoTools,
  wireFormat,
  type ModelBehaviour,
} from '../../test/support/fake-model-server.ts'
import { pngOf } from '../../test/support/png-of.ts'
import type { ModelCall, ModelTool } from './model.ts'
import { isUnbilled } from './model-errors.ts'
import { openModel } from './open-model.ts'
import { toIdleTimeout } from './stream-limits.ts'

let server: Awaited<ReturnType<typeof startFakeModel>> | undefined
afterEach(() => server?.close())

const aTool = {
  type: 'function' as const,
  function: { name: 'send', description: 'Sends', parameters: { type: 'object', properties: {} } },
}

const pngUrl = (width: number, height: number) =>
  `data:image/png;base64,${pngOf(width, height).toString('base64')}`

const askFor = (tools: ModelTool[], omitted: string[] = []): ModelCall => ({
  messages: [{ role: 'user', content: 'hi' }],
  tools,
  signal: new AbortController().signal,
  onText: () => undefined,
  onOmit: (omission) => omitted.push(omission),
})

/** Calls the model twice with a tool, as two rounds of a reply do. */
async function completeTwiceWithTools(behaviour: ModelBehaviour) {
  server = await startFakeModel(behaviour)
  const omitted: string[] = []
  const model = openModel({ api: 'chat', baseUrl: server.baseUrl, model: 'm', readKey: async () => 'k' })
  const ask = () => model.complete(askFor([aTool], omitted))
  const rounds = [await ask(), await ask()]
  const requests = server.requests.map(({ tools, reasoning_effort }) => [
    tools?.length ?? 0,
    reasoning_effort,
  ])
  return { rounds, omitted, requests }
}

it('a model that reasons by default gets its tools, and the server’s requirements are learned once', async () => {
  const { rounds, omitted, requests } = await completeTwiceWithTools(
    reasonsByDefault(calls({ id: 'a', name: 'send', arguments: '{}' })),
  )
  expect(rounds.map(({ toolCalls }) => toolCalls[0]?.name)).toEqual(['send', 'send'])
  expect(omitted).toEqual([])
  expect(requests).toEqual([
    [1, undefined],
    [1, 'none'],
    [1, 'none'],
  ])
})

it('two simultaneous replies of a model that reasons by default both get their tools', async () => {
  const bothAsked = Promise.withResolvers<void>()
  let requestCount = 0
  const respond = reasonsByDefault(calls({ id: 'a', name: 'send', arguments: '{}' }))
  server = await startFakeModel(async (response, request, body) => {
    requestCount += 1
    if (requestCount === 2) bothAsked.resolve()
    await bothAsked.promise
    return respond(response, request, body)
  })
  const omitted: string[] = []
  const model = openModel({ api: 'chat', baseUrl: server.baseUrl, model: 'm', readKey: async () => 'k' })
  const ask = () => model.complete(askFor([aTool], omitted))
  const rounds = await Promise.all([ask(), ask()])
  expect(omitted).toEqual([])
  expect(rounds.map(({ toolCalls }) => toolCalls[0]?.name)).toEqual(['send', 'send'])
})

it('tools that a server rejects are never left out silently', async () => {
  const { rounds, omitted, requests } = await completeTwiceWithTools(takesNoTools(says('Hello')))
  expect(rounds.map(({ text }) => text)).toEqual(['Hello', 'Hello'])
  expect(omitted).toEqual(['tools', 'tools'])
  expect(requests.filter(([tools]) => tools === 0)).toHaveLength(2)
})

const refuses =
  (status: number, error: object): ModelBehaviour =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))

/** Takes no tools, and says so in OpenAI's code. */
const rejectsTools: ModelBehaviour = (response, request, body) =>
  body.tools
    ? refuses(400, {
        message: "Unsupported parameter: 'tools' is not supported with this model.",
        type: 'invalid_request_error',
        param: 'tools',
        code: 'unsupported_parameter',
      })(response, request, body)
    : says('Hello')(response, request, body)

describe('the API "auto"', () => {
  /** Records the API of each request, and responds with `Hi`. */
  const recorder = (paths: string[]): typeof fetch => {
    return async (input) => {
      const { host, pathname } = new URL(input instanceof Request ? input.url : input)
      paths.push(`${host}${pathname}`)
      const format = wireFormat({ url: pathname })
      const headers = { 'content-type': 'text/event-stream' }
      return new Response(format.text('Hi') + format.end(), { headers })
    }
  }

  it.each([
    [undefined, 'api.openai.com/v1/responses'],
    ['https://api.openai.com/v1', 'api.openai.com/v1/responses'],
    ['https://eu.api.openai.com/v1', 'eu.api.openai.com/v1/responses'],
    ['https://openrouter.ai/api/v1', 'openrouter.ai/api/v1/chat/completions'],
    ['https://fake-api.openai.com.example.org/v1', 'fake-api.openai.com.example.org/v1/chat/completions'],
  ])('calls the server at %s over the API that it supports', async (baseUrl, path) => {
    const paths: string[] = []
    const model = openModel({
      api: 'auto',
      baseUrl,
      model: 'm',
      readKey: async () => 'k',
      fetch: recorder(paths),
    })
    expect((await model.complete(askFor([]))).text).toBe('Hi')
    expect(paths).toEqual([path])
  })

  /** A server whose two APIs behave differently. @returns the paths asked */
  async function startServer(behaviours: { chat: ModelBehaviour; responses: ModelBehaviour }) {
    const paths: string[] = []
    server = await startFakeModel((response, request, body) => {
      paths.push(request.url?.replace('/v1/', '') ?? '')
      const behave = request.url?.endsWith('/responses') ? behaviours.responses : behaviours.chat
      return behave(response, request, body)
    })
    return {
      paths,
      model: openModel({ api: 'auto', baseUrl: server.baseUrl, model: 'm', readKey: async () => '' }),
    }
  }

  it('uses Responses if Chat Completions points to it, with reasoning, and remembers that', async () => {
    const { paths, model } = await startServer({
      chat: reasonsByDefault(says('never')),
      responses: calls({ id: 'a', name: 'send', arguments: '{}' }),
    })
    const omitted: string[] = []
    for (const _ of [1, 2])
      expect((await model.complete(askFor([aTool], omitted))).toolCalls[0]?.name).toBe('send')
    expect(paths).toEqual(['chat/completions', 'responses', 'responses'])
    expect(omitted).toEqual([])
  })

  it('requests no reasoning if the server has no Responses API', async () => {
    const { paths, model } = await startServer({
      chat: reasonsByDefault(calls({ id: 'a', name: 'send', arguments: '{}' })),
      responses: refuses(404, { message: 'Not Found' }),
    })
    const omitted: string[] = []
    for (const _ of [1, 2])
      expect((await model.complete(askFor([aTool], omitted))).toolCalls[0]?.name).toBe('send')
    // the first response took three rejections
    expect(paths.slice(0, 4)).toEqual([
      'chat/completions',
      'responses',
      'chat/completions',
      'chat/completions',
    ])
    expect(paths.slice(4)).toEqual(['chat/completions'])
    expect(omitted).toEqual([])
  })

  it('says each time that the effort was not used', async () => {
    const { model } = await startServer({
      chat: reasonsByDefault(calls({ id: 'a', name: 'send', arguments: '{}' })),
      responses: refuses(404, { message: 'Not Found' }),
    })
    for (const _ of [1, 2]) {
      const omitted: string[] = []
      await model.complete({ ...askFor([aTool], omitted), effort: 'high' })
      expect(omitted).toEqual(['effort'])
    }
  })

  it('uses Chat Completions if a server has no Responses API, but not because of an unknown model', async () => {
    const paths: string[] = []
    const open = (respond: () => Response) =>
      openModel({
        api: 'auto',
        baseUrl: undefined,
        model: 'm',
        readKey: async () => 'k',
        fetch: async (input, init) =>
          (input instanceof Request ? input.url : input.toString()).endsWith('/responses')
            ? respond()
            : recorder(paths)(input, init),
      })
    const modelWithoutResponses = open(() =>
      Response.json({ error: { message: 'Invalid URL (POST /v1/responses)' } }, { status: 404 }),
    )
    expect((await modelWithoutResponses.complete(askFor([]))).text).toBe('Hi')
    const error = { message: 'The model `m` does not exist', code: 'model_not_found' }
    const unknownModel = open(() => Response.json({ error }, { status: 404 }))
    await expect(unknownModel.complete(askFor([]))).rejects.toMatchObject({ code: 'model_unknown' })
    expect(paths).toEqual(['api.openai.com/v1/chat/completions'])
  })
})

it('a model that its server is loading is waited for, without a charge if it does not come', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] })
  try {
    const isLoading = { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } }
    const answers = [503, 503, 200].map(
      (status) => () =>
        status === 200
          ? Response.json({ choices: [{ message: { content: 'Loaded' }, finish_reason: 'stop' }] })
          : Response.json(isLoading, { status }),
    )
    const respond = { next: () => answers.shift()?.() ?? Response.json(isLoading, { status: 503 }) }
    const model = openModel({
      api: 'chat',
      baseUrl: 'http://127.0.0.1:9/v1',
      model: 'm',
      readKey: async () => 'k',
      fetch: async () => respond.next(),
    })
    const asking = model.complete(askFor([]))
    await vi.advanceTimersByTimeAsync(1_000 + 2_000)
    expect((await asking).text).toBe('Loaded')
    const failing = model.complete(askFor([])).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(130_000)
    const error = await failing
    expect(error).toMatchObject({ code: 'model_loading' })
    expect(isUnbilled(error)).toBe(true)
    const stop = new AbortController()
    const stopped = model.complete({ ...askFor([]), signal: stop.signal }).catch((reason: unknown) => reason)
    await vi.advanceTimersByTimeAsync(500)
    stop.abort(new Error('stopped'))
    expect(await stopped).toMatchObject({ message: 'stopped' })
  } finally {
    vi.useRealTimers()
  }
})

describe('a wait that a busy server names', () => {
  const whole = (content: string) =>
    Response.json({ choices: [{ message: { content }, finish_reason: 'stop' }] })
  const busy = (seconds: string, status = 429) =>
    Response.json({ error: { message: 'busy' } }, { status, headers: { 'retry-after': seconds } })
  function ask(...responses: (() => Response)[]) {
    const waits: number[] = []
    const stop = new AbortController()
    const left = [...responses]
    const model = openModel({
      api: 'chat',
      baseUrl: 'http://127.0.0.1:9/v1',
      model: 'm',
      readKey: async () => 'k',
      fetch: async () => (left.shift() ?? (() => whole('done')))(),
    })
    const asking = model
      .complete({ ...askFor([]), signal: stop.signal, onWait: (seconds) => waits.push(seconds) })
      .catch((error: unknown) => error)
    return { asking, waits, stop, countLeft: () => left.length }
  }
  const inWords = () =>
    Response.json({ error: { message: 'Rate limit reached. Please try again in 4s.' } }, { status: 429 })
  const inStream = () =>
    new Response(`data: {"error":{"code":429,"message":"Slow down. Please try again in 4s."}}\n\n`)

  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
  afterEach(() => vi.useRealTimers())

  it.each<[string, () => Response, number]>([
    ['a header', () => busy('20'), 20],
    ['a header of 503', () => busy('3', 503), 3],
    ['words', inWords, 4],
    ['words in the stream', inStream, 4],
  ])('is waited for once, in %s', async (_, respond, seconds) => {
    const { asking, waits, countLeft } = ask(respond, () => whole('done'))
    await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1)
    expect([waits, countLeft()]).toEqual([[seconds], 1])
    await vi.advanceTimersByTimeAsync(1)
    expect(await asking).toMatchObject({ text: 'done' })
  })

  it.each<[string, (() => Response)[], object]>([
    ['a second time', [() => busy('3'), () => busy('3')], { code: 'model_busy', retryAfterSeconds: 3 }],
    ['if it is long', [() => busy('21')], { code: 'model_busy' }],
    [
      'after the first word',
      [
        () =>
          new Response(
            'data: {"choices":[{"delta":{"content":"A"}}]}\n\ndata: {"error":{"code":429,"message":"Try again in 4s"}}\n\n',
          ),
      ],
      { code: 'model_cut', userMessage: expect.stringContaining('in 4 seconds') as string },
    ],
    [
      'for a limit of a day',
      [
        () =>
          Response.json(
            { error: { code: 'insufficient_quota', message: 'x' } },
            { status: 429, headers: { 'retry-after': '5' } },
          ),
      ],
      { code: 'model_no_credit' },
    ],
  ])('is not waited for %s', async (_, responses, error) => {
    const { asking, countLeft } = ask(...responses, () => whole('too much'))
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await asking).toMatchObject(error)
    expect(countLeft()).toBe(1)
  })

  it('ends when the reply is stopped', async () => {
    const { asking, stop } = ask(() => busy('20'))
    await vi.advanceTimersByTimeAsync(500)
    stop.abort(new Error('stopped'))
    expect(await asking).toMatchObject({ message: 'stopped' })
  })
})

describe('what a server rejects', () => {
  const open = () => {
    if (!server) throw new Error('no server')
    return openModel({ api: 'chat', baseUrl: server.baseUrl, model: 'm', readKey: async () => '' })
  }

  it('is tried again after a quarter of an hour', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    server = await startFakeModel(rejectsTools)
    const model = open()
    const countRequests = async () => {
      const countBefore = server?.requests.length ?? 0
      await model.complete(askFor([aTool]))
      return (server?.requests.length ?? 0) - countBefore
    }
    const counts = [await countRequests(), await countRequests(), await countRequests()]
    vi.setSystemTime(Date.now() + 15 * 60_000)
    counts.push(await countRequests())
    vi.useRealTimers()
    expect(counts).toEqual([2, 1, 1, 2])
  })

  it('is not remembered of tools while another request with tools is accepted', async () => {
    const gate = Promise.withResolvers<void>()
    const slow: ModelBehaviour = async (response, request, body) => {
      await gate.promise
      return says('slow')(response, request, body)
    }
    server = await startFakeModel(slow, rejectsTools, rejectsTools, says('last'))
    const model = open()
    const accepted = model.complete(askFor([aTool]))
    await vi.waitUntil(() => server?.requests.length === 1)
    await model.complete(askFor([aTool]))
    gate.resolve()
    await accepted
    await model.complete(askFor([aTool]))
    expect(server.requests.map(({ tools }) => tools?.length ?? 0)).toEqual([1, 1, 0, 1])
  })

  it.each([
    ['tools: too many', {}],
    ['tools are not supported by this model', {}],
  ])('in words is left out of this request, and never taken from others: %s', async (message, fields) => {
    const refuse = refuses(400, { message, ...fields })
    server = await startFakeModel(refuse, says('Hi'), refuse, says('Hi'), says('Hi'))
    const model = open()
    const omitted: string[] = []
    for (const _ of [1, 2, 3]) await model.complete(askFor([aTool], omitted))
    expect(omitted).toEqual(['tools', 'tools'])
    expect(server.requests.map(({ tools }) => tools?.length ?? 0)).toEqual([1, 0, 1, 0, 1])
  })

  it.each([
    'Function call is missing a thought_signature in functionCall parts.',
    'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
    'The `reasoning_content` in the thinking mode must be passed back to the API.',
  ])('may be calls of another model: they are described, and tools stay: %s', async (message) => {
    const refuse = refuses(400, { message })
    server = await startFakeModel((response, request, body) =>
      body.messages.some(({ tool_calls: calls }) => calls)
        ? refuse(response, request, body)
        : says('Hi')(response, request, body),
    )
    const omitted: string[] = []
    const round = await open().complete({
      ...askFor([aTool], omitted),
      messages: [
        { role: 'user', content: 'a' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'find', arguments: '{"q":1}' } }],
          answer: { api: 'chat', model: 'another', items: [{ reasoning_content: 'Hm' }] },
        },
        { role: 'tool', tool_call_id: 'c', content: 'found' },
      ],
    })
    expect([round.text, omitted]).toEqual(['Hi', []])
    expect(server.requests[1]).toMatchObject({
      tools: [{}],
      messages: [
        { role: 'user' },
        {
          role: 'assistant',
          content: '[A tool was called here: find with {"q":1}. It answered: found]',
        },
      ],
    })
  })

  it('is not remembered if the request fails without it too', async () => {
    const unsupported = refuses(400, { message: 'no tools', code: 'unsupported_parameter', param: 'tools' })
    server = await startFakeModel(unsupported, refuses(401, { message: 'no' }), says('Hi'))
    const model = open()
    await expect(model.complete(askFor([aTool]))).rejects.toMatchObject({ code: 'model_key_refused' })
    await model.complete(askFor([aTool]))
    expect(server.requests.map(({ tools }) => tools?.length ?? 0)).toEqual([1, 0, 1])
  })

  // agno-agi/agno#4090, huggingface/smolagents#1119: frequent, at random, and about this call only
  it('is not a call that the model wrote badly: it is asked once more, with its tools', async () => {
    const failed = refuses(400, {
      message:
        "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
      type: 'invalid_request_error',
      code: 'tool_use_failed',
      failed_generation: '<function=send{}>',
    })
    server = await startFakeModel(failed, says('1'), failed, failed, says('2'))
    const model = open()
    const omitted: string[] = []
    expect((await model.complete(askFor([aTool], omitted))).text).toBe('1')
    await expect(model.complete(askFor([aTool], omitted))).rejects.toMatchObject({ code: 'model_bad_call' })
    expect((await model.complete(askFor([aTool], omitted))).text).toBe('2')
    expect(omitted).toEqual([])
    expect(server.requests.map(({ tools }) => tools?.length ?? 0)).toEqual([1, 1, 1, 1, 1])
  })

  // FlowiseAI/Flowise#2866, anomalyco/opencode#4698; FastAPI names the field in `loc`
  it.each([
    [
      400,
      {
        error: {
          message: "Extra inputs are not permitted, field: 'stream_options'",
          type: 'invalid_request_error',
        },
      },
    ],
    [
      422,
      {
        detail: [
          { type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' },
        ],
      },
    ],
  ])('is remembered of a parameter that no reply misses, without a notice: %i %j', async (status, body) => {
    const paths: boolean[] = []
    server = await startFakeModel((response, request, sent) => {
      const hasOptions = 'stream_options' in sent
      paths.push(hasOptions)
      return hasOptions
        ? response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
        : says('Fine')(response, request, sent)
    })
    const model = open()
    const omitted: string[] = []
    for (const _ of [1, 2]) expect((await model.complete(askFor([], omitted))).text).toBe('Fine')
    expect(paths).toEqual([true, false, false])
    expect(omitted).toEqual([])
  })

  it('in words that nobody knows is tried without all that no reply misses, and not remembered', async () => {
    const sent: boolean[] = []
    server = await startFakeModel((response, request, body) => {
      sent.push('stream_options' in body)
      return sent.at(-1)
        ? refuses(400, { message: 'Bad request' })(response, request, body)
        : says('Fine')(response, request, body)
    })
    const model = open()
    for (const _ of [1, 2]) expect((await model.complete(askFor([]))).text).toBe('Fine')
    expect(sent).toEqual([true, false, true, false])
  })

  it('is announced with the first of an answer that goes without it, and not if there is none', async () => {
    const refuse = refuses(400, { message: 'no tools' })
    server = await startFakeModel(
      refuse,
      refuses(404, { message: 'No endpoints found that support tool use.' }),
    )
    const omitted: string[] = []
    await expect(open().complete(askFor([aTool], omitted))).rejects.toMatchObject({ code: 'model_refused' })
    expect(omitted).toEqual([])
    server.behave(refuse, says('Hello'))
    const events: string[] = []
    await open().complete({
      ...askFor([aTool]),
      onText: (text) => events.push(text),
      onOmit: (omission) => events.push(omission),
    })
    expect(events).toEqual(['tools', 'Hello'])
  })

  it('is one tool: it is simplified, then left out alone, and the next requests know', async () => {
    const format = { type: 'string', default: 'today' }
    const other: ModelTool = {
      type: 'function',
      function: { name: '3d_print', parameters: { properties: { 'a b': format }, required: ['a b'] } },
    }
    const refusal = refuses(400, {
      message: "Invalid schema for function 'send'",
      param: 'tools[0].function.parameters',
    })
    server = await startFakeModel((response, request, body) =>
      (body.tools?.some(({ function: tool }) => tool.name === 'send')
        ? refusal
        : calls({ id: 'x', name: 't_3d_print', arguments: '{"a_b":"today"}' }))(response, request, body),
    )
    const model = open()
    const omissions: unknown[] = []
    const inputs: string[] = []
    const call: ModelCall = {
      ...askFor([
        { ...aTool, function: { ...aTool.function, parameters: { properties: { a: format } } } },
        other,
      ]),
      onOmit: (omission, omitted) => omissions.push(omission, omitted?.names),
      onToolInput: ({ name }) => inputs.push(name),
    }
    const round = await model.complete(call)
    await model.complete(call)
    expect(round.toolCalls).toEqual([{ id: 'x', name: '3d_print', arguments: '{"a b":"today"}' }])
    expect(new Set(inputs)).toEqual(new Set(['3d_print']))
    expect(omissions).toEqual(['someTools', ['send'], 'someTools', ['send']])
    const sent = server.requests.map(({ tools }) => tools?.map(({ function: tool }) => tool))
    expect(sent).toMatchObject([
      [{ name: 'send', parameters: { properties: { a: format } } }, { name: 't_3d_print' }],
      [{ name: 'send', parameters: { properties: { a: { type: 'string' } } } }, {}],
      [{ name: 't_3d_print', parameters: { properties: { a_b: format } } }],
      [{ name: 't_3d_print' }],
    ])
  })

  it.each<[string, number]>([
    ['Failed to initialize samplers: failed to parse grammar', 400],
    ['Failed to initialize samplers: failed to parse grammar', 500],
    ['Words that nobody knows', 400],
  ])('is the schema of a tool that it does not name: %s, %i', async (message, status) => {
    const define = (name: string, more: object = {}): ModelTool => ({
      ...more,
      type: 'function',
      function: { name, parameters: { properties: { a: { type: 'string', default: 'x' } } } },
    })
    const refusal = refuses(status, { message })
    server = await startFakeModel((response, request, body) =>
      (body.tools?.some(({ function: tool }) => tool.name === 'look') ? refusal : says('hi'))(
        response,
        request,
        body,
      ),
    )
    const model = open()
    const omissions: unknown[] = []
    const call: ModelCall = {
      ...askFor([define('send'), define('look', { isForeign: true })]),
      onOmit: (omission, omitted) => omissions.push(omission, omitted?.names),
    }
    expect(await model.complete(call)).toMatchObject({ text: 'hi' })
    expect(omissions).toEqual(['someTools', ['look']])
    const first = server.requests.length
    await model.complete(call)
    expect(server.requests.length).toBe(first + 1)
    const sent = server.requests.map(({ tools }) => JSON.stringify(tools))
    expect(sent.filter((tools) => tools.includes('isForeign'))).toEqual([])
    expect(sent.findIndex((tools) => !tools.includes('default'))).toBe(status === 500 ? 2 : 1)
    expect(server.requests.slice(-2).map(({ tools }) => tools?.map((tool) => tool.function.name))).toEqual([
      ['send'],
      ['send'],
    ])
  })

  it('is one of many tools of servers: halves find it, and what its server has taken stays', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `tool${index}`)
    const toTools = (bad: readonly string[]): ModelTool[] =>
      names.map((name) => ({
        type: 'function',
        isForeign: true,
        function: { name, description: bad.includes(name) ? 'refused' : '', parameters: {} },
      }))
    const fake = await startFakeModel((response, request, body) =>
      (JSON.stringify(body.tools ?? []).includes('refused')
        ? refuses(400, { message: 'failed to parse grammar' })
        : says('hi'))(response, request, body),
    )
    server = fake
    const model = open()
    const counts: number[] = []
    const ask = async (bad: readonly string[]) => {
      const before = fake.requests.length
      await model.complete(askFor(toTools(bad)))
      counts.push(fake.requests.length - before)
      return fake.requests.at(-1)?.tools?.map(({ function: tool }) => tool.name)
    }
    const without = (...left: readonly string[]) => names.filter((name) => !left.includes(name))
    // 12 are refused, 6, 3, 1: found; the others are taken
    expect(await ask(['tool0'])).toEqual(without('tool0'))
    expect(await ask(['tool0'])).toEqual(without('tool0'))
    // new ones beside those that were taken: 7 and 9 are refused, then 7 alone; then both new ones wait. Then 9 alone
    expect(await ask(['tool0', 'tool7', 'tool9'])).toEqual(without('tool0', 'tool7', 'tool9'))
    expect(await ask(['tool0', 'tool7', 'tool9'])).toEqual(without('tool0', 'tool7', 'tool9'))
    expect(counts).toEqual([5, 1, 4, 2])
  })

  it('is in the last half of them: each answer has more tools', async () => {
    server = await startFakeModel((response, request, body) =>
      (body.tools?.some(({ function: tool }) => tool.name === 'tool7')
        ? refuses(400, { message: 'failed to parse grammar' })
        : says('hi'))(response, request, body),
    )
    const tools = Array.from({ length: 8 }, (_, index): ModelTool => ({
      type: 'function',
      isForeign: true,
      function: { name: `tool${index}`, parameters: {} },
    }))
    const model = open()
    const counts: unknown[] = []
    for (let round = 0; round < 5; round += 1) {
      await model.complete(askFor(tools))
      counts.push(server.requests.at(-1)?.tools?.length)
    }
    expect(counts).toEqual([4, 6, 7, 7, 7])
    const requests = server.requests.length
    await model.complete(askFor(tools))
    expect(server.requests.length).toBe(requests + 1)
  })

  it('is a schema of the product: the reply goes without tools, and says so', async () => {
    server = await startFakeModel((response, request, body) =>
      (body.tools ? refuses(400, { message: 'failed to parse grammar' }) : says('hi'))(
        response,
        request,
        body,
      ),
    )
    const omitted: string[] = []
    expect(await open().complete(askFor([aTool], omitted))).toMatchObject({ text: 'hi' })
    expect(omitted).toEqual(['tools'])
  })

  it('is no tool, if the server says the same without those that it does not name', async () => {
    server = await startFakeModel((response, request, body) =>
      (JSON.stringify(body.messages).includes('image_url')
        ? refuses(400, { message: 'Nobody knows' })
        : says('hi'))(response, request, body),
    )
    const omitted: string[] = []
    const call = askFor([aTool, { ...aTool, isForeign: true, function: { name: 'look' } }], omitted)
    const url = 'data:image/png;base64,AA=='
    await open().complete({
      ...call,
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
    })
    expect(omitted).toEqual(['refusedImages'])
    expect(server.requests.at(-1)?.tools).toHaveLength(2)
  })

  it('is one picture: it is left out alone, by its place or as the newest', async () => {
    const picture = (data: string) => ({
      type: 'image_url' as const,
      image_url: { url: `data:image/png;base64,${data}` },
    })
    const messages = ['AA==', 'BB==', 'CC=='].map((data) => ({
      role: 'user' as const,
      content: [{ type: 'text' as const, text: data }, picture(data)],
    }))
    const [first, second, third] = messages
    if (!first || !second || !third) return
    const bad = async (error: object, data: string) => {
      server = await startFakeModel((response, request, body) =>
        (JSON.stringify(body.messages).includes(`base64,${data}`) ? refuses(400, error) : says('Seen'))(
          response,
          request,
          body,
        ),
      )
      const omitted: string[] = []
      const call = {
        ...askFor([], omitted),
        messages: [
          first,
          { role: 'assistant' as const, content: 'One' },
          second,
          { role: 'assistant' as const, content: 'Two' },
          third,
        ],
      }
      expect((await open().complete(call)).text).toBe('Seen')
      const sent = JSON.stringify(server.requests.at(-1)?.messages)
      return {
        omitted,
        requests: server.requests.length,
        images: sent.match(/[ABC]{2}==(?=")/g)?.join(),
        sent,
      }
    }
    const named = await bad(
      { message: 'Invalid image.', param: 'messages[2].content[1].image_url.url' },
      'BB',
    )
    expect(named).toMatchObject({ omitted: ['someImages'], requests: 2 })
    expect(named.sent).not.toContain('base64,BB')
    expect(named.sent).toContain('base64,CC')
    const newest = await bad({ message: 'Could not process image' }, 'CC')
    expect(newest).toMatchObject({ omitted: ['someImages'], requests: 2 })
    expect(newest.sent).toContain('base64,BB')
  })

  it('is a picture that a tool returned: its neighbours stay, and it is not sent again', async () => {
    const answersWhole: ModelBehaviour = (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          type: 'message',
          content: [{ type: 'text', text: 'ok' }],
          stop_reason: 'end_turn',
        }),
      )
    const data = (letter: string) => `${letter.repeat(2)}==`
    server = await startFakeModel((response, request, body) =>
      (JSON.stringify(body).includes(data('B'))
        ? refuses(400, {
            message: `messages.2.content.0.tool_result.content.2.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels`,
          })
        : answersWhole)(response, request, body),
    )
    const model = openModel({
      api: 'messages',
      baseUrl: server.baseUrl,
      model: 'm',
      readKey: async () => 'k',
    })
    const omissions: unknown[] = []
    const image = (letter: string) => ({ url: `data:image/png;base64,${data(letter)}` })
    const fn = { name: 'send', arguments: '{}' }
    const call: ModelCall = {
      ...askFor([aTool]),
      messages: [
        { role: 'user', content: 'look' },
        { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: fn }] },
        { role: 'tool', tool_call_id: 'c', content: 'seen', images: [image('A'), image('B')] },
      ],
      onOmit: (...omitted) => omissions.push(omitted),
    }
    await model.complete(call)
    expect(omissions).toEqual([['someImages', { names: ['1 KB'], limit: '8000 pixels' }]])
    expect(JSON.stringify(server.requests.at(-1))).toContain(data('A'))
    const first = server.requests.length
    await model.complete({
      ...call,
      messages: [...call.messages, { role: 'assistant', content: 'A.' }, { role: 'user', content: 'and?' }],
    })
    expect([server.requests.length - first, omissions.length]).toEqual([1, 1])
    expect(JSON.stringify(server.requests.at(-1))).toContain('could not be shown')
  })

  it('is a picture that is too large: it is made smaller, before a server has to say so, and once more if it says so', async () => {
    const tall = pngUrl(400, 9_000)
    const wide = pngUrl(3_000, 100)
    const asked: unknown[] = []
    server = await startFakeModel((response, request, body) =>
      (JSON.stringify(body).includes(wide)
        ? refuses(400, {
            message: 'The image exceeds the limit of 1200 pixels',
            param: 'messages[0].content[3].image_url',
          })
        : says('Seen'))(response, request, body),
    )
    const model = openModel({
      api: 'chat',
      baseUrl: server.baseUrl,
      model: 'm',
      readKey: async () => 'k',
      scaleImage: async (base64, { maxSide }) => {
        asked.push([base64.length, maxSide])
        return maxSide === 1_200
          ? ['data:image/png;base64,W1==']
          : ['data:image/png;base64,T1==', 'data:image/png;base64,T2==']
      },
    })
    const omitted: string[] = []
    const content = [tall, wide].map((url) => ({ type: 'image_url' as const, image_url: { url } }))
    const call = { ...askFor([], omitted), messages: [{ role: 'user' as const, content }] }
    for (const requests of [2, 1]) {
      server.requests.length = 0
      expect((await model.complete(call)).text).toBe('Seen')
      expect(server.requests.length).toBe(requests)
    }
    expect(asked).toEqual([
      [tall.length - 22, 2_000],
      [wide.length - 22, 1_200],
    ])
    expect(omitted).toEqual([])
    expect(server.requests.at(-1)?.messages).toMatchObject([
      {
        content: [
          { type: 'text', text: '[An image of 400 × 9000 px follows as 2 images, from top to bottom.]' },
          ...['T1==', 'T2==', 'W1=='].map((data) => ({
            image_url: { url: `data:image/png;base64,${data}` },
          })),
        ],
      },
    ])
  })

  it('is a picture that cannot be made smaller: it is sent as it is, and left out if it is refused', async () => {
    const tall = pngUrl(400, 9_000)
    server = await startFakeModel((response, request, body) =>
      (JSON.stringify(body).includes(tall)
        ? refuses(400, { message: 'image dimensions exceed 8000 pixels', param: 'messages[0].content[0]' })
        : says('ok'))(response, request, body),
    )
    const model = openModel({
      api: 'chat',
      baseUrl: server.baseUrl,
      model: 'm',
      readKey: async () => 'k',
      scaleImage: () => Promise.reject(new Error('no parser')),
    })
    const omitted: string[] = []
    const content = [{ type: 'image_url' as const, image_url: { url: tall } }]
    await model.complete({ ...askFor([], omitted), messages: [{ role: 'user', content }] })
    expect([omitted, server.requests.length]).toEqual([['someImages'], 2])
  })

  it('is the only picture, in words that nobody knows: it is not sent again', async () => {
    server = await startFakeModel((response, request, body) =>
      (JSON.stringify(body.messages).includes('image_url') ? refuses(400, { message: 'No.' }) : says('ok'))(
        response,
        request,
        body,
      ),
    )
    const model = open()
    const omitted: string[] = []
    const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AA==' } }
    const call = { ...askFor([], omitted), messages: [{ role: 'user' as const, content: [image] }] }
    await model.complete(call)
    const first = server.requests.length
    await model.complete({ ...call, messages: [...call.messages, { role: 'user', content: 'and?' }] })
    expect([server.requests.length - first, omitted]).toEqual([1, ['refusedImages']])
  })

  it.each([400, 413, 500])('of a picture does not block the conversation: %i', async (status) => {
    server = await startFakeModel((response, request, body) =>
      JSON.stringify(body.messages).includes('image_url')
        ? refuses(status, {
            message: 'image input is not supported - hint: you may need to provide the mmproj',
          })(response, request, body)
        : says('Without')(response, request, body),
    )
    const omitted: string[] = []
    const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AA==' } }
    const call = { ...askFor([], omitted), messages: [{ role: 'user' as const, content: [image] }] }
    expect((await open().complete(call)).text).toBe('Without')
    expect(omitted).toEqual(['refusedImages'])
  })

  it('is logged once and measured each time', async () => {
    vi.stubEnv('METRICS_NAMESPACE', 'juno-test')
    const lines: string[] = []
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0)
    server = await startFakeModel(rejectsTools)
    const model = open()
    for (const _ of [1, 2]) await model.complete(askFor([aTool]))
    write.mockRestore()
    vi.unstubAllEnvs()
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(entries.filter((line) => 'ReducedRequests' in line)).toEqual([
      expect.objectContaining({ ReducedRequests: 1, code: 'tools' }),
      expect.objectContaining({ ReducedRequests: 1, code: 'tools' }),
    ])
    expect(entries.flatMap(({ code, level }) => (level === 'warn' ? [code] : []))).toEqual([
      'model_rejects_tools',
    ])
  })
})

it.each([
  [undefined, {}, 45_000],
  ['none', {}, 45_000],
  ['low', {}, 45_000],
  ['medium', {}, 90_000],
  ['high', {}, 180_000],
  ['xhigh', {}, 300_000],
  [undefined, { silenceSeconds: 20 }, 20_000],
  ['medium', { silenceSeconds: 20 }, 90_000],
  ['medium', { silenceSeconds: 120 }, 120_000],
  [undefined, { baseUrl: 'http://127.0.0.1:11434/v1' }, 300_000],
  [undefined, { baseUrl: 'http://localhost:8080/v1' }, 300_000],
  [undefined, { baseUrl: 'http://[::1]:8080/v1' }, 300_000],
  [undefined, { baseUrl: 'http://127.0.0.1/v1', silenceSeconds: 20 }, 20_000],
  [undefined, { baseUrl: 'https://127.0.0.1.example.org/v1' }, 45_000],
  [undefined, { baseUrl: 'https://localhost.example.org/v1' }, 45_000],
])('with the effort %s and %j a model may be silent for %i ms', (effort, settings, ms) => {
  expect(toIdleTimeout(effort, { baseUrl: undefined, ...settings })).toBe(ms)
})

it.each([
  { message: 'Unrecognized request argument supplied: reasoning_effort', param: null },
  { message: "Unsupported value: 'xhigh'", param: 'reasoning.effort' },
])('the user is told that the server rejects the chosen effort: %j', async (error) => {
  server = await startFakeModel((response) =>
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error })),
  )
  const model = openModel({ api: 'chat', baseUrl: server.baseUrl, model: 'm', readKey: async () => '' })
  await expect(model.complete({ ...askFor([]), effort: 'xhigh' })).rejects.toMatchObject({
    code: 'model_effort_rejected',
  })
  expect(server.requests).toHaveLength(1)
})

it.each([
  [400, { code: 'context_length_exceeded', message: 'too many tokens' }, 'model_context_exceeded'],
  [400, { message: "This model's maximum context length is 8192 tokens." }, 'model_context_exceeded'],
  [400, { code: 'content_filter', message: 'no' }, 'model_filtered'],
  [410, { message: "The model 'm' has reached its end of life on 2026-08-07." }, 'model_retired'],
  [404, { code: 'model_not_found', message: 'The model `m` has been deprecated' }, 'model_retired'],
  [404, { code: 'model_not_found', message: 'The model `m` does not exist' }, 'model_unknown'],
])('status %i with %j has its own message', async (status, error, code) => {
  server = await startFakeModel((response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error })),
  )
  const model = openModel({ api: 'chat', baseUrl: server.baseUrl, model: 'm', readKey: async () => '' })
  await expect(model.complete(askFor([]))).rejects.toMatchObject({ code })
})

const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`

describe('a notice of what a server rejected comes before', () => {
  it.each<[string, object]>([
    ['the text', { content: 'Hi' }],
    ['the reasoning', { reasoning: 'Hm' }],
    ['a call', { tool_calls: [{ index: 0, id: 'a', function: { name: 'find', arguments: '' } }] }],
    ['a source', { annotations: [{ url: 'https://example.org' }] }],
  ])('%s', async (_, delta) => {
    const bodies: { tools?: unknown }[] = []
    const model = openModel({
      api: 'chat',
      baseUrl: 'http://m/v1',
      model: 'm',
      readKey: async () => '',
      fetch: async (__, init) => {
        bodies.push(JSON.parse(init?.body as string) as object)
        return bodies.at(-1)?.tools
          ? Response.json({ error: { message: 'no tools' } }, { status: 400 })
          : new Response(
              [delta, delta, {}]
                .map((one, index) => ({
                  choices: [{ delta: one, finish_reason: index === 2 ? 'stop' : null }],
                }))
                .map(event)
                .join(''),
            )
      },
    })
    const events: string[] = []
    await model.complete({
      ...askFor([aTool]),
      onOmit: (omission) => events.push(omission),
      onText: () => events.push('answer'),
      onReasoning: () => events.push('answer'),
      onToolInput: () => events.push('answer'),
      onSource: () => events.push('answer'),
    })
    expect(bodies).toHaveLength(2)
    expect(events[0]).toBe('tools')
    expect(new Set(events.slice(1))).toEqual(new Set(['answer']))
  })
})

describe('a server that rejects both APIs', () => {
  it('is asked over Chat Completions, with less and less', async () => {
    const paths: string[] = []
    const model = openModel({
      api: 'auto',
      baseUrl: 'http://m/v1',
      model: 'm',
      readKey: async () => '',
      fetch: async (input) => {
        const { pathname } = new URL(input as string)
        paths.push(pathname)
        return pathname.endsWith('/responses')
          ? Response.json({ error: { message: 'Not Found' } }, { status: 404 })
          : Response.json(
              { error: { message: 'reasoning_effort with tools: use /v1/responses' } },
              { status: 400 },
            )
      },
    })
    await expect(model.complete(askFor([aTool]))).rejects.toMatchObject({ code: 'model_refused' })
    const chat = '/v1/chat/completions'
    // then without an effort, without tools, and without all that no reply misses
    expect(paths).toEqual([chat, '/v1/responses', chat, chat, chat, chat])
  })
})

describe('on Amazon Bedrock', () => {
  /** Asks a model there. @returns the addresses of the requests */
  async function ask(name: string, api: 'auto' | 'chat' = 'auto') {
    vi.stubEnv('AWS_REGION', 'eu-west-1')
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAEXAMPLE')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
    const urls: string[] = []
    vi.stubGlobal('fetch', async (url: URL) => {
      urls.push(url.href)
      return Response.json({ error: { message: 'no', type: 'x' } }, { status: 404 })
    })
    const settings = { baseUrl: undefined, model: name, readKey: async () => '' }
    const model = openModel({ api, server: 'bedrock', ...settings })
    await expect(model.complete(askFor([]))).rejects.toMatchObject({ code: 'model_server_missing' })
    return { urls, complete: () => model.complete(askFor([])) }
  }
  const origin = 'https://bedrock-runtime.eu-west-1.amazonaws.com'

  it.each([
    ['eu.anthropic.claude-sonnet-5', 'auto', [`${origin}/anthropic/v1/messages`]],
    ['openai.gpt', 'auto', [`${origin}/openai/v1/responses`, `${origin}/openai/v1/chat/completions`]],
    ['openai.gpt', 'chat', [`${origin}/openai/v1/chat/completions`]],
  ] as const)('%s over %s is asked at %j', async (name, api, urls) => {
    expect((await ask(name, api)).urls).toEqual(urls)
  })

  it('a model whose settings could not be read is asked when they can', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', 'no address')
    const settings = { baseUrl: undefined, model: 'm', readKey: async () => '' }
    const model = openModel({ api: 'chat', server: 'bedrock', ...settings })
    await expect(model.complete(askFor([]))).rejects.toThrow('Invalid URL')
    vi.stubEnv('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', 'http://127.0.0.1:1')
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAEXAMPLE')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
    vi.stubGlobal(
      'fetch',
      async () => new Response(event({ choices: [{ delta: { content: 'Hi' }, finish_reason: 'stop' }] })),
    )
    expect((await model.complete(askFor([]))).text).toBe('Hi')
  })
})

// https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html#runtimes-lifecycle-ib
describe('while the function starts', () => {
  /** Opens a model. @returns what is sent, and how often the key is read */
  async function open(settings: { baseUrl?: string; server?: 'bedrock' }) {
    const requests: [string, RequestInit][] = []
    vi.stubGlobal('fetch', async (...request: [string, RequestInit]) => {
      requests.push(request)
      return new Response()
    })
    let keys = 0
    const readKey = async () => {
      keys += 1
      return 'k'
    }
    openModel({ api: 'chat', baseUrl: undefined, model: 'm', readKey, ...settings })
    return { requests, keys }
  }

  it.each([
    [{}, 'https://api.openai.com/v1'],
    [{ baseUrl: 'https://m.example.org/v1' }, 'https://m.example.org/v1'],
  ])('with %j the key is read, and a connection opened to %s', async (settings, url) => {
    vi.stubEnv('AWS_LAMBDA_INITIALIZATION_TYPE', 'on-demand')
    const { requests, keys } = await open(settings)
    const signal = expect.any(AbortSignal) as AbortSignal
    expect(requests).toEqual([[url, { method: 'HEAD', redirect: 'manual', signal }]])
    expect(keys).toBe(1)
  })

  it('nothing is asked of Bedrock, and elsewhere nothing is done', async () => {
    expect(await open({})).toEqual({ requests: [], keys: 0 })
    vi.stubEnv('AWS_LAMBDA_INITIALIZATION_TYPE', 'on-demand')
    expect(await open({ server: 'bedrock' })).toEqual({ requests: [], keys: 0 })
  })
})

describe('a refusal of the search of the model’s server', () => {
  /** Asks twice a server that refuses its search with this error. @returns the tools of each request, and what is told */
  async function ask(api: 'responses' | 'messages', error: object, tools: ModelTool[] = [aTool]) {
    const sent: string[][] = []
    const omitted: string[] = []
    const model = openModel({
      api,
      baseUrl: 'http://m/v1',
      model: 'm',
      readKey: async () => '',
      webSearch: true,
      fetch: async (_, init) => {
        const body = JSON.parse(init?.body as string) as { tools?: { name?: string; type: string }[] }
        const names = (body.tools ?? []).map(({ name, type }) => name ?? type)
        sent.push(names)
        if (names.includes('web_search')) return Response.json({ error }, { status: 400 })
        const content = [{ type: 'text', text: 'Hi' }]
        return Response.json({ output: [{ type: 'message', content }], content })
      },
    })
    for (const _ of [1, 2])
      expect(await model.complete({ ...askFor(tools, omitted), maxWebSearches: 3 })).toMatchObject({
        text: 'Hi',
      })
    return { sent, omitted }
  }
  const [both, own] = [['send', 'web_search'], ['send']]

  it.each<['responses' | 'messages', object, number]>([
    ['responses', { message: "Hosted tool 'web_search' is not supported with m.", param: 'tools' }, 4],
    ['responses', { message: "Input should be 'function'", param: 'tools[1].type' }, 3],
    [
      'messages',
      { message: "tools.1: Input tag 'web_search_20250305' does not match any of the expected tags" },
      4,
    ],
    ['messages', { message: 'web search is not enabled for this organization' }, 4],
  ])('over %s leaves out that tool alone: %j', async (api, error, requests) => {
    const { sent, omitted } = await ask(api, error)
    // what only words say is tried again with the next request
    expect(sent).toEqual(requests === 3 ? [both, own, own] : [both, own, both, own])
    expect(omitted).toEqual(['webSearch', 'webSearch'])
  })

  it('leaves nothing else out if it is the only tool', async () => {
    const { sent } = await ask('responses', { message: 'web_search is not available' }, [])
    expect(sent.slice(0, 2)).toEqual([['web_search'], []])
  })

  it('for the limit of searches leaves out the limit first', async () => {
    const bodies: Record<string, unknown>[] = []
    const model = openModel({
      api: 'responses',
      baseUrl: 'http://m/v1',
      model: 'm',
      readKey: async () => '',
      webSearch: true,
      fetch: async (_, init) => {
        const body = JSON.parse(init?.body as string) as Record<string, unknown>
        bodies.push(body)
        if (body['max_tool_calls'])
          return Response.json({ error: { message: 'max_tool_calls of web_search' } }, { status: 400 })
        return Response.json({ output: [{ type: 'message', content: [{ text: 'Hi' }] }] })
      },
    })
    await model.complete({ ...askFor([]), maxWebSearches: 3 })
    expect(bodies.map(({ tools }) => tools)).toEqual([[{ type: 'web_search' }], [{ type: 'web_search' }]])
  })
})
