import * as z from 'zod'
import { rule, schedule } from '#shared/contracts/schedules.ts'
import { maxSchedulePromptCharacters, maxScheduleWrites } from '#shared/limits.ts'

/*
 * What a reply asks the user to approve about a schedule: the arguments of its call, completed by the service. The card shows all of it, and
 * it is stored as it is.
 */

/** A tool that runs without asking. Without a fingerprint it is approved already, and stays as it was. */
export const requestedTool = z.strictObject({
  name: z.string(),
  title: z.string().optional(),
  /** the connection that it belongs to */
  integration: z.string().optional(),
  fingerprint: z.string().optional(),
})
export type RequestedTool = z.infer<typeof requestedTool>

const content = {
  prompt: z.string().trim().min(1).max(maxSchedulePromptCharacters),
  rule,
  time_zone: z.string().min(1).max(60),
  run_without_asking: z.array(requestedTool).max(maxScheduleWrites),
  notify: z.array(z.enum(['mail', 'push'])).max(2),
}

/** USD; the most that the tokens and searches of a run cost. Absent where the price of the model is not known. */
const estimate = { max_cost_per_run: z.number().nonnegative().optional() }

/** Arguments of `create_schedule`. */
export const creationRequest = z.strictObject({
  ...content,
  /** of the conversation: its runs belong to it, too */
  project: z.strictObject({ id: z.string(), name: z.string() }).optional(),
  /** of the conversation: its runs use it, too */
  assistant: z.strictObject({ id: z.string(), name: z.string() }).optional(),
  ...estimate,
})
export type CreationRequest = z.infer<typeof creationRequest>

/** Arguments of `change_schedule`: the schedule as it is, and what changes. */
export const changeRequest = z.strictObject({
  id: z.string(),
  /** of the schedule as it is shown: what was changed since is not changed unseen */
  version: z.number().int(),
  before: schedule.pick({ prompt: true, rule: true, time_zone: true, writes: true, notify: true }).extend({
    is_paused: z.boolean(),
  }),
  ...z.object(content).partial().shape,
  paused: z.boolean().optional(),
  delete: z.literal(true).optional(),
  ...estimate,
})
export type ChangeRequest = z.infer<typeof changeRequest>
