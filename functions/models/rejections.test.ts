import { describe, expect, it } from 'vitest'
import type { ModelCall, ModelMessage } from './model.ts'
import { ModelError, modelErrors } from './model-errors.ts'
import { rejectionError } from './request-errors.ts'
import {
  findRejection,
  hasPart,
  isBadCall,
  isNamedByServer,
  reduceCall,
  rejections,
  withOwnAnswer,
  type Rejection,
} from './rejections.ts'

const callWith = (...messages: ModelMessage[]): ModelCall => ({
  messages: [{ role: 'user', content: 'Hi' }, ...messages],
  tools: [],
  signal: new AbortController().signal,
  onText: () => undefined,
  onOmit: () => undefined,
})
const answer = {
  api: 'responses' as const,
  model: 'm',
  items: [{ type: 'reasoning', id: 'rs_1', encrypted_content: 'sealed' }],
}
const messageWithAnswer: ModelMessage = { role: 'assistant', content: 'Yes.', answer }
const buildRejection = (message: string, { status = 400, param = '' } = {}) =>
  rejectionError({ status, message, code: '', param }, false)

it.each([
  "Item with id 'rs_1' not found.",
  'The encrypted content for item rs_1 could not be verified.',
  "Item 'msg_1' of type 'message' was provided without its required 'reasoning' item: 'rs_1'.",
])('earlier reasoning that a server rejects is left out first, if any was sent: %s', (message) => {
  const find = (call: ModelCall, without: Rejection[] = []) =>
    findRejection(buildRejection(message), {
      api: 'responses',
      isAuto: false,
      call,
      without: new Set(without),
    })
  expect(find(callWith(messageWithAnswer))).toBe('encrypted')
  expect(find(callWith(messageWithAnswer), ['encrypted'])).not.toBe('encrypted')
  expect(find(callWith())).not.toBe('encrypted')
  const { reduced } = reduceCall(callWith(messageWithAnswer), new Set(['encrypted']), 'responses')
  expect(reduced.messages.at(-1)).toEqual({ role: 'assistant', content: 'Yes.' })
  expect(isNamedByServer('encrypted', buildRejection(message, { param: 'input' }))).toBe(false)
})

it.each([
  ['Unsupported parameter.', 'reasoning.effort'],
  ['Not supported with this model.', 'include'],
  ['Encrypted content is not supported with this model.', ''],
])('a model that does not reason gets no reasoning parameters: %s %s', (message, param) => {
  const find = (call: ModelCall) =>
    findRejection(buildRejection(message, { param }), {
      api: 'responses',
      isAuto: false,
      call,
      without: new Set(),
    })
  expect(find(callWith())).toBe('reasoning')
  // what the user chose is not left out in silence
  expect(find({ ...callWith(), effort: 'high' })).not.toBe('reasoning')
})

const tool = { type: 'function' as const, function: { name: 'send' } }
const image: ModelMessage = {
  role: 'user',
  content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }],
}
const result: ModelMessage = { role: 'tool', tool_call_id: 'c', content: 'sent' }

type Case = [
  expected: Rejection | undefined,
  message: string,
  details: {
    api?: 'chat' | 'responses' | 'messages'
    isAuto?: boolean
    status?: number
    param?: string
    code?: string
    effort?: string
    hasTools?: boolean
    messages?: ModelMessage[]
    without?: Rejection[]
  },
]

