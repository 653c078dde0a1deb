/** @module-tag long */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import type { StackUser } from '../support/stack-user.ts'
import { quietMp4 as mp4, quietWav as wav, quietWebm as webm } from '../support/recordings.ts'
import { demoStack } from '../support/shared-stack.ts'

/** All clusters again and again. */
function repeat(recording: Buffer, times: number): Buffer {
  const at = recording.indexOf(Buffer.from([0x1f, 0x43, 0xb6, 0x75]))
  return Buffer.concat([
    recording.subarray(0, at),
    ...Array.from({ length: times }, () => recording.subarray(at)),
  ])
}

let stack: LocalStack
beforeAll(async () => {
  stack = await startStack({
    env: { OPENAI_TRANSCRIPTION_MODEL: 'listener', TOKENS_PER_DAY: '1000' },
  })
})
afterAll(() => stack.stop())

async function transcribe(
  { origin }: Pick<LocalStack, 'origin'>,
  user: StackUser | undefined,
  body: Buffer,
  type = 'audio/wav',
) {
  const response = await fetch(`${origin}/api/speech/transcriptions`, {
    method: 'POST',
    headers: { 'content-type': type, ...(user && { authorization: `Bearer ${user.accessToken}` }) },
    body: new Uint8Array(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const readConfig = async ({ origin }: LocalStack) =>
  (await (await fetch(`${origin}/config.json`)).json()) as Record<string, unknown>
const readPolicy = async ({ origin }: LocalStack) => (await fetch(origin)).headers.get('permissions-policy')

describe('where the operator names a transcription model', () => {
  it.each([
    ['audio/wav', wav(2_000), 'recording.wav'],
    ['audio/webm', webm, 'recording.webm'],
    ['audio/webm;codecs=opus', webm, 'recording.webm'],
    ['audio/mp4', mp4, 'recording.mp4'],
  ])('a recording as %s becomes text', async (type, audio, file) => {
    const user = await stack.newUser()
    expect(await transcribe(stack, user, audio, type)).toEqual({
      status: 200,
      body: { text: expect.stringContaining(file) },
    })
  })

  it('the page may use the microphone, and is told', async () => {
    expect(await readConfig(stack)).toMatchObject({ dictation: true })
    expect(await readPolicy(stack)).toContain('microphone=(self)')
  })

  it.each([
    ['another file', Buffer.from('MZ\u0000'), 415, 'unsupported_audio'],
    ['more than ten minutes', repeat(webm, 3_000), 413, 'recording_too_long'],
    ['no file', Buffer.alloc(0), 400, 'bad_request'],
    ['more than 10 MB', wav(10 * 1024 * 1024 + 1), 413, 'body_too_large'],
  ])('refuses %s', async (_, audio, status, code) => {
    const user = await stack.newUser()
    expect(await transcribe(stack, user, audio)).toMatchObject({ status, body: { success: false, code } })
  })

  it('refuses callers without a token', async () => {
    expect(await transcribe(stack, undefined, wav(100))).toMatchObject({ status: 401 })
  })

  it('counts for the budget of the user', async () => {
    const user = await stack.newUser()
    expect((await transcribe(stack, user, wav(9_000_000))).status).toBe(200)
    const { days } = (await user.call('account.usage')) as { days: { inputTokens?: number }[] }
    expect(JSON.stringify(days)).toContain('2813')
    expect(await transcribe(stack, user, wav(100))).toMatchObject({ status: 429, body: { code: 'budget' } })
  })
})

it('without one there is no trace of dictation', async () => {
  const other = await demoStack()
  const user = await other.newUser()
  expect(await readConfig(other)).not.toHaveProperty('dictation')
  expect(await readPolicy(other)).toContain('microphone=()')
  expect(await transcribe(other, user, wav(100))).toMatchObject({
    status: 404,
    body: { code: 'dictation_off' },
  })
})
