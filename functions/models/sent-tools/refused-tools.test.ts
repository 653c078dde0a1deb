import { expect, it } from 'vitest'
import { rejectionError } from '../request-errors.ts'
import { readRejection } from '../server-rejection.ts'
import { findRefusedTools } from './refused-tools.ts'
import type { SentTool } from './sent-tools.ts'

const tools: SentTool[] = [
  { key: 'a', name: 'search', next: 'simple' },
  { key: 'b', name: 'notion_find', next: 'simple' },
  { key: 'c', name: 'notion_find_all', next: 'omitted' },
]
const find = (error: unknown, status = 400) =>
  findRefusedTools(rejectionError(readRejection({ error }, { status }), false), tools).map(({ key }) => key)

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
  // https://github.com/MoonshotAI/kimi-code/issues/2661
  [
    'Moonshot',
    { message: 'Invalid request: tools.function.parameters is not a valid moonshot flavored json schema' },
    ['a', 'b'],
  ],
  ['no tools at all', { message: 'This model does not support tools; remove them from the schema.' }, []],
  ['the parameter', { message: 'Unknown properties', param: 'tools' }, []],
  [
    'an effort',
    { message: "Function tools with reasoning_effort are not supported by this tool's schema" },
    [],
  ],
  ['a tool that is not the product’s', { message: 'tools.3.type: unknown' }, []],
  ['something else', { message: 'messages: too many' }, []],
])('finds the tools that a server refuses: %s', (_, error, keys) => {
  expect(find(error)).toEqual(keys)
})

it('takes an error of a server for a refusal only if it names a tool', () => {
  expect(find({ message: "BadRequest: Invalid schema for function 'notion_find'" }, 500)).toEqual(['b'])
  expect(find({ message: 'The schema could not be read.' }, 500)).toEqual([])
  expect(find({ message: "function 'notion_find'" }, 429)).toEqual([])
  expect(findRefusedTools(new Error('x'), tools)).toEqual([])
})
