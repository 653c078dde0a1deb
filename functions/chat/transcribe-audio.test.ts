import { expect, it, vi } from 'vitest'
import { quietWav, quietWebm as webm } from '../../test/support/recordings.ts'
import { ModelError, modelErrors } from '../models/model-errors.ts'
import { rewriteRecording } from '../files/recording-duration.ts'
import { rejectionError } from '../models/request-errors.ts'
import type { Reservation } from './reply-budget.ts'
import type { TranscriptionModel } from '../models/transcription-model.ts'
import { detectAudioType, transcribeAudio } from './transcribe-audio.ts'

const countSeconds = async () => undefined

/** A reservation that counts what it is asked for. */
function reserve() {
  const spend = vi.fn<Reservation['spend']>()
  const admit = vi.fn<Reservation['reserve']>(async () => undefined)
  const reservation = {
    reserve: admit,
    settleAfter: (ended: Promise<unknown>) => ended,
    spend,
  } as unknown as Reservation
  return { reservation, admit, spend }
}

it.each([
  ['breaks off', new ModelError(modelErrors.unreachable, 'cut'), [[{ inputTokens: 6, outputTokens: 0 }]]],
  ['is refused', new ModelError(modelErrors.key, 'no'), []],
])('a transcription that %s counts for the budget as far as it is billed', async (_, error, counted) => {
  const { reservation, spend } = reserve()
  const model = { transcribe: () => Promise.reject(error) }
  await expect(
    transcribeAudio(webm, { model, reservation, pricedModelsOnly: false, countSeconds }),
  ).rejects.toBe(error)
  expect(spend.mock.calls).toEqual(counted)
})

it.each([
  [
    'Audio file might be corrupted',
    'unsupported_audio',
    415,
    'This recording could not be read. Please record it again.',
  ],
  ['audio is longer than 60 seconds', 'recording_too_long', 413, 'Please record a shorter one.'],
])(
  'a recording that its model refuses is said to be the reason: %s',
  async (message, code, status, words) => {
    const { reservation, spend } = reserve()
    const refusal = rejectionError({ status: 400, message, code: '', param: 'file' }, false)
    const model = { transcribe: () => Promise.reject(refusal) }
    await expect(
      transcribeAudio(webm, { model, reservation, pricedModelsOnly: false, countSeconds }),
    ).rejects.toMatchObject({
      code,
      status,
      userMessage: expect.stringContaining(words) as string,
    })
    expect(spend.mock.calls).toEqual([])
  },
)

it('a transcription that takes longer than the site waits is billed, and says that the model is silent', async () => {
  const limit = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
  const { reservation, spend } = reserve()
  const model: TranscriptionModel = {
    transcribe: async (_recording, signal) => {
      limit.abort(new Error('time is up'))
      throw signal.reason
    },
  }
  await expect(
    transcribeAudio(webm, { model, reservation, pricedModelsOnly: false, countSeconds }),
  ).rejects.toMatchObject(modelErrors.silent)
  expect(timeout.mock.calls).toEqual([[55_000]])
  expect(spend.mock.calls).toEqual([[{ inputTokens: 6, outputTokens: 0 }]])
})

it('a transcription counts what its server has counted', async () => {
  const usage = { inputTokens: 7, outputTokens: 3 }
  const { reservation, spend, admit } = reserve()
  const transcribe = vi.fn<TranscriptionModel['transcribe']>(async () => ({ text: 'Hello', usage }))
  expect(
    await transcribeAudio(webm, {
      model: { transcribe },
      reservation,
      pricedModelsOnly: false,
      countSeconds,
    }),
  ).toEqual({
    text: 'Hello',
  })
  expect(transcribe.mock.calls).toEqual([
    [rewriteRecording({ bytes: webm, type: 'webm' }), expect.any(AbortSignal)],
  ])
  expect([admit.mock.calls, spend.mock.calls]).toEqual([[[6]], [[usage]]])
})

it('another file than a recording is refused before it counts', async () => {
  const { reservation, admit } = reserve()
  const model = { transcribe: vi.fn<() => Promise<never>>() }
  await expect(
    transcribeAudio(Buffer.from('OggS'), { model, reservation, pricedModelsOnly: false, countSeconds }),
  ).rejects.toMatchObject({
    code: 'unsupported_audio',
    status: 415,
  })
  expect([admit.mock.calls, model.transcribe.mock.calls]).toEqual([[], []])
})

it('a recording of more than ten minutes is refused before it counts', async () => {
  const { reservation, admit } = reserve()
  const model = { transcribe: vi.fn<() => Promise<never>>() }
  const bytes = quietWav(44 + 620 * 2_000, { rate: 1_000 })
  await expect(
    transcribeAudio(bytes, { model, reservation, pricedModelsOnly: false, countSeconds }),
  ).rejects.toMatchObject({
    code: 'recording_too_long',
    status: 413,
  })
  expect([admit.mock.calls, model.transcribe.mock.calls]).toEqual([[], []])
})

it('where costs are limited nobody can dictate: nothing says what it costs', async () => {
  const { reservation, admit } = reserve()
  const model = { transcribe: vi.fn<() => Promise<never>>() }
  await expect(
    transcribeAudio(webm, { model, reservation, pricedModelsOnly: true, countSeconds }),
  ).rejects.toMatchObject({
    code: 'dictation_unpriced',
    status: 403,
  })
  expect([admit.mock.calls, model.transcribe.mock.calls]).toEqual([[], []])
})

// the first bytes: Matroska (EBML), ISO 14496-12 section 4.3, RIFF
it.each([
  ['webm', webm],
  ['mp4', Buffer.from('\0\0\0\u0018ftypM4A ')],
  ['wav', Buffer.from('RIFF\0\0\0\0WAVE')],
  [undefined, Buffer.from('RIFF\0\0\0\0AVI ')],
  [undefined, Buffer.from('OggS\0\0\0\0WAVE')],
  [undefined, Buffer.from('WAVERIFF')],
  [undefined, Buffer.from('ftyp\0\0\0\0')],
  [undefined, Buffer.alloc(0)],
])('a recording is known as %s by its first bytes', (type, bytes) => {
  expect(detectAudioType(bytes)).toBe(type)
})
