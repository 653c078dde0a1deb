import * as z from 'zod'

/** POST /api/speech/transcriptions: the body is a recording as webm, mp4 or wav (audio-types.ts). */
export const speechContracts = {
  'speech.transcribe': {
    /** `text` is empty if nothing was said */
    response: z.object({ text: z.string() }),
  },
} as const
