import { dictationSentences } from '#shared/sentences/dictation.ts'
import { maxRecordingSeconds } from '#shared/limits.ts'
import { defineErrors, defineLimits } from '../platform/errors.ts'
import type { Reservation } from './reply-budget.ts'
import { rewriteRecording } from '../files/recording-duration.ts'
import { isUnbilled, ModelError, modelErrors } from '../models/model-errors.ts'
import {
  countUsage,
  estimateAudioTokens,
  findRecordingProblem,
  openTranscriptionModel,
  type TranscriptionModel,
} from '../models/transcription-model.ts'

/** The site's distribution waits a minute for the response. */
const timeoutMs = 55_000
/** A recorder may stop a little late, and the last packet is whole. */
const toleratedSeconds = 10

export const { DictationOff, DictationUnpriced, UnsupportedAudio, RecordingTooLong } = defineErrors(
  dictationSentences,
  {
    /** The operator names no transcription model. */
    DictationOff: [404, 'dictation_off'],
    /** A group, or the site, limits costs, and nobody could tell when the limit is reached. */
    DictationUnpriced: [403, 'dictation_unpriced'],
    UnsupportedAudio: [415, 'unsupported_audio'],
    RecordingTooLong: [413, 'recording_too_long'],
  },
)

export const { DictationUsedUp } = defineLimits(dictationSentences, { DictationUsedUp: 'dictation_used_up' })
/** What the model itself says. */
const { RecordingUnread, RecordingTooLongForModel } = defineErrors(dictationSentences, {
  RecordingUnread: [415, 'unsupported_audio.unread'],
  RecordingTooLongForModel: [413, 'recording_too_long.for_model'],
})

const ascii = (bytes: Uint8Array, from: number, to: number) =>
  Buffer.from(bytes.subarray(from, to)).toString('latin1')

/** The type of a recording by its first bytes; servers go by the extension. */
export function detectAudioType(bytes: Uint8Array): 'webm' | 'mp4' | 'wav' | undefined {
  if (ascii(bytes, 0, 4) === '\u001AE\u00DF\u00A3') return 'webm'
  if (ascii(bytes, 4, 8) === 'ftyp') return 'mp4'
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WAVE') return 'wav'
  return undefined
}

/** Whom a recording is transcribed for. */
interface Dictation {
  reservation: Reservation
  pricedModelsOnly: boolean
  /** Counts the length of a recording against what its user may dictate in a day. @throws DictationUsedUp */
  countSeconds: (seconds: number) => Promise<void>
}

/**
 * The text of a recording, within the budgets of its user and of everybody together.
 * @throws DictationUnpriced, UnsupportedAudio, RecordingTooLong, DictationUsedUp, ModelError, and the errors of the budgets
 */
export function transcribeAudio(
  bytes: Uint8Array,
  { model, reservation, pricedModelsOnly, countSeconds }: { model: TranscriptionModel } & Dictation,
): Promise<{ text: string }> {
  const transcribe = async () => {
    if (pricedModelsOnly)
      throw new DictationUnpriced('a limit of costs, and no price of the transcription model')
    const type = detectAudioType(bytes)
    if (!type) throw new UnsupportedAudio(`${bytes.length} bytes of another type`)
    const recording = rewriteRecording({ bytes, type })
    if (!recording) throw new UnsupportedAudio(`${type} whose length cannot be measured`)
    const { seconds } = recording
    if (seconds > maxRecordingSeconds + toleratedSeconds) throw new RecordingTooLong(`${seconds} seconds`)
    await reservation.reserve(estimateAudioTokens(recording))
    await countSeconds(Math.ceil(seconds))
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const { text, usage } = await model.transcribe(recording, signal)
      reservation.spend(usage)
      return { text }
    } catch (cause) {
      if (!isUnbilled(cause)) reservation.spend(countUsage({ text: '' }, recording))
      if (signal.aborted) throw new ModelError(modelErrors.silent, 'no transcription in time', { cause })
      const problem = findRecordingProblem(cause)
      if (problem === 'tooLong') throw new RecordingTooLongForModel('the model says so', { cause })
      if (problem === 'unreadable') throw new RecordingUnread('the model says so', { cause })
      throw cause
    }
  }
  return reservation.settleAfter(transcribe())
}

type ModelSettings = Parameters<typeof openTranscriptionModel>[0]

/** The text of a recording by the model that the operator names. @throws DictationOff, and as `transcribeAudio` */
export function transcribe(
  bytes: Uint8Array,
  {
    model,
    reservation,
    pricedModelsOnly,
    countSeconds,
    ...server
  }: Omit<ModelSettings, 'model'> & { model: string | undefined } & Dictation,
): Promise<{ text: string }> {
  if (model === undefined) throw new DictationOff('no transcription model is named')
  return transcribeAudio(bytes, {
    model: openTranscriptionModel({ ...server, model }),
    reservation,
    pricedModelsOnly,
    countSeconds,
  })
}
