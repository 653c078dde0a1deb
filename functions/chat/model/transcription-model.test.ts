import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { openTranscriptionModel } from './transcription-model.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A model server with one answer. */
async function modelAnswering(status: number, body: unknown, type = 'application/json') {
  const requests: { path: string | undefined; body: string }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      requests.push({ path: request.url, body: Buffer.concat(chunks).toString('latin1') })
      response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const model = openTranscriptionModel({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    model: 'listener',
    readKey: async () => 'k',
  })
  const recording = { bytes: Buffer.alloc(40_000, 'a'), type: 'webm' } as const
  return { requests, transcribe: () => model.transcribe(recording, new AbortController().signal) }
}

it('sends the recording with an extension that servers know', async () => {
  const { requests, transcribe } = await modelAnswering(200, { text: ' Hello. ' })
  expect((await transcribe()).text).toBe('Hello.')
  expect(requests[0]?.path).toBe('/v1/audio/transcriptions')
  for (const part of ['listener', 'filename="recording.webm"', 'audio/webm'])
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
