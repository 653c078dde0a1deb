import * as z from 'zod'
import { runView } from '#shared/contracts/sessions.ts'

/** Stops the run named, or whichever is running. */
export const stopRequest = z.strictObject({ runId: z.string().max(64).optional() })
export const stopResponse = z.object({ success: z.literal(true), run: runView })

/** The user's answer to a call that waits for approval; the reply then goes on in the answer to this request. */
export const answerRequest = z.strictObject({
  runId: z.string().max(64),
  callId: z.string().max(128),
  approved: z.boolean(),
})
