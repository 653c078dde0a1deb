import { describe, expect, it } from 'vitest'
import { cleanServerMessage, describeRejection, isRejection, readRejection } from './server-rejection.ts'

it.each<[body: unknown, expected: object]>([
  [
    { error: { message: 'no', type: 't', param: 'p', code: 'c' } },
    { message: 'no', type: 't', param: 'p', code: 'c' },
  ],
  // numbers as codes, and the status once more
  [{ error: { message: 'no', code: 1_500 } }, { message: 'no', code: '1500' }],
  [{ error: { message: 'no', code: 400 } }, { message: 'no', code: '' }],
  [
    [{ error: { code: 400, message: 'no', status: 'INVALID_ARGUMENT' } }],
    { message: 'no', type: 'INVALID_ARGUMENT' },
  ],
  [
    { object: 'error', message: 'no', type: 'BadRequestError', param: null, code: 400 },
    { message: 'no', type: 'BadRequestError' },
  ],
  [{ error: 'no' }, { message: 'no' }],
  [{ detail: 'no' }, { message: 'no' }],
  [
    { detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options', 'include_usage'], msg: 'no' }] },
    { message: 'no', type: 'extra_forbidden', param: 'stream_options.include_usage' },
  ],
  [{ errors: [{ code: 7_003, message: 'no' }] }, { message: 'no', code: '7003' }],
  [{ Message: 'no' }, { message: 'no' }],
  [
    { type: 'error', error: { type: 'overloaded_error', message: 'no' } },
    { message: 'no', type: 'overloaded_error' },
  ],
  // gateways have the provider's error within theirs
  [
    {
      error: {
        code: 400,
        message: 'Provider returned error',
        metadata: { raw: '{"error":{"message":"no","code":"c"}}' },
      },
    },
    { message: 'Provider returned error no', code: 'c' },
  ],
  [
    {
      error: {
        message: 'litellm.BadRequestError: OpenAIException - {"error":{"message":"no","type":"t"}}',
        code: '400',
      },
    },
    { message: 'litellm.BadRequestError: OpenAIException - no', type: 't' },
  ],
  [
    "Extra inputs are not permitted, field: 'stream_options', value: {'include_usage': True}",
    { param: 'stream_options' },
  ],
  [
    { error: { message: 'Unrecognized request argument supplied: stream_options' } },
    { param: 'stream_options' },
  ],
  [{ error: { message: "Unknown parameter: 'reasoning.summary'." } }, { param: 'reasoning.summary' }],
  ['plain text', { message: 'plain text', isJson: false }],
  ['', { message: '', isJson: false }],
  [{}, { message: '', code: '', type: '', param: '', isJson: true }],
  [{ error: null }, { message: '' }],
  [{ error: { message: { text: 'no' } } }, { message: '{"text":"no"}' }],
  [null, {}],
])('reads the error %j', (body, expected) => {
  expect(readRejection(body, { status: 400 })).toMatchObject({ status: 400, ...expected })
  expect(readRejection(JSON.stringify(body), { status: 400 })).toMatchObject(
    typeof body === 'string' ? { status: 400 } : expected,
  )
})

it('takes a number as the status of an error inside a stream', () => {
  expect(readRejection({ error: { code: 429, message: 'no' } }, { status: undefined })).toMatchObject({
    status: 429,
  })
  expect(readRejection({ error: { code: 7, message: 'no' } }, { status: undefined })).toMatchObject({
    status: undefined,
  })
})

describe('the log gets a message', () => {
  it.each([
    // nothing of the user's
    ['Invalid value: "My diagnosis is private". Expected text.', 'Invalid value: "…". Expected text.'],
    ["Invalid value: 'Dear Ann'. Expected text.", 'Invalid value: "…". Expected text.'],
    ['Unknown tool `ann_s_tool`', 'Unknown tool "…"'],
    ['Flagged: “Dear Ann”', 'Flagged: "…"'],
    ['Unterminated "Dear Ann, this is', 'Unterminated "…"'],
    [
      'Input should be a valid string, input: {"text": "Dear Ann"} and more',
      'Input should be a valid string, input: …',
    ],
    ['Not sent to ann@example.org today', 'Not sent to … today'],
    ['See https://example.org/?user=ann for more', 'See … for more'],
    ['Call +47 912 34 567 or 4111-1111-1111-1111', 'Call +… or …'],
    ['Incorrect API key provided: sk-proj-abc1******xyz9.', 'Incorrect API key provided: …'],
    ['Bad token eyJhbGciOiJIUzI1NiJ9', 'Bad token …'],
    ['<html>Dear Ann', '…'],
    ['line\none\ttwo\u0000', 'line one two'],
    ['x '.repeat(1_000), `${'x '.repeat(150)}…`],
    // all that the operator needs
    [
      "This model's maximum context length is 1048576 tokens.",
      "This model's maximum context length is 1048576 tokens.",
    ],
    [
      'prompt is too long: 215001 tokens > 200000 maximum',
      'prompt is too long: 215001 tokens > 200000 maximum',
    ],
    [
      'The reasoning_content in the thinking mode must be passed back.',
      'The reasoning_content in the thinking mode must be passed back.',
    ],
    [
      'image input is not supported - hint: you may need to provide the mmproj',
      'image input is not supported - hint: you may need to provide the mmproj',
    ],
  ])('%j as %j', (message, cleaned) => {
    expect(cleanServerMessage(message)).toBe(cleaned)
  })

  it('after its status, code, type and parameter, if they are words', () => {
    const rejection = {
      status: 400,
      message: 'no',
      code: 'c',
      type: 'invalid_request_error',
      param: 'messages[0].content',
    }
    expect(describeRejection(rejection)).toBe(
      'the model answered 400, code c, type invalid_request_error, param messages[0].content: no',
    )
    expect(
      describeRejection({
        ...rejection,
        status: undefined,
        message: '',
        code: 'Dear Ann',
        param: 'x'.repeat(61),
      }),
    ).toBe('the model answered with an error, type invalid_request_error')
  })
})

describe('an error with status 200, or in a stream', () => {
  it.each<[string, unknown]>([
    ['with an object', { error: { message: 'x' } }],
    ['with words', { error: 'out of memory' }],
    ['as vLLM writes it', { object: 'error', message: 'x' }],
    ['as vLLM writes it, beside choices', { object: 'error', choices: [] }],
    ['as Anthropic writes it', { type: 'error', message: 'x' }],
    ['as FastAPI writes it', { detail: 'x' }],
    ['as FastAPI writes it, as a list', { detail: [] }],
    ['in a list', [{ error: 'x' }, {}]],
  ])('is known: %s', (_, body) => {
    expect(isRejection(body)).toBe(true)
  })

  it.each([
    null,
    'error',
    [],
    { error: null },
    { error: {} },
    { error: '' },
    { error: 3 },
    { error: ['x'] },
    { object: 'chat.completion.chunk' },
    { type: 'chunk' },
    { detail: null },
    { type: 'error', choices: [] },
    { detail: 'x', choices: [] },
    { type: 'response.failed', response: { error: { message: 'x' } } },
  ])('is none of %j', (value) => {
    expect(isRejection(value)).toBe(false)
  })
})