it.each<Case>([
  // the API
  ['responses', 'Not Found', { isAuto: true, status: 404 }],
  ['responses', 'Method Not Allowed', { isAuto: true, status: 405 }],
  ['responses', 'no', { isAuto: true, status: 501 }],
  [undefined, 'Not Found', { isAuto: false, status: 404 }],
  [undefined, 'no such model', { isAuto: true, status: 404 }],
  [undefined, 'Not Found', { isAuto: true, status: 404, code: 'model_not_found' }],
  ['responses', 'm does not support\nthe Responses API', { isAuto: true }],
  ['responses', 'Responses is not supported', { isAuto: true }],
  ['extras', 'my_responses is fine', { isAuto: true }],
  ['usage', 'no', { api: 'chat', param: 'stream_options' }],
  ['usage', 'Unknown field: stream_options', { api: 'chat' }],
  ['extras', 'stream_options', { api: 'chat', without: ['usage'] }],
  ['limit', 'no', { api: 'chat', param: 'max_tokens' }],
  ['limit', 'max_output_tokens is too large', {}],
  ['extras', 'max_tokens is too large', { api: 'messages' }],
  ['searches', 'Unsupported parameter: max_tool_calls', { hasTools: true }],
  ['searches', 'no', { param: 'max_tool_calls' }],
  ['searches', 'unsupported tool field: max_uses', { api: 'messages', hasTools: true }],
  ['reasoning', 'adaptive thinking is not supported on this model', { api: 'messages' }],
  [undefined, 'adaptive thinking is not supported on this model', { api: 'messages', effort: 'high' }],
  ['caching', 'messages.0.content.0.text.cache_control: Extra inputs are not permitted', { api: 'messages' }],
  ['chat', 'reasoning_effort with tools: use /v1/responses', { api: 'chat', isAuto: true, hasTools: true }],
  [
    'effort',
    'reasoning_effort with tools: use /v1/responses',
    { api: 'chat', isAuto: false, hasTools: true },
  ],
  // reasoning
  ['summary', 'no', { param: 'reasoning.summary', effort: 'high' }],
  ['summary', 'Reasoning summaries need a verified organisation', { effort: 'high' }],
  ['summary', 'reasoning.summary: no', { effort: 'high' }],
  ['summary', 'reasoning_summary: no', { effort: 'high' }],
  ['reasoning', 'no', { param: 'reasoning.effort' }],
  ['extras', 'no', { param: 'my.reasoning' }],
  // efforts with tools
  ['effort', 'no', { api: 'chat', hasTools: true, param: 'reasoning_effort' }],
  ['tools', 'no', { api: 'chat', hasTools: true, param: 'reasoning_effort', without: ['effort'] }],
  [undefined, 'no', { api: 'chat', hasTools: true, param: 'reasoning_effort', effort: 'high' }],
  ['effort', 'reasoning_effort with a tool', { api: 'chat', hasTools: true, effort: 'high' }],
  ['effort', 'reasoning_effort with functions', { api: 'chat', hasTools: true, effort: 'high' }],
  ['tools', 'reasoning_effort with tools', { api: 'chat', hasTools: true, effort: 'none' }],
  ['extras', 'reasoning_effort', { api: 'chat', hasTools: false }],
  [undefined, 'reasoning_effort', { api: 'chat', hasTools: false, without: ['extras'] }],
  // tools and images
  ['tools', 'no function calling', { hasTools: true }],
  ['tools', 'no functions', { hasTools: true }],
  ['tools', 'no tool', { hasTools: true }],
  ['tools', 'tool_choice', { hasTools: true }],
  ['tools', 'no tools', { messages: [result] }],
  ['extras', 'no tools', {}],
  ['extras', 'no tools', { hasTools: true, without: ['tools'] }],
  [undefined, 'no tools', { hasTools: true, without: ['tools', 'extras'] }],
  ['images', 'no image', { messages: [image] }],
  ['images', 'content: must be a string', { messages: [image] }],
  ['images', `output${'.'.repeat(40)}type`, { messages: [image] }],
  ['images', 'contenttype', { messages: [image] }],
  ['extras', `output${'.'.repeat(41)}type`, { messages: [image] }],
  ['images', 'no', { messages: [image], without: ['extras'] }],
  // llama.cpp: ggml-org/llama.cpp#13566, #15377
  ['images', 'image input is not supported', { api: 'chat', status: 500, messages: [image] }],
  [undefined, 'out of memory', { api: 'chat', status: 500, messages: [image], hasTools: true }],
  ['extras', 'no image', { messages: [image], without: ['images'] }],
  // what is known is not tried again
  [undefined, 'This request exceeds the context window', { code: 'context_length_exceeded', hasTools: true }],
  [undefined, 'billing', { status: 402, hasTools: true }],
  // the statuses of a rejection
  ['tools', 'no tools', { hasTools: true, status: 422 }],
  [undefined, 'no tools', { hasTools: true, status: 403 }],
])('%s is what the server rejects with "%s" %j', (expected, message, details) => {
  const { api = 'responses', isAuto = false, status = 400, param = '', code = '', effort } = details
  const error = rejectionError({ status, message, code, param }, false)
  const call = {
    ...callWith(...(details.messages ?? [])),
    tools: details.hasTools ? [tool] : [],
    ...(effort !== undefined && { effort }),
  }
  const without = new Set(details.without)
  expect(findRejection(error, { api, isAuto, call, without })).toBe(expected)
  expect(findRejection(new Error(message), { api, isAuto, call, without })).toBeUndefined()
})

