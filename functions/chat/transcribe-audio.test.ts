import { expect, it, vi } from 'vitest'
import { ModelError, modelErrors } from './model/model-errors.ts'
import type { Reservation } from './reply-budget.ts'
import { detectAudioType, transcribeAudio } from './transcribe-audio.ts'

const webm = Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(39_996)])

it.each([
  ['breaks off', new ModelError(modelErrors.unreachable, 'cut'), [[{ inputTokens: 100, outputTokens: 0 }]]],
  ['is refused', new ModelError(modelErrors.key, 'no'), []],
])('a transcription that %s counts for the budget as far as it is billed', async (_, error, counted) => {
  const spend = vi.fn<Reservation['spend']>()
  const reservation = {
    admit: async () => undefined,
    settleAfter: (ended: Promise<unknown>) => ended,
    spend,
  } as unknown as Reservation
  const model = { transcribe: () => Promise.reject(error) }
  await expect(transcribeAudio(webm, { model, reservation, limits: {} })).rejects.toBe(error)
  expect(spend.mock.calls).toEqual(counted)
})

it('a member whose costs are limited cannot dictate: nothing says what it costs', async () => {
  const admit = vi.fn<Reservation['admit']>()
  const reservation = { admit, settleAfter: (ended: Promise<unknown>) => ended } as unknown as Reservation
  const model = { transcribe: vi.fn<() => Promise<never>>() }
  const deps = { model, reservation, limits: { cost_per_month: 5 } }
  await expect(transcribeAudio(webm, deps)).rejects.toMatchObject({ code: 'dictation_unpriced', status: 403 })
  expect([admit.mock.calls, model.transcribe.mock.calls]).toEqual([[], []])
})

// the first bytes: Matroska (EBML), ISO 14496-12 section 4.3, RIFF
it.each([
  ['webm', webm],
  ['mp4', Buffer.from('\0\0\0\u0018ftypM4A ')],
  ['wav', Buffer.from('RIFF\0\0\0\0WAVE')],
  [undefined, Buffer.from('RIFF\0\0\0\0AVI ')],
  [undefined, Buffer.from('OggS\0\0\0\0WAVE')],
  [undefined, Buffer.alloc(0)],
])('a recording is known as %s by its first bytes', (type, bytes) => {
  expect(detectAudioType(bytes)).toBe(type)
})
