import * as z from 'zod'
import { approvalRequest } from '#shared/contracts/runs.ts'

/** A call that waits for its person, with the conversation in which it does. `runs.answer` takes the decision. */
const waitingCall = z.object({
  session_id: z.string(),
  /** of the conversation */
  title: z.string(),
  run_id: z.string(),
  /** the schedule whose run waits; absent for a chat */
  schedule_id: z.string().optional(),
  /** of kind `approval`, `reconnect` or `elicitation`; only the first is decided without its conversation */
  request: approvalRequest,
})
export type WaitingCall = z.infer<typeof waitingCall>

/** GET /api/waiting: what waits for the caller in all conversations but temporary ones, newest first. What has lapsed or is decided is not in it. */
const waitingList = z.object({
  waiting: z.array(waitingCall),
  /** how many wait at least, also beyond those in the list */
  total: z.number().int().nonnegative(),
  /** the caller has a schedule that is not paused: something may begin to wait while nobody is there */
  is_scheduled: z.boolean(),
})
export type WaitingList = z.infer<typeof waitingList>

/** The route of what waits, of the function 'sessions'. */
export const waitingContracts = {
  'waiting.list': { response: waitingList },
} as const