it.each<[boolean, Rejection, { status?: number; message?: string; code?: string; param?: string }]>([
  // OpenAI: https://community.openai.com/t/1065439, "Unsupported parameter: 'tools' is not supported with this model."
  [true, 'tools', { code: 'unsupported_parameter', param: 'tools' }],
  [true, 'tools', { code: 'unsupported_parameter', param: 'tool_choice' }],
  [true, 'images', { code: 'unsupported_content', param: 'messages[0].content[1].image_url' }],
  // words alone: Ollama, OpenRouter, vLLM; Gemini and Kimi about what they want back (securo-finance/securo#884, langroid/langroid#969)
  [false, 'tools', { message: 'registry.ollama.ai/library/gemma:2b does not support tools' }],
  [false, 'tools', { status: 404, message: 'No endpoints found that support tool use.' }],
  [false, 'tools', { message: 'Function call is missing a thought_signature in functionCall parts.' }],
  [false, 'tools', { message: 'reasoning_content is missing in assistant tool call message at index 2' }],
  [false, 'images', { message: 'image input is not supported' }],
  // a code about something else: this call, this schema, this conversation
  [false, 'tools', { code: 'tool_use_failed' }],
  [false, 'tools', { code: 'invalid_function_parameters', param: 'tools[0].function.parameters' }],
  [false, 'tools', { code: 'unsupported_parameter', param: 'messages' }],
  [false, 'tools', { code: 'invalid_value', param: 'tools' }],
  [false, 'images', { code: 'invalid_image_format', param: 'messages[0].content[1].image_url' }],
  [true, 'responses', { status: 404 }],
  [false, 'responses', { status: 400, message: 'not supported in the Responses API' }],
  // GoogleChromeLabs/webmcp-tools#417
  [true, 'chat', { param: 'reasoning_effort' }],
  [true, 'effort', { param: 'reasoning_effort' }],
  [false, 'effort', { message: 'reasoning_effort with tools' }],
  [true, 'summary', { param: 'reasoning.summary' }],
  [true, 'usage', { param: 'stream_options' }],
  [true, 'limit', { param: 'max_completion_tokens' }],
  [true, 'caching', { param: 'messages.0.content.0.text.cache_control' }],
  [false, 'usage', { message: 'stream_options' }],
  [false, 'extras', { param: 'stream_options' }],
  // a part of something else that is called alike
  [true, 'webSearch', { param: 'tools[0].type' }],
  [false, 'webSearch', { param: 'metadata.tools[0]' }],
  [false, 'webSearch', { param: 'tools' }],
  [false, 'chat', { param: 'metadata.reasoning_effort' }],
  [false, 'effort', { param: 'reasoning_effort.value' }],
  [false, 'summary', { param: 'metadata.reasoning.summary' }],
  [false, 'summary', { param: 'reasoning.summary.type' }],
  [false, 'usage', { param: 'metadata.stream_options' }],
  [false, 'limit', { param: 'metadata.max_tokens' }],
  [false, 'limit', { param: 'max_tokens.value' }],
  [false, 'searches', { param: 'max_uses.value' }],
  [false, 'reasoning', { param: 'metadata.include' }],
  [true, 'reasoning', { param: 'reasoning.effort' }],
  [true, 'reasoning', { param: 'include' }],
  [false, 'reasoning', { message: 'encrypted content is not supported' }],
])('%s: others go without %s after %j', (expected, rejection, { status = 400, message = '', ...fields }) => {
  const error = rejectionError({ status, message, code: '', param: '', ...fields }, false)
  expect(isNamedByServer(rejection, error)).toBe(expected)
  expect(isNamedByServer(rejection, new Error(message))).toBe(false)
})

