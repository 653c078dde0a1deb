import { expect, it } from 'vitest'
import { openWholeModel } from '../../test/support/whole-model.ts'
import { countUsage, findRecordingProblem, openTranscriptionModel } from './transcription-model.ts'

async function modelAnswering(status: number, body: unknown, type = 'application/json') {
  const { requests, settings } = await openWholeModel(status, body, type)
  const model = openTranscriptionModel({ ...settings, model: 'listener' })
  const recording = { bytes: Buffer.alloc(40_000, 'a'), type: 'webm', seconds: 10 } as const
  return { requests, transcribe: () => model.transcribe(recording, new AbortController().signal) }
}

it('sends the recording with an extension that servers know', async () => {
  const { requests, transcribe } = await modelAnswering(200, { text: ' Hello. ' })
  expect((await transcribe()).text).toBe('Hello.')
  expect(requests[0]?.path).toBe('/v1/audio/transcriptions')
  for (const part of [
    'name="model"\r\n\r\nlistener\r\n',
    'name="response_format"\r\n\r\njson\r\n',
    'name="file"; filename="recording.webm"\r\nContent-Type: audio/webm\r\n\r\naaa',
  ])
    expect(requests[0]?.body).toContain(part)
})

it.each([
  ['whisper.cpp', { text: ' And so\n my fellow\n' }, 'And so my fellow'],
  ['whisper.cpp, of silence', { text: ' [BLANK_AUDIO]\n' }, ''],
  [
    'LocalAI',
    { text: 'Hello', segments: [{ id: 0, start: 0, end: 1, text: 'Hello', tokens: [1] }] },
    'Hello',
  ],
  ['Groq', { text: ' Hello', x_groq: { id: 'req_1' } }, 'Hello'],
  ['vLLM', { text: 'Hello', usage: { type: 'duration', seconds: 2 } }, 'Hello'],
  ['speaches', { text: 'Hello', usage: null, logprobs: null }, 'Hello'],
])('reads the answer of %s', async (_, body, text) => {
  for (const type of ['application/json', 'text/plain; charset=utf-8']) {
    const { transcribe } = await modelAnswering(200, body, type)
    expect((await transcribe()).text).toBe(text)
  }
})

it.each([
  {
    error: {
      message: 'Audio file is too short. Minimum audio length is 0.1 seconds.',
      code: 'audio_too_short',
    },
  },
  { error: { message: 'Audio file is too short. Minimum audio length is 0.01 seconds.' } },
])('hears nothing in a recording that is too short: %j', async (body) => {
  const { transcribe } = await modelAnswering(400, body)
  expect((await transcribe()).text).toBe('')
})

it.each([
  [{ usage: { type: 'tokens', input_tokens: 12, output_tokens: 3 } }, { inputTokens: 12, outputTokens: 3 }],
  [{ usage: { type: 'duration', seconds: 7 } }, { inputTokens: 70 }],
  [{ usage: 'much' }, { inputTokens: 100 }],
  [{}, { inputTokens: 100 }],
])('counts %j', async (extra, usage) => {
  const { transcribe } = await modelAnswering(200, { text: 'Hello', ...extra })
  expect((await transcribe()).usage).toMatchObject(usage)
})

const estimate = { inputTokens: 100, outputTokens: 2 }
it.each<[unknown, object]>([
  [undefined, estimate],
  [{ seconds: 1.01 }, { ...estimate, inputTokens: 11 }],
  [
    { input_tokens: 0, output_tokens: 0, seconds: 9 },
    { inputTokens: 0, outputTokens: 0 },
  ],
  ...[-1, -1e6, 0.5, 1e300, NaN, Infinity, '7', null, {}].map((odd): [unknown, object] => [
    { input_tokens: odd, output_tokens: odd },
    estimate,
  ]),
  ...[-1e9, 1e300, NaN, '7'].map((seconds): [unknown, object] => [{ seconds }, estimate]),
])('a recording of ten seconds with usage %j is counted as %j', (usage, counted) => {
  const recording = { bytes: Buffer.alloc(0), type: 'webm', seconds: 10 } as const
  expect(countUsage({ text: 'Hello', usage }, recording)).toEqual(counted)
})

