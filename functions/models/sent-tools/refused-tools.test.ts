import { describe, expect, it } from 'vitest'
import { rejectionError } from '../request-errors.ts'
import { readRejection } from '../server-rejection.ts'
import { findRefusedTools, findSuspectedTools } from './refused-tools.ts'
import type { SentTool } from './sent-tools.ts'

const tools: SentTool[] = [
  { key: 'a', name: 'search', next: 'simple', isForeign: false },
  { key: 'b', name: 'notion_find', next: 'simple', isForeign: true },
  { key: 'c', name: 'notion_find_all', next: 'omitted', isForeign: true },
]
const toError = (error: unknown, status: number | undefined) =>
  rejectionError(readRejection({ error }, { status }), false)
const find = (error: unknown, status = 400) =>
  findRefusedTools(toError(error, status), tools).map(({ key }) => key)

it.each<[string, object, string[]]>([
  [
    'OpenAI',
    {
      message: "Invalid schema for function 'notion_find': In context=(), array schema missing items.",
      param: 'tools[1].function.parameters',
      code: 'invalid_function_parameters',
    },
    ['b'],
  ],
  ['OpenAI without a place', { message: "Invalid schema for function 'search': In context=()" }, ['a']],
  [
    'Anthropic',
    { type: 'invalid_request_error', message: 'tools.2.custom.input_schema: JSON schema is invalid.' },
    ['c'],
  ],
  [
    'Gemini',
    {
      message:
        '* GenerateContentRequest.tools[0].function_declarations[1].name: Invalid function name.\n* GenerateContentRequest.tools[0].function_declarations[2].parameters.x: bad',
      status: 'INVALID_ARGUMENT',
    },
    ['b', 'c'],
  ],
  ['FastAPI', { detail: [{ loc: ['body', 'tools', 1, 'function'], msg: 'bad' }] }, ['b']],
  ['a name that another one begins with', { message: 'Tool notion_find_all is not valid.' }, ['c']],
  ['a name that is a word', { message: 'Please search for another tool.' }, []],
  ['a tool that is not the product’s', { message: 'tools.3.type: unknown' }, []],
  ['something else', { message: 'messages: too many' }, []],
])('finds the tools that a server refuses: %s', (_, error, keys) => {
  expect(find(error)).toEqual(keys)
})

it('takes an error of a server for a refusal if it names a tool', () => {
  expect(find({ message: "BadRequest: Invalid schema for function 'notion_find'" }, 500)).toEqual(['b'])
  expect(find({ message: "function 'notion_find'" }, 429)).toEqual([])
  expect(findRefusedTools(new Error('x'), tools)).toEqual([])
})

describe('a refusal that names no tool', () => {
  const suspect = (
    message: string,
    {
      status,
      isSimple = false,
      ...more
    }: Partial<Parameters<typeof findSuspectedTools>[2]> & {
      status?: number | undefined
      isSimple?: boolean
    } = {},
  ) => {
    const sent = isSimple ? tools.map((tool): SentTool => ({ ...tool, next: 'omitted' })) : tools
    const options = { isExplained: false, isLast: true, ...more }
    return findSuspectedTools(toError({ message }, status), sent, options).map(({ key }) => key)
  }

  it.each<[string, number | undefined]>([
    // https://github.com/MoonshotAI/kimi-code/issues/2661
    ['Invalid request: tools.function.parameters is not a valid moonshot flavored json schema', 400],
    // https://github.com/firecrawl/firecrawl/issues/4512
    ['Failed to initialize samplers: failed to parse grammar', 400],
    ['Failed to initialize samplers: failed to parse grammar', 500],
    ['Error in iterating prediction stream: RuntimeError: failed to parse grammar', undefined],
    ['number of repetitions exceeds sane defaults', 400],
    ["Pattern must start with '^' and end with '$'", 400],
    ['Words that nobody knows', 422],
    ['Words that nobody knows', 500],
  ])('is of the schemas, and then of the tools of servers: %s, %s', (message, status) => {
    expect(suspect(message, { status })).toEqual(['a', 'b'])
    const isFault = status !== 422 && message.startsWith('Words')
    expect(suspect(message, { status, isSimple: true })).toEqual(isFault ? [] : ['b', 'c'])
  })

  it.each<[string, Parameters<typeof suspect>[1]]>([
    ['This model does not support tools; remove them from the schema.', { status: 400 }],
    ["Function tools with reasoning_effort are not supported by this tool's schema", { status: 400 }],
    ['Incorrect API key', { status: 401 }],
    ['Rate limit reached', { status: 429 }],
    ['maximum context length is 8192 tokens', { status: 400 }],
    ['The server is restarting', { status: 503 }],
    ['stream_options is unknown', { status: 400, isExplained: true }],
    ['Words that nobody knows', { status: 400, isSimple: true, isLast: false }],
  ])('is of something else: %s', (message, options) => {
    expect(suspect(message, options)).toEqual([])
  })
})