it('a request leaves out what the server rejects, and the user is told what was left out', () => {
  const call: ModelCall = { ...callWith(image, result), tools: [tool], effort: 'high' }
  const reduce = (
    rejection: Rejection,
    changes: Partial<ModelCall> = {},
    api: 'chat' | 'responses' = 'chat',
  ) => {
    const input = { ...call, ...changes }
    const { reduced, omissions } = reduceCall(input, new Set([rejection]), api)
    const changedFields = Object.entries(reduced).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(input[name as keyof ModelCall]),
    )
    return [Object.fromEntries(changedFields), omissions]
  }
  const note = '[The images could not be shown to you.]'
  const [question] = call.messages
  expect(reduce('tools')).toEqual([
    { tools: [], omitWebSearch: true, messages: [question, image] },
    ['tools'],
  ])
  expect(reduce('tools', { tools: [] })).toEqual([{ omitWebSearch: true, messages: [question, image] }, []])
  expect(reduce('images')).toEqual([
    { messages: [question, { role: 'user', content: note }, result] },
    ['refusedImages'],
  ])
  expect(reduce('images', { messages: [result] })).toEqual([{}, []])
  expect(reduce('effort')).toEqual([{ effort: 'none' }, ['effort']])
  expect(reduce('effort', {}, 'responses')).toEqual([{}, []])
  expect(reduce('effort', { tools: [] })).toEqual([{}, []])
  expect(reduce('effort', { effort: 'none' })).toEqual([{}, []])
  expect(reduceCall(callWith(), new Set(['effort']), 'chat').omissions).toEqual([])
  expect(reduce('summary')).toEqual([{ omitSummary: true }, []])
  expect(reduce('usage')).toEqual([{ omitUsage: true }, []])
  expect(reduce('limit')).toEqual([{ omitOutputLimit: true }, []])
  expect(reduce('caching')).toEqual([{ omitCaching: true }, []])
  expect(reduce('searches')).toEqual([{ omitSearchLimit: true }, []])
  const extras = {
    omitUsage: true,
    omitCaching: true,
    omitSearchLimit: true,
    omitOutputLimit: true,
    omitSummary: true,
  }
  expect(reduce('extras')).toEqual([extras, []])
  expect(reduceCall(callWith(), new Set(['extras']), 'responses').reduced).toMatchObject({
    ...extras,
    omitReasoning: true,
  })
  expect(reduce('reasoning')).toEqual([{ omitReasoning: true }, []])
})

