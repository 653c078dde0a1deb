import * as z from 'zod'
import type { Recording } from '../files/recording-duration.ts'
import type { ModelUsage } from '../platform/dynamodb/usage-counters.ts'
import { isPromptTooLong, ModelError, modelErrors } from './model-errors.ts'
import { toFields } from './fields.ts'
import { readTokenCount } from './token-counts.ts'
import { estimateTextTokens } from './token-estimate.ts'
import { requestWhole, type WholeModelSettings } from './whole-request.ts'

export interface TranscriptionModel {
  /** @throws ModelError, or the reason of the aborted signal */
  transcribe(recording: Recording, signal: AbortSignal): Promise<{ text: string; usage: ModelUsage }>
}

/** Ten times what people say in an hour. */
const maxResponseBytes = 1024 * 1024

/** By OpenAI's models, which count ten tokens a second. */
const audioTokensPerSecond = 10

const answer = z.object({ text: z.string(), usage: z.unknown().optional() })

/** What a recording comes to before its server has counted it. */
export const estimateAudioTokens = ({ seconds }: Pick<Recording, 'seconds'>): number =>
  Math.ceil(seconds * audioTokensPerSecond)

/** Servers that name no usage, or no possible one, or do not answer, are counted by the length of the recording. */
export function countUsage(
  { text, usage }: { text: string; usage?: unknown },
  recording: Recording,
): ModelUsage {
  const { input_tokens, output_tokens, seconds } = toFields(usage)
  const billed = readTokenCount(
    typeof seconds === 'number' ? Math.ceil(seconds * audioTokensPerSecond) : undefined,
  )
  return {
    inputTokens: readTokenCount(input_tokens) ?? billed ?? estimateAudioTokens(recording),
    outputTokens: readTokenCount(output_tokens) ?? estimateTextTokens(text),
  }
}

/** The transcription model behind any OpenAI-compatible server. */
export function openTranscriptionModel(settings: WholeModelSettings): TranscriptionModel {
  return {
    async transcribe(recording, signal) {
      const body = new FormData()
      body.set('model', settings.model)
      body.set('response_format', 'json')
      body.set(
        'file',
        new File([new Uint8Array(recording.bytes)], `recording.${recording.type}`, {
          type: `audio/${recording.type}`,
        }),
      )
      const request = requestWhole<unknown>(settings, { maxResponseBytes, signal }, (client) =>
        client.post('/audio/transcriptions', { body, signal }),
      )
      const response = await request.catch((error: unknown) => {
        if (isTooShort(error)) return { text: '' }
        throw error
      })
      const parsed = answer.safeParse(response)
      if (!parsed.success)
        throw new ModelError(modelErrors.unreadable, 'no text of a recording', { cause: parsed.error })
      return { text: toOneLine(parsed.data.text), usage: countUsage(parsed.data, recording) }
    },
  }
}

/** Of a recording that is over at once: nothing was said. OpenAI wants 0.1 s, Groq 0.01. */
const isTooShort = (error: unknown) =>
  error instanceof ModelError && /\baudio\b.{0,40}\btoo short\b/i.test(error.rejection?.message ?? '')

/**
 * What servers say of a recording that they cannot read. OpenAI: https://github.com/laravel/ai/issues/316; Groq: "could not process file - is
 * it a valid media file?"; servers with ffmpeg: "Invalid data found when processing input", whisper.cpp: "failed to read audio data".
 */
const saysUnreadable =
  /\b(audio|recording|media|codecs?|ffmpeg)\b|\bfile\b.{0,60}\b(format|type|corrupt\w*|invalid|empty|decod\w*|supported)\b|\b(invalid|unsupported|corrupt\w*|empty|read)\b.{0,30}\bfile\b|invalid data found|\bdecod(e|ed|ing)\b/i
const saysTooLong = /\b(audio|recording|file|content)\b.{0,80}\b(longer than|too (long|large|big)|exceed\w*)/i
const isAboutOthers = /response_format|\bmodel\b.{0,60}(\bnot\b|n['’]t\b|unsupported)/i

/** What a server has refused of the recording itself, rather than the model or the form of its answer. */
export function findRecordingProblem(error: unknown): 'unreadable' | 'tooLong' | undefined {
  if (!(error instanceof ModelError) || !error.rejection) return undefined
  if (isPromptTooLong(error)) return 'tooLong'
  const { code, rejection } = error
  const { param, status } = rejection
  const text = rejection.message.slice(0, 2_000)
  const mayBe =
    code === modelErrors.refused.code ||
    (code === modelErrors.broken.code && [undefined, 500].includes(status))
  if (!mayBe || param === 'model' || isAboutOthers.test(`${param} ${text}`)) return undefined
  if (saysTooLong.test(text)) return 'tooLong'
  return param === 'file' || status === 415 || saysUnreadable.test(text) ? 'unreadable' : undefined
}

/** whisper.cpp begins a line with each part of a sentence, and has a word for silence. */
function toOneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines
    .filter((line) => line !== '' && line !== '[BLANK_AUDIO]')
    .join(' ')
    .toWellFormed()
}
