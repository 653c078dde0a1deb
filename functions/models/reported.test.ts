import { describe, expect, it } from 'vitest'
import { recordedCall } from '../../test/support/recorded-call.ts'
import type { ModelError } from './model-errors.ts'
import type { Answer, ModelApi, ModelCall, ModelMessage } from './model.ts'
import { openModel } from './open-model.ts'

// Public reports about model servers: what each sends, and what the reader of a reply expects. Each test names where it was read.

const event = (value: unknown) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`
const named = (type: string, fields: object = {}) => `event: ${type}\n${event({ type, ...fields })}`
const chunk = (delta: unknown, reason: string | null = null, more: object = {}) =>
  event({ choices: [{ index: 0, delta, finish_reason: reason, ...more }] })
const done = event('[DONE]')
const says = (...texts: string[]) => [...texts.map((content) => chunk({ content })), chunk({}, 'stop'), done]
const thinks = (...texts: string[]) => [
  ...texts.map((text) => chunk({ reasoning_content: text })),
  chunk({}, 'stop'),
  done,
]
/** An answer with one call. */
const makes = (name: string, args: string) => [
  chunk({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name, arguments: args } }] }),
  chunk({}, 'tool_calls'),
  done,
]

const tools = ['find', 'send'].map((name) => ({
  type: 'function' as const,
  function: { name, description: '', parameters: { type: 'object', properties: { n: { type: 'integer' } } } },
}))

interface Sent {
  messages: {
    role: string
    content: unknown
    reasoning_content?: string
    tool_calls?: { id: string }[]
  }[]
  input: { type: string; id?: string; encrypted_content?: string }[]
}
interface ServerAnswer {
  status?: number
  pieces: readonly string[]
}
type Server = (sent: Sent) => ServerAnswer
const refuses = (status: number, error: unknown): ServerAnswer => ({
  status,
  pieces: [JSON.stringify(error)],
})

/** Asks a server of an API. @param server the pieces of its answer, or what it does with each request */
async function ask(api: ModelApi, server: Server | readonly string[], more: Partial<ModelCall> = {}) {
  const { call, received } = recordedCall()
  const bodies: string[] = []
  const omitted: string[] = []
  let shown = ''
  const serve = typeof server === 'function' ? server : (): ServerAnswer => ({ pieces: server })
  const model = openModel({
    api,
    baseUrl: 'http://m/v1',
    model: 'm',
    readKey: async () => '',
    fetch: async (_, init) => {
      const body = typeof init?.body === 'string' ? init.body : '{}'
      bodies.push(body)
      const { status = 200, pieces } = serve(JSON.parse(body) as Sent)
      const bytes = pieces.map((piece) => new TextEncoder().encode(piece))
      return new Response(ReadableStream.from(bytes), { status })
    },
  })
  const { round, error } = await model
    .complete({
      ...call,
      messages: [{ role: 'user', content: 'Hi' }],
      tools,
      ...more,
      onOmit: (omission) => omitted.push(omission),
      onText: (delta) => (shown += delta),
      onTextWasReasoning: () => (shown = ''),
    })
    .then(
      (answered) => ({ round: answered, error: undefined }),
      (failure: ModelError) => ({ round: undefined, error: failure }),
    )
  const list = (kind: string) =>
    (received as [string, string][]).flatMap(([name, value]) => (name === kind ? [value] : []))
  return {
    round,
    error,
    bodies,
    omitted,
    shown,
    calls: round?.toolCalls.map(({ name, arguments: args }) => `${name} ${args}`),
    reasoning: list('reasoning').join(''),
    images: list('image'),
  }
}

const user = (content: Extract<ModelMessage, { role: 'user' }>['content']): ModelMessage => ({
  role: 'user',
  content,
})
const calling = (ids: string[], answer?: Answer, name = 'find', args = '{}'): ModelMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name, arguments: args } })),
  ...(answer && { answer }),
})
const result = (id: string): ModelMessage => ({ role: 'tool', tool_call_id: id, content: 'found' })

const message = (id: string, text: string, more: object = {}) => ({
  type: 'message',
  id,
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
  ...more,
})
const completed = (...output: unknown[]) =>
  named('response.completed', { response: { status: 'completed', output } })

describe('a server that refuses what it, or another, has sent', () => {
  const reasoning = { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'e' }
  const history = (items: Answer['items']): ModelMessage[] => [
    user('Hi'),
    { role: 'assistant', content: 'Hi', answer: { api: 'responses', model: 'm', items } },
    user('How?'),
  ]

  it('gets reasoning that it cannot decrypt no more: Wei-Shaw/sub2api#4535', async () => {
    const server: Server = ({ input }) =>
      input.some((item) => item.encrypted_content !== undefined)
        ? refuses(400, {
            code: 'invalid-argument',
            error:
              'Could not decrypt the provided encrypted_content. Ensure the value is the unmodified encrypted_content from a previous response.',
          })
        : { pieces: [completed(message('m', 'Well'))] }
    const { shown, bodies } = await ask('responses', server, {
      messages: history([reasoning, message('m0', 'Hi')]),
    })
    expect(shown).toBe('Well')
    expect(bodies).toHaveLength(2)
  })

  it('gets no id that is too long: can1357/oh-my-pi#284, NousResearch/hermes-agent#27038', async () => {
    const id = 'x'.repeat(416)
    const server: Server = ({ input }) => {
      const at = input.findIndex((item) => (item.id ?? '').length > 64)
      return at === -1
        ? { pieces: [completed(message('m', 'Well'))] }
        : refuses(400, {
            error: {
              message: `Invalid 'input[${at}].id': string too long. Expected a string with maximum length 64, but got a string with length 416 instead.`,
              type: 'invalid_request_error',
              param: `input[${at}].id`,
              code: 'string_above_max_length',
            },
          })
    }
    const stored = history([{ ...reasoning, id: `${id}r` }, message(id, 'Hi')])
    expect((await ask('responses', server, { messages: stored })).shown).toBe('Well')
  })

  it.each([
    ['vercel/ai#5171', { param: 'messages[1].tool_calls[0].id', code: 'string_above_max_length' }, ''],
    [
      'BerriAI/litellm#17343',
      { code: '400' },
      'litellm.BadRequestError: ContextWindowExceededError: Github_copilotException - ',
    ],
  ])('gets short ids of calls: %s', async (_, fields, before) => {
    const server: Server = ({ messages }) =>
      messages.some(({ tool_calls: calls }) => calls?.some(({ id }) => id.length > 40))
        ? refuses(400, {
            error: {
              message: `${before}Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 46 instead.`,
              ...fields,
            },
          })
        : { pieces: says('Well') }
    const id = `call_${'a'.repeat(41)}`
    const { shown, omitted, bodies } = await ask('chat', server, {
      messages: [user('Hi'), calling([id]), result(id), user('And?')],
    })
    expect(shown).toBe('Well')
    expect(omitted).toEqual([])
    expect(bodies).toHaveLength(2)
  })

  it('gets calls in words if it misses reasoning that does not help it: rikkahub/rikkahub#1690', async () => {
    const call = { type: 'function_call', name: 'find', arguments: '{}' }
    const items = [
      { type: 'reasoning', id: 'rs', summary: [], content: [{ type: 'reasoning_text', text: 'Hm' }] },
      { ...call, call_id: 'c1' },
      { ...call, call_id: 'c2' },
    ]
    const server: Server = ({ input }) =>
      input.some(({ type }, index) => type === 'function_call' && input[index - 1]?.type !== 'reasoning')
        ? refuses(400, {
            error: {
              message:
                'Error from provider: Upstream request failed: [invalid_request_error] The `reasoning_text` in the thinking mode must be passed back to the API.',
              type: 'invalid_request_error',
            },
          })
        : { pieces: [completed(message('m', 'Well'))] }
    const two = calling(['c1', 'c2'], { api: 'responses', model: 'm', items })
    const { shown } = await ask('responses', server, {
      messages: [user('Hi'), two, result('c1'), result('c2')],
    })
    expect(shown).toBe('Well')
  })

  it('gets calls in words if the text behind them was stopped: Gitlawb/openclaude#878', async () => {
    const { tool_calls: sent } = calling(['c1']) as { tool_calls: unknown }
    const items = [{ role: 'assistant', content: '', reasoning_content: 'Hm', tool_calls: sent }]
    const server: Server = ({ messages }) =>
      messages.some(
        ({ role, reasoning_content: thought, tool_calls: calls }, index) =>
          role === 'assistant' && thought === undefined && (calls || messages[index - 1]?.role === 'tool'),
      )
        ? refuses(400, {
            error: {
              message: 'The `reasoning_content` in the thinking mode must be passed back to the API.',
              type: 'invalid_request_error',
            },
          })
        : { pieces: says('Well') }
    const { shown } = await ask('chat', server, {
      messages: [
        user('Hi'),
        calling(['c1'], { api: 'chat', model: 'm', items }),
        result('c1'),
        { role: 'assistant', content: 'It' },
        user('And?'),
      ],
    })
    expect(shown).toBe('Well')
  })

  it.each<[ModelApi, Partial<ModelCall>, object, string]>([
    [
      'chat',
      {},
      {
        code: '400',
        message: 'Param Incorrect',
        param: 'The reasoning_content in the thinking mode must be passed back to the API.',
        type: '',
      },
      'suyiiyii/AutoGLM-GUI#396',
    ],
    ...[{}, { effort: 'high' }].map((more): [ModelApi, Partial<ModelCall>, object, string] => [
      'messages',
      more,
      {
        type: 'invalid_request_error',
        message: 'The content[].thinking in the thinking mode must be passed back to the API.',
      },
      'leookun/cursor-byok#268',
    ]),
  ])('over %s gets calls in words, %o, if it misses their reasoning: %o, %s', async (api, more, error) => {
    const whole = { type: 'message', content: [{ type: 'text', text: 'Well' }], stop_reason: 'end_turn' }
    const { shown, omitted } = await ask(
      api,
      (sent) =>
        /"tool_(calls|use)"/.test(JSON.stringify(sent.messages))
          ? refuses(400, { error })
          : { pieces: api === 'chat' ? says('Well') : [JSON.stringify(whole)] },
      { messages: [user('Hi'), calling(['c1']), result('c1'), user('And?')], ...more },
    )
    expect([shown, omitted]).toEqual(['Well', []])
  })

  it('with an event of its stream gets no pictures: nugget/thane-ai-agent#1395', async () => {
    const error = { message: 'Model does not support images. Please use a model that does.' }
    const server: Server = ({ messages }) => ({
      pieces: JSON.stringify(messages).includes('image_url')
        ? [`event: error\ndata: ${JSON.stringify({ error, ...error })}\n\n`]
        : says('Well'),
    })
    const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' } }
    const { shown, omitted, bodies } = await ask('chat', server, {
      messages: [user([{ type: 'text', text: 'What?' }, image])],
    })
    expect(shown).toBe('Well')
    expect(omitted).toEqual(['refusedImages'])
    expect(bodies).toHaveLength(2)
  })
})

describe('an error', () => {
  it('about the price of a long context is no limit of rate: anthropics/claude-code#27252', async () => {
    const { error, bodies } = await ask('messages', () =>
      refuses(429, {
        type: 'error',
        error: {
          type: 'rate_limit_error',
          message: 'Extra usage is required for long context requests.',
        },
      }),
    )
    expect(error?.code).toBe('model_context_exceeded')
    expect(bodies).toHaveLength(1)
  })

  it.each([
    ['Please retry in 34.074824224s.', 35],
    ['Please retry after 26 seconds.', 26],
    ['Please try again in 1m30s.', 90],
    ['Please retry in 2500ms.', 3],
    ['Please wait 40000 seconds before retrying.', 40_000],
    ['Please try again in 1h12m3s.', 4_323],
    ['Rate limit exceeded, retry after: 30 seconds', 30],
    ['Your limit resets in 3 hours and 5 minutes.', 11_100],
    ['Try again in 20 minutes.', 1_200],
  ])('names the time to wait: %s', async (words, seconds) => {
    const { error } = await ask('chat', () =>
      refuses(429, [{ error: { code: 429, message: `Quota.\n${words}`, status: 'RESOURCE_EXHAUSTED' } }]),
    )
    expect(error?.retryAfterSeconds).toBe(seconds)
  })

  it('of a limit of a day names the time at which it ends: Gitlawb/openclaude#936', async () => {
    const reset = Date.now() + 5 * 3_600_000
    const { error, bodies } = await ask('chat', () =>
      refuses(429, {
        error: {
          message:
            'Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day',
          code: 429,
          metadata: { headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': String(reset) } },
        },
      }),
    )
    expect(error?.userMessage).toBe("The assistant's model is busy. Please try again in 5 hours.")
    expect(bodies).toHaveLength(1)
  })
})

describe('a call', () => {
  it.each([
    [
      'has its name without marks of a template',
      'vllm-project/vllm#32587',
      'find<|channel|>commentary',
      '{"n":1}',
      'find {"n":1}',
    ],
    [
      'has its name without the rest of an argument',
      'fw-ai-external/python-sdk#119',
      'find</arg_value>',
      '{}',
      'find {}',
    ],
    [
      'may have its arguments in its name',
      'zai-org/GLM-5#84',
      'find<arg_key>text</arg_key><arg_value>/home</arg_value>',
      '{}',
      'find {"text":"/home"}',
    ],
    [
      'may have backslashes that are not escaped',
      'PyModel/pythinker-code#62',
      'find',
      String.raw`{"text":"a \* b"}`,
      String.raw`find {"text":"a \\* b"}`,
    ],
    [
      'has texts without quotation marks of a template',
      'vllm-project/vllm#44522',
      'find',
      String.raw`{"text":"<|\"|>ls -l<|\"|>"}`,
      'find {"text":"ls -l"}',
    ],
  ])('%s: %s', async (_, __, name, args, made) => {
    expect((await ask('chat', makes(name, args))).calls).toEqual([made])
  })

  it('may have line breaks that are not escaped: earendil-works/pi#2981', async () => {
    const { calls } = await ask('messages', [
      named('message_start', { message: { id: 'm', usage: { input_tokens: 1 } } }),
      named('content_block_start', {
        index: 0,
        content_block: { type: 'tool_use', id: 't', name: 'find', input: {} },
      }),
      ...['{"text": "one\n', 'two"}'].map((piece) =>
        named('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json: piece } }),
      ),
      named('content_block_stop', { index: 0 }),
      named('message_delta', { delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 3 } }),
      named('message_stop'),
    ])
    expect(calls).toEqual([String.raw`find {"text": "one\ntwo"}`])
  })
})

describe.each(['chat', 'responses', 'messages'] as const)('a request over %s', (api) => {
  const send = async (...messages: ModelMessage[]) =>
    (await ask(api, () => refuses(400, {}), { messages: [user('Hi'), ...messages] })).bodies[0] ?? ''

  it('has no half of a letter: anthropics/claude-code#60394', async () => {
    const cut = calling(['c1'], undefined, 'find', '{"text":"a\ud83d"}')
    expect(await send(cut, { role: 'tool', tool_call_id: 'c1', content: 'found \ud83d' })).not.toMatch(
      /\\ud[89a-f]/,
    )
  })

  it('has names of calls in letters that each server takes: mcp-use/mcp-use#90', async () => {
    const body = await send(calling(['c1'], undefined, 'web search[791e0f]'), result('c1'))
    expect(body).toContain('"web_search_791e0f_"')
  })

  it('has no text of blanks alone: anomalyco/opencode#31259', async () => {
    const body = await send(
      { ...calling(['c1']), content: '\n\n' } as ModelMessage,
      result('c1'),
      { role: 'assistant', content: ' \n' },
      user('And?'),
    )
    expect(body).not.toMatch(/"(content|text)":"(\s|\\n)+"/)
  })
})

it('what goes back has no text of blanks alone: anomalyco/opencode#31259', async () => {
  const { round } = await ask('chat', [
    chunk({ reasoning_content: 'Hm', content: '\n\n' }),
    ...makes('find', '{}'),
  ])
  expect(round?.answer?.items[0]).toMatchObject({ content: '', reasoning_content: 'Hm' })
})

describe('an answer over Chat Completions', () => {
  const whole = 'The table has three columns and a row for each month of the year.'
  it('is shown once if each chunk repeats all of it: QwenLM/qwen-code#3896', async () => {
    const pieces = [12, 30, 41, 55, 65].map((length) => whole.slice(0, length))
    expect((await ask('chat', says(...pieces))).shown).toBe(whole)
    const thoughts = await ask('chat', [...thinks(...pieces).slice(0, -2), ...says('Hi')])
    expect(thoughts).toMatchObject({ reasoning: whole, shown: 'Hi' })
  })

  it.each(['network_error', 'error'])(
    'is not complete if the provider behind a gateway had a %s: OleksandrChekhovskyi/hax#15',
    async (native) => {
      const ends = [chunk({ content: '' }, 'stop', { native_finish_reason: native }), done]
      const cut = await ask('chat', [chunk({ content: 'The causes are' }), ...ends])
      expect(cut.round).toMatchObject({ text: 'The causes are', truncated: true })
      expect((await ask('chat', ends)).error?.code).toBe('model_broken')
    },
  )
})

describe('an answer over Responses', () => {
  const comment = message('m1', 'I check the calendar.', { phase: 'commentary' })
  const answer = message('m2', 'You are free.', { phase: 'final_answer' })
  const text = 'I check the calendar.\n\nYou are free.'
  const streamed = [comment, answer].flatMap((item, index) => [
    named('response.output_item.added', { output_index: index, item: { ...item, content: [] } }),
    ...(item.content[0]?.text.match(/.{1,8}/g) ?? []).map((delta) =>
      named('response.output_text.delta', { output_index: index, item_id: item.id, delta }),
    ),
    named('response.output_text.done', {
      output_index: index,
      item_id: item.id,
      text: item.content[0]?.text,
    }),
    named('response.output_item.done', { output_index: index, item }),
  ])

  it.each([
    ['in pieces', streamed],
    // sipeed/picoclaw#2674
    ['with its items', [comment, answer].map((item) => named('response.output_item.done', { item }))],
    ['at the end', []],
  ])(
    'has a blank line between two messages that come %s: langchain4j/langchain4j#6403',
    async (_, events) => {
      const { shown, round } = await ask('responses', [...events, completed(comment, answer)])
      expect(shown).toBe(text)
      expect(round?.answer?.items).toEqual([comment, answer])
    },
  )

  it.each([
    ['sipeed/picoclaw#2674', named('response.output_item.done', { output_index: 0, item: answer })],
    [
      'Sophomoresty/gemini-web2api#57',
      named('response.output_text.done', { item_id: 'm2', output_index: 0, text: 'You are free.' }),
    ],
    [
      'a refusal',
      named('response.refusal.done', { item_id: 'm2', output_index: 0, refusal: 'You are free.' }),
    ],
  ])('may have its text in one event alone: %s', async (_, only) => {
    for (const output of [[], [answer]])
      expect((await ask('responses', [only, completed(...output)])).shown).toBe('You are free.')
  })

  it('goes back without ids that are too long: can1357/oh-my-pi#284', async () => {
    const long = 'x'.repeat(416)
    const { round } = await ask('responses', [
      completed({ type: 'reasoning', id: long, summary: [], encrypted_content: 'e' }, message('m1', 'Hi')),
    ])
    expect(round?.answer?.items.map(({ type, id }) => [type, id])).toEqual([
      ['reasoning', undefined],
      ['message', undefined],
    ])
  })
})

describe('marks of a template in an answer', () => {
  const k3Call =
    '<|open|>tools<|sep|><|open|>call tool="find" index="1"<|sep|><|open|>argument key="text" type="string"<|sep|>1<|close|>argument<|sep|><|open|>argument key="n" type="number"<|sep|>2<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>'
  it.each<[string, string, readonly string[], object]>([
    [
      'harmony without its marks',
      'raullenchai/Rapid-MLX#480',
      says('commentary to=functions.', 'find json{"n":1}'),
      { shown: '', calls: ['find {"n":1}'] },
    ],
    [
      'a thought and an answer of such',
      'Augustas11/macprovider#743',
      says('analysis', 'We need to answer. The answer is "four".', 'assistant', 'final', 'four'),
      { shown: 'four', reasoning: 'We need to answer. The answer is "four".' },
    ],
    [
      'a word that begins as such',
      '',
      says('analysis', 'Tools is a package.'),
      { shown: 'analysisTools is a package.' },
    ],
    [
      'the end of Kimi K3',
      'vllm-project/vllm#51400',
      says('Hello', '<|close|>', 'message', '<|sep|>'),
      { shown: 'Hello' },
    ],
    [
      'a call of Kimi K3',
      'can1357/oh-my-pi#8495',
      says('I look.', k3Call),
      { shown: 'I look.', calls: ['find {"text":"1","n":2}'] },
    ],
    [
      'marks of Kimi K3 with blanks',
      'vllm-project/vllm#50367',
      says(
        '<|open|>',
        ' think',
        '<|sep|>',
        ' Hm.',
        '<|close|>',
        ' think',
        '<|sep|>',
        '<|open|>',
        ' response',
        '<|sep|>',
        'Hello',
        '<|close|>',
        ' response',
        '<|sep|>',
      ),
      { shown: 'Hello', reasoning: ' Hm.' },
    ],
    [
      'a call of Gemma',
      'jundot/omlx#581',
      says('<|tool_call>call:find{text:<|"|>ls<|"|>', ',n:2}<tool_call|>'),
      { shown: '', calls: ['find {"text":"ls","n":2}'] },
    ],
    [
      'a thought of Gemma',
      'NousResearch/hermes-agent#67632',
      says('<|channel>', 'thought\nHm', '<channel|>', 'Hi'),
      { shown: 'Hi', reasoning: '\nHm' },
    ],
    [
      'the end of a thought of Gemma alone',
      'ollama/ollama#18288',
      says('Replace it.\n\n', '<channel|>'),
      { shown: 'Replace it.\n\n' },
    ],
    [
      'a thought of Gemma without its beginning',
      'jundot/omlx#2533',
      says('I should add.\n', '<channel|>', 'It is 4.'),
      { shown: 'It is 4.' },
    ],
    [
      'a thought of Kimi-VL',
      'keinsaasforever/better-chatbot#107',
      says('◁think▷Hm', '◁/think▷Hi'),
      { shown: 'Hi', reasoning: 'Hm' },
    ],
    [
      'marks in code',
      '',
      says('So `<|open|>tools<|sep|>` and `<channel|>`.'),
      { shown: 'So `<|open|>tools<|sep|>` and `<channel|>`.' },
    ],
    [
      'one thought behind another',
      'open-webui/open-webui#24635',
      says('<think>one</think>\n', '<think>two</think>\n\nHi'),
      { shown: 'Hi', reasoning: 'onetwo' },
    ],
    [
      'a call of Qwen in a thought',
      'vllm-project/vllm#39056',
      thinks(
        'I call.\n',
        '<tool_call>\n<function=find>\n<parameter=n>\n2\n</parameter>\n</function>\n</tool_call>',
      ),
      { shown: '', calls: ['find {"n":2}'] },
    ],
    [
      'a call of Kimi in a thought',
      'sgl-project/sglang#19552',
      thinks(
        'I call.',
        '<|tool_calls_section_begin|><|tool_call_begin|>functions.find:0<|tool_call_argument_begin|>{"n":2}<|tool_call_end|><|tool_calls_section_end|>',
      ),
      { shown: '', calls: ['find {"n":2}'] },
    ],
    [
      'a call that was only thought of',
      '',
      [chunk({ reasoning_content: '<tool_call>{"name":"find"}</tool_call>' }), ...says('Hi')],
      { shown: 'Hi', calls: [] },
    ],
    [
      'the end of a block in a value',
      'local-inference-lab/vllm#639',
      says(
        '<tool_call>find<arg_key>text</arg_key><arg_value>a </tool_call> b</arg_value></tool_call>',
        ' So.',
      ),
      { shown: ' So.', calls: ['find {"text":"a </tool_call> b"}'] },
    ],
    [
      'the end of a block in JSON',
      'local-inference-lab/vllm#639',
      says('<tool_call>{"name":"find","arguments":{"text":"</tool_call>"}}', '</tool_call>'),
      { shown: '', calls: ['find {"text":"</tool_call>"}'] },
    ],
    [
      'a block that cannot be read before one that can',
      '',
      says('<tool_call>{oops</tool_call><tool_call>{"name":"find"}</tool_call>'),
      { shown: '<tool_call>{oops</tool_call>', calls: ['find {}'] },
    ],
  ])('%s: %s', async (_, __, pieces, read) => {
    expect(await ask('chat', pieces)).toMatchObject(read)
  })

  // jundot/omlx#3153, 14790897/MiqroForge-Desktop#1100: a call that was cut ran with the arguments that it had
  it.each<[string, string, string, string | undefined]>([
    [
      '<tool_call>\n<function=send>\n<parameter=to>ann</parameter>\n<parameter=n>\n1',
      'length',
      'send {"to":"ann"}',
      'length',
    ],
    [
      '<tool_call>\n<function=send>\n<parameter=to>ann</parameter>\n<parameter=n>\n1',
      'stop',
      'send {"to":"ann"}',
      'fault',
    ],
    [
      '<tool_call>\n<function=send>\n<parameter=to>ann</parameter>\n',
      'length',
      'send {"to":"ann"}',
      'length',
    ],
    ['<tool_call>\n<function=send>\n<parameter=to>ann</parameter>\n', 'stop', 'send {"to":"ann"}', undefined],
    [
      '<tool_call>\n<function=send>\n<parameter=to>ann</parameter>\n</function>',
      'length',
      'send {"to":"ann"}',
      undefined,
    ],
    [
      '<function=send>\n<parameter=to>ann</parameter>\n<parameter=n>\n1',
      'length',
      'send {"to":"ann"}',
      'length',
    ],
    [
      '<tool_call>send<arg_key>to</arg_key><arg_value>ann</arg_value><arg_key>n',
      'length',
      'send {"to":"ann"}',
      'length',
    ],
    [
      '<tool_call>send<arg_key>to</arg_key><arg_value>ann</arg_value><arg_key>n</arg_key><arg_value>1',
      'stop',
      'send {"to":"ann"}',
      'fault',
    ],
    [
      '<function_calls><invoke name="send"><parameter name="to">ann</parameter><parameter name="n">1',
      'length',
      'send {"to":"ann"}',
      'length',
    ],
    ['<minimax:tool_call><invoke name="send"><to>ann</to><n>1', 'stop', 'send {}', 'fault'],
    [
      '<|open|>tools<|sep|><|open|>call tool="send"<|sep|><|open|>argument key="to" type="string"<|sep|>an',
      'stop',
      'send {"to":"an"}',
      'fault',
    ],
    [
      '<|open|>tools<|sep|><|open|>call tool="send"<|sep|><|open|>argument key="to" type="string"<|sep|>ann<|close|>argument<|sep|>',
      'length',
      'send {"to":"ann"}',
      'length',
    ],
    ['<tool_call>\n{"name": "send", "arguments": {"to": "an', 'length', 'send {"to": "an', 'length'],
    ['<tool_call>\n{"name": "send", "arguments": {"to": "an', 'stop', 'send {"to": "an', undefined],
    ['<tool_call>\n{"name": "send", "arguments": {"to": "ann"}', 'length', 'send {"to": "ann"}', undefined],
    ['[TOOL_CALLS]send[ARGS]{"to": "an', 'length', 'send {"to": "an', 'length'],
    ['[TOOL_CALLS][{"name": "send", "arguments": {"to": "an', 'length', 'send {"to": "an', 'length'],
    ['<|tool_call>call:send{to:<|"|>an', 'length', 'send {to:<|"|>an', 'length'],
  ])('a call that is cut, %j with the end %s, is %s, cut by %s', async (text, end, written, cutBy) => {
    const { round, shown, calls } = await ask('chat', [
      chunk({ content: 'So: ' }),
      chunk({ content: text }),
      chunk({}, end),
      done,
    ])
    expect([shown, calls, round?.toolCalls[0]?.cutBy]).toEqual(['So: ', [written], cutBy])
  })

  it('a call that was cut in a thought is cut, too: jundot/omlx#3153', async () => {
    const { round } = await ask(
      'chat',
      thinks('<tool_call><function=send><parameter=to>ann</parameter><parameter=n>1'),
    )
    expect(round?.toolCalls).toMatchObject([{ name: 'send', cutBy: 'fault' }])
  })

  it('mean the same over the other APIs', async () => {
    const text = `<|channel>thought\nHm<channel|>Hi<|tool_call>call:find{n:2}<tool_call|>`
    const read = { shown: 'Hi', reasoning: '\nHm', calls: ['find {"n":2}'] }
    expect(await ask('responses', [completed(message('m', text))])).toMatchObject(read)
    const whole = { type: 'message', content: [{ type: 'text', text }], stop_reason: 'end_turn' }
    expect(await ask('messages', [JSON.stringify(whole)])).toMatchObject(read)
  })

  it('a call in a thought goes back as a call: vllm-project/vllm#39056', async () => {
    const thinking = '<tool_call>{"name":"find"}</tool_call>'
    const content = [{ type: 'thinking', thinking, signature: 's' }]
    const { round } = await ask('messages', [
      JSON.stringify({ type: 'message', content, stop_reason: 'end_turn' }),
    ])
    expect(round?.toolCalls.map(({ name }) => name)).toEqual(['find'])
    expect(round?.answer).toBeUndefined()
  })
})

describe('what a server says twice', () => {
  const png = `data:image/png;base64,${'iVBORw0KGgo='.repeat(50)}`
  const part = { type: 'image_url', image_url: { url: png } }
  const generated = { type: 'image_generation_call', result: png.slice(png.indexOf(',') + 1) }
  const source = { type: 'base64', media_type: 'image/png', data: generated.result }

  it.each<[ModelApi, string[]]>([
    ['chat', [chunk({ images: [part] }), chunk({ content: [part] }), ...says(png)]],
    ['responses', [completed({ ...generated, id: 'a' }, { ...generated, id: 'b' }, message('m', 'Hi'))]],
    [
      'messages',
      [
        JSON.stringify({
          type: 'message',
          content: [
            { type: 'image', source },
            { type: 'image', source },
          ],
          stop_reason: 'end_turn',
        }),
      ],
    ],
  ])(
    'an image over %s is shown once: tpaulshippy/ruby_llm_community#7, egoist/chatwise-releases#1161',
    async (api, pieces) => {
      expect((await ask(api, pieces)).images).toEqual([png])
    },
  )

  it.each<[ModelApi, string[]]>([
    ['chat', [chunk({ images: [{ b64_json: png }] }), ...says('Hi')]],
    ['responses', [completed({ ...generated, id: 'a', result: png }, message('m', 'Hi'))]],
    [
      'messages',
      [
        JSON.stringify({
          type: 'message',
          content: [{ type: 'image', source: { ...source, data: png } }],
          stop_reason: 'end_turn',
        }),
      ],
    ],
  ])('the head of a data URL over %s is there once: code-yeongyu/senpi#1260', async (api, pieces) => {
    expect((await ask(api, pieces)).images).toEqual([png])
  })

  const reasons = (kind: string, delta: string, place: object = { item_id: 'rs', output_index: 0 }) =>
    named(`response.reasoning_${kind}.delta`, {
      ...place,
      [kind === 'text' ? 'content_index' : 'summary_index']: 0,
      delta,
    })

  it.each([
    ['text', 'summary_text'],
    ['summary_text', 'text'],
  ])('reasoning as %s and as %s is shown once: peonist-ai/halogen-flash-server#67', async (first, second) => {
    const thought = ['The', ' user'].flatMap((delta) => [reasons(first, delta), reasons(second, delta)])
    const { reasoning, shown } = await ask('responses', [...thought, completed(message('m', 'Hi'))])
    expect([reasoning, shown]).toEqual(['The user', 'Hi'])
  })

  it('reasoning of two items may have either form', async () => {
    const pieces = [
      reasons('text', 'One.'),
      reasons('summary_text', 'Two.', { item_id: 'r2', output_index: 1 }),
    ]
    expect((await ask('responses', [...pieces, completed(message('m', 'Hi'))])).reasoning).toBe('One.Two.')
  })
})

describe('reasoning', () => {
  it.each<[string, ModelApi, string[]]>([
    ['in tags', 'chat', says('<think>\n\n</think>\n\nHi')],
    ['in a field', 'chat', [chunk({ reasoning_content: '\n' }), ...says('Hi')]],
    [
      'of Responses',
      'responses',
      [named('response.reasoning_text.delta', { item_id: 'rs', delta: '\n' }), completed(message('m', 'Hi'))],
    ],
  ])('%s that is blank is none: UKGovernmentBEIS/inspect_ai#1744', async (_, api, pieces) => {
    const { reasoning, shown } = await ask(api, pieces)
    expect([reasoning, shown]).toEqual(['', 'Hi'])
  })

  const thought = {
    type: 'reasoning',
    id: 'rs',
    summary: ['One.', 'Two.'].map((text) => ({ type: 'summary_text', text })),
  }
  const itemDone = named('response.output_item.done', { output_index: 0, item: thought })
  it.each<[string, string[]]>([
    ['its item', [itemDone, completed(thought, message('m', 'Hi'))]],
    ['the last event', [completed(thought, message('m', 'Hi'))]],
    [
      'pieces and both',
      [
        named('response.reasoning_summary_text.delta', { item_id: 'rs', summary_index: 0, delta: 'One.' }),
        named('response.reasoning_summary_text.delta', { item_id: 'rs', summary_index: 1, delta: 'Two.' }),
        itemDone,
        completed({ ...thought, id: 'other' }, message('m', 'Hi')),
      ],
    ],
  ])('of Responses that comes with %s is shown once', async (_, pieces) => {
    const { reasoning, shown } = await ask('responses', pieces)
    expect([reasoning, shown]).toEqual(['One.Two.', 'Hi'])
  })

  it('of Messages that comes with the start of its block is shown', async () => {
    const block = { type: 'thinking', thinking: 'Hm', signature: 's' }
    const { reasoning, shown, round } = await ask('messages', [
      named('content_block_start', { index: 0, content_block: block }),
      named('content_block_stop', { index: 0 }),
      named('content_block_start', { index: 1, content_block: { type: 'text', text: 'Hi' } }),
      named('message_delta', { delta: { stop_reason: 'end_turn' } }),
      named('message_stop'),
    ])
    expect([reasoning, shown]).toEqual(['Hm', 'Hi'])
    expect(round?.answer?.items[0]).toEqual(block)
  })

  it('keeps its blanks, of each block', async () => {
    const pieces = ['\n', 'A', '\n', ' b', '\n'].map((text) => chunk({ reasoning_content: text }))
    expect((await ask('chat', [...pieces, ...says('Hi')])).reasoning).toBe('\nA\n b\n')
  })

  it('without an item, or its place, is one block', async () => {
    const { call, received } = recordedCall()
    const pieces = ['The', ' user'].map((delta) => named('response.reasoning_text.delta', { delta }))
    const body = [...pieces, completed(message('m', 'Hi'))].join('')
    const model = openModel({
      api: 'responses',
      baseUrl: 'http://m/v1',
      model: 'm',
      readKey: async () => '',
      fetch: async () => new Response(body),
    })
    await model.complete(call)
    expect(
      new Set((received as string[][]).flatMap(([kind, , block]) => (kind === 'reasoning' ? [block] : [])))
        .size,
    ).toBe(1)
  })
})

describe('an image in a text: foxhui/WebAI2API#102', () => {
  const png = `data:image/png;base64,${'iVBORw0KGgo='.repeat(50)}`
  it('is shown as one', async () => {
    const text = `Here: ![image](${png})`
    const read = { shown: 'Here: ', images: [png] }
    const { round, ...chat } = await ask('chat', says(...(text.match(/.{1,100}/g) ?? [])))
    expect(chat).toMatchObject(read)
    expect(round?.text).toBe('Here: ')
    expect(await ask('responses', [completed(message('m', text))])).toMatchObject(read)
    const whole = { type: 'message', content: [{ type: 'text', text }], stop_reason: 'end_turn' }
    expect(await ask('messages', [JSON.stringify(whole)])).toMatchObject(read)
  })

  it('may be all of an answer', async () => {
    const { round, shown, images } = await ask('chat', says(png))
    expect([round?.truncated, shown, images]).toEqual([false, '', [png]])
  })
})