describe('what a server wants back with calls', () => {
  const unsigned: Extract<ModelMessage, { role: 'assistant' }> = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'send', arguments: '{}' } }],
  }
  const signed: ModelMessage = { ...unsigned, answer }
  const list = (message: string, messages: ModelMessage[], api: 'chat' | 'messages' = 'chat') => {
    const found: Rejection[] = []
    for (;;) {
      const request = {
        api,
        isAuto: false,
        call: { ...callWith(...messages), tools: [tool] },
        without: new Set(found),
      }
      const next = findRejection(buildRejection(message), request)
      if (next === undefined) return found
      found.push(next)
    }
  }

  // sources: https://api-docs.deepseek.com/guides/thinking_mode, https://ai.google.dev/gemini-api/docs/thought-signatures,
  // https://platform.claude.com/docs/en/build-with-claude/extended-thinking
  it.each<[string, ModelMessage[], Rejection[]]>([
    ['reasoning_content is missing', [unsigned], ['calls']],
    ['reasoning_details are required', [unsigned], ['calls']],
    ['reasoning_text expected', [unsigned], ['calls']],
    ['thought_signature must be sent', [unsigned], ['calls']],
    ['a thought signature is needed: it needs one', [unsigned], ['calls']],
    ['the thoughtSignature has to be passed back', [unsigned], ['calls']],
    ['it needs thinking_blocks', [unsigned], ['calls']],
    ['missing signature in thinking', [unsigned], ['calls']],
    ['it must begin with a thinking block', [unsigned], ['calls']],
    ['it must begin with a `redacted_thinking` block', [unsigned], ['calls']],
    ['reasoning_content is missing', [unsigned, signed], ['calls', 'encrypted']],
    ['reasoning_content is missing', [signed], ['encrypted', 'calls']],
    ['reasoning_content is too long', [unsigned, signed], ['encrypted']],
    ['reasoning_content is too long', [unsigned], []],
    ['reasoning_content is missing', [{ role: 'assistant', content: 'Hi' }], []],
    // https://github.com/vllm-project/vllm/issues/6862
    ['Conversation roles must alternate', [unsigned, result], ['calls', 'extras']],
    ['the role must alternate', [unsigned, result], ['calls', 'extras']],
    ['please alternate user/assistant', [unsigned, result], ['calls', 'extras']],
    ['roles must alternate', [signed, result], ['encrypted', 'calls', 'extras']],
    ['roles must alternate', [unsigned], ['extras']],
    // https://github.com/karthink/gptel/issues/1203
    [
      'Tool call id was c but must be a-z, A-Z, 0-9, with a length of 9.',
      [unsigned, result],
      ['ids', 'tools', 'extras'],
    ],
  ])('"%s" is about it', (message, messages, found) => {
    expect(list(message, messages)).toEqual(found)
  })

  it('is left out of calls that are described instead', () => {
    const keptMessages: ModelMessage[] = [
      { ...signed, tool_calls: [{ id: 'd', type: 'function', function: { name: 'send', arguments: '{}' } }] },
      { ...result, tool_call_id: 'd' },
    ]
    const call = callWith(unsigned, result, ...keptMessages)
    const { reduced, omissions } = reduceCall(call, new Set(['calls']), 'chat')
    expect(omissions).toEqual([])
    expect(reduced.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: '[A tool was called here: send with {}. It answered: sent]',
      },
      ...keptMessages,
    ])
  })

  it('is of this model alone', () => {
    const send = (model: string) =>
      withOwnAnswer({ role: 'assistant', content: 'Hi', answer: { ...answer, model } }, 'm')
    expect(send('m')).toEqual({ role: 'assistant', content: 'Hi', answer })
    expect(send('other')).toStrictEqual({ role: 'assistant', content: 'Hi' })
    expect(withOwnAnswer(unsigned, 'm')).toBe(unsigned)
    expect(withOwnAnswer(result, 'm')).toBe(result)
  })

  it.each<[string, Rejection[]]>([
    ["Unknown parameter: 'input[3].status'.", ['encrypted', 'extras', 'images']],
    ['messages.1.content.0.citations: Extra inputs are not permitted', ['encrypted', 'extras', 'images']],
    ['something is wrong', ['extras', 'encrypted', 'images']],
  ])('goes as text and calls after "%s"', (message, found) => {
    const find = (without: Rejection[]) =>
      findRejection(buildRejection(message), {
        api: 'responses',
        isAuto: false,
        call: callWith(messageWithAnswer, image),
        without: new Set(without),
      })
    expect([find([]), find(found.slice(0, 1)), find(found.slice(0, 2))]).toEqual(found)
  })
})

// a part that a request had is not what its server rejects
it.each<[Rejection, Partial<ModelCall>, [responses: boolean, chat: boolean, messages: boolean]]>([
  ['responses', {}, [true, false, false]],
  ['chat', {}, [false, true, false]],
  ['summary', {}, [true, false, false]],
  ['extras', {}, [true, false, false]],
  ['reasoning', {}, [true, false, true]],
  ['usage', {}, [false, true, false]],
  ['caching', {}, [false, false, true]],
  ['limit', {}, [true, true, false]],
  ['searches', {}, [false, false, false]],
  ['searches', { maxWebSearches: 1 }, [true, false, true]],
  ['tools', {}, [false, false, false]],
  ['tools', { tools: [tool] }, [true, true, true]],
  ['images', {}, [false, false, false]],
  ['images', { messages: [image] }, [true, true, true]],
  ['effort', {}, [false, false, false]],
  ['effort', { tools: [tool] }, [false, true, false]],
  ['effort', { tools: [tool], effort: 'low' }, [false, true, false]],
  ['effort', { tools: [tool], effort: 'none' }, [false, false, false]],
  ['encrypted', {}, [false, false, false]],
  ['encrypted', { messages: [messageWithAnswer] }, [true, true, true]],
  ['calls', { messages: [messageWithAnswer] }, [false, false, false]],
  ['calls', { messages: [{ role: 'assistant', content: null, tool_calls: [] }] }, [true, true, true]],
  ['ids', { messages: [result] }, [true, true, true]],
  ['ids', { messages: [{ ...result, tool_call_id: 'aB3456789' }] }, [false, false, false]],
])('%s is a part of %j over Responses, Chat Completions, Messages: %j', (rejection, changes, expected) => {
  expect(rejections).toContain(rejection)
  const call = { ...callWith(), ...changes }
  const apis = ['responses', 'chat', 'messages'] as const
  expect(apis.map((api) => hasPart(rejection, call, api))).toEqual(expected)
})

