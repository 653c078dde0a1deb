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
async function modelAnswering(status: number, body: unknown) {
  const requests: { path: string | undefined; body: string }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      requests.push({ path: request.url, body: Buffer.concat(chunks).toString('latin1') })
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
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
])('tells a response with %i from a text', async (status, body, code) => {
  const { transcribe } = await modelAnswering(status, body)
  await expect(transcribe()).rejects.toMatchObject({ code })
})