it.each([
  ['an audio of another kind', 400, { error: { message: 'Audio file is broken' } }, 'model_refused'],
  ['a text too short', 400, { error: { message: 'The prompt is too short' } }, 'model_refused'],
])('%s is an error', async (_, status, body, code) => {
  const { transcribe } = await modelAnswering(status, body)
  await expect(transcribe()).rejects.toMatchObject({ code })
})

it.each<[string, number, unknown, string | undefined]>([
  // https://github.com/laravel/ai/issues/316
  [
    'OpenAI',
    400,
    { error: { message: 'Audio file might be corrupted or unsupported', param: 'file' } },
    'unreadable',
  ],
  ['OpenAI', 400, { error: { message: "Invalid file format. Supported formats: ['flac']" } }, 'unreadable'],
  ['Groq', 400, { error: { message: 'could not process file - is it a valid media file?' } }, 'unreadable'],
  ['faster-whisper', 500, { detail: 'Invalid data found when processing input' }, 'unreadable'],
  ['speaches', 415, { detail: 'No.' }, 'unreadable'],
  ['whisper.cpp', 200, { error: 'failed to read WAV file' }, 'unreadable'],
  ['OpenAI', 413, { error: { message: 'Maximum content size limit (26214400) exceeded' } }, 'tooLong'],
  [
    'OpenAI',
    400,
    {
      error: {
        message:
          'audio duration 1600 seconds is longer than 1400 seconds which is the maximum for this model',
      },
    },
    'tooLong',
  ],
  ['vLLM', 400, { error: { message: 'The model m does not support audio' } }, undefined],
  [
    'a form',
    400,
    { error: { message: 'response_format json is not for this audio', param: 'response_format' } },
    undefined,
  ],
  ['a key', 401, { error: { message: 'no audio for this key' } }, undefined],
  ['a fault', 500, { error: { message: 'x' } }, undefined],
])('a refusal of the recording is told from others: %s, %i, %j', async (_, status, body, problem) => {
  const { transcribe } = await modelAnswering(status, body)
  expect(findRecordingProblem(await transcribe().catch((error: unknown) => error))).toBe(problem)
})

it('a text is well-formed, in one line', async () => {
  const { transcribe } = await modelAnswering(200, {
    text: 'a\n\n \t b[BLANK_AUDIO]\n[BLANK_AUDIO] \n\ud800',
  })
  expect((await transcribe()).text).toBe('a b[BLANK_AUDIO] \ufffd')
})

it.each([
  [1024 * 1024 - '{"text":""}'.length, true],
  [1024 * 1024 - '{"text":""}'.length + 1, false],
])('an answer has at most a megabyte: %i characters are read: %s', async (length, isRead) => {
  const { transcribe } = await modelAnswering(200, { text: 'x'.repeat(length) })
  const code = await transcribe().then(
    ({ text }) => text.length,
    (error: { code: string }) => error.code,
  )
  expect(code).toBe(isRead ? length : 'model_unreadable')
})

it.each([
  [401, { error: { message: 'no key' } }, 'model_key_refused'],
  [
    404,
    { error: { message: 'The model listener does not exist', code: 'model_not_found' } },
    'model_unknown',
  ],
  [200, { type: 'transcription' }, 'model_unreadable'],
  [200, { words: [] }, 'model_server_missing'],
  // whisper.cpp without --convert
  [200, { error: 'failed to read WAV file' }, 'model_broken'],
])('tells a response with %i from a text', async (status, body, code) => {
  const { transcribe } = await modelAnswering(status, body)
  await expect(transcribe()).rejects.toMatchObject({ code })
})