it('a call that the server could not read is known by its error', () => {
  expect(isBadCall(new ModelError(modelErrors.badCall, 'x'))).toBe(true)
  expect(isBadCall(new ModelError(modelErrors.broken, 'x'))).toBe(false)
  expect(isBadCall(new Error('x'))).toBe(false)
})

it('a fault inside a stream, or an error without words of a server, is no rejection', () => {
  const call = { ...callWith(), tools: [tool] }
  const request = { api: 'chat' as const, isAuto: true, call, without: new Set<Rejection>() }
  const inStream = rejectionError(
    { status: undefined, message: 'no tools', code: 'invalid', param: '' },
    false,
  )
  expect(findRejection(inStream, request)).toBeUndefined()
  expect(findRejection(new ModelError(modelErrors.refused, 'no tools'), request)).toBeUndefined()
})

it.each<[Rejection, string, boolean]>([
  ['reasoning', 'reasoning', true],
  ['reasoning', 'thinking.type', true],
  ['reasoning', 'include[0]', true],
  ['reasoning', 'include[x]', false],
  ['reasoning', 'my.reasoning', false],
  ['reasoning', 'includes', false],
  ['chat', 'my.reasoning_effort', false],
  ['effort', 'reasoning_effort.x', false],
  ['summary', 'reasoning_summary', true],
  ['summary', 'my.reasoning.summary', false],
  ['summary', 'reasoning.summary.x', false],
  ['usage', 'stream_options.include_usage', true],
  ['usage', 'stream_optionsx', false],
  ['usage', 'my.stream_options', false],
  ['caching', 'cache_controlx', false],
  ['caching', 'xcache_control', false],
  ['limit', 'max_tokens', true],
  ['limit', 'max_output_tokens', true],
  ['limit', 'xmax_tokens', false],
  ['limit', 'max_tokens.x', false],
  ['limit', 'max_my_tokens', false],
  ['searches', 'max_tool_calls', true],
  ['searches', 'tools.0.web_search_20250305.max_uses', true],
  ['searches', 'xmax_uses', false],
])('others go without %s when the server names the parameter %s: %s', (rejection, param, expected) => {
  expect(isNamedByServer(rejection, buildRejection('no', { param }))).toBe(expected)
})

it.each([
  ['unsupported', true],
  ['not_supported', true],
  ['unknown_parameter', true],
  ['unrecognized_argument', true],
  ['unsupported_field', true],
  ['unsupportedvalue', true],
  ['unsupported_content', true],
  ['unsupported_file', false],
  ['is_unsupported', false],
  ['unsupported_parameters', false],
  ['', false],
])('others go without tools and images for the code "%s": %s', (code, expected) => {
  for (const [rejection, params] of [
    ['tools', ['tools', 'functions', 'tool_choice']],
    ['images', ['image', 'image_url', 'messages[0].image_url.url']],
  ] as const)
    for (const param of params) {
      const error = rejectionError({ status: 400, message: 'no', code, param }, false)
      expect(isNamedByServer(rejection, error)).toBe(expected)
    }
  for (const param of ['tools[0]', 'my.tools', 'image_url_x'])
    for (const rejection of ['tools', 'images'] as const) {
      const error = rejectionError({ status: 400, message: 'no', code, param }, false)
      expect(isNamedByServer(rejection, error)).toBe(false)
    }
})
