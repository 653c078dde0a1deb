import * as z from 'zod'
import { runView } from '#shared/contracts/sessions.ts'
import { chatResponse } from '#shared/contracts/chat.ts'

/** Stops the run named, or whichever is running. */
export const stopRequest = z.strictObject({ runId: z.string().max(64).optional() })
export const stopResponse = z.object({ success: z.literal(true), run: runView })

/**
 * The user's answer to a question of a waiting run; with the last answer the reply goes on, in the answer to this request. Of a
 * `reconnect` question `approved` says that the integration is connected again.
 */
export const decisionRequest = z.strictObject({
  runId: z.string().max(64),
  callId: z.string().max(128),
  approved: z.boolean(),
  /** from now on this tool needs no approval; it asks again when its description changes */
  always: z.boolean().optional(),
  /** of an approval: the arguments as the user has changed them */
  arguments: z.record(z.string(), z.unknown()).optional(),
})

/** The routes of runs, of the function 'chat'. */
export const runsContracts = {
  'runs.events': { response: z.never() },
  'runs.stop': { request: stopRequest, response: stopResponse },
  'runs.answer': { request: decisionRequest, response: chatResponse },
} as const
