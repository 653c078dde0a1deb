import * as z from 'zod'
import { rule, runStatuses, type PauseReason, type Rule } from '#shared/contracts/schedules.ts'

/*
 * The row of a schedule is the truth; rows of the index (due-index.ts) say when the dispatcher looks at it, and may be too many.
 * Times are milliseconds since 1970.
 */

const prefix = 'SCHED#'
/** Of the sort keys of a user's schedules. */
export const schedulePrefix = prefix
export const scheduleKey = (sub: string, id: string) => ({ PK: `U#${sub}`, SK: prefix + id })
/** The row that is there while an administrator has paused all schedules of a user, also those to come. */
export const holdKey = (sub: string) => ({ PK: `U#${sub}`, SK: 'SCHEDHOLD' })

/** A run that was sent to the worker and has not been settled. `at` is its time by the rule, or when its owner started it. */
const handed = z.object({
  at: z.number(),
  /** when it was last sent */
  since: z.number(),
  /** how often, if more than once */
  sends: z.number().int().optional().catch(undefined),
  /** its owner started it: it neither counts as a failure nor needs the schedule to be on */
  by_hand: z.literal(true).optional().catch(undefined),
  /** how often its model was not available, so that the run begins again at `retry_at`; `because` is the code of the last error */
  retries: z.number().int().optional().catch(undefined),
  retry_at: z.number().optional().catch(undefined),
  because: z.string().optional().catch(undefined),
  /** tokens that the attempts so far have used */
  used: z.number().optional().catch(undefined),
})

const lastRun = z.object({
  at: z.number(),
  status: z.enum(runStatuses),
  /** of the message in the conversation; absent if it did not begin */
  message_id: z.string().optional().catch(undefined),
  /** code of what went wrong, or why it was skipped */
  because: z.string().optional().catch(undefined),
  /** whether its owner started it; absent in rows of earlier releases */
  by_hand: z.boolean().optional().catch(undefined),
})

/** A tool that runs without asking, as it was when the person approved it. */
const approvedTool = z.object({ name: z.string(), fingerprint: z.string() })
export type ApprovedTool = z.infer<typeof approvedTool>

const row = z.object({
  SK: z.string().startsWith(prefix),
  /** advances with each write of the row */
  v: z.number().int().catch(0),
  /** advances with each change by a person */
  version: z.number().int().catch(1),
  prompt: z.string().catch(''),
  rule,
  time_zone: z.string(),
  model: z.string().optional().catch(undefined),
  effort: z.string().optional().catch(undefined),
  project_id: z.string().optional().catch(undefined),
  assistant_id: z.string().optional().catch(undefined),
  session_id: z.string(),
  // what cannot be read was not approved
  writes: z.union([z.literal('ask'), z.array(approvedTool)]).catch('ask'),
  /** whom calls reached that its person has approved in its runs, newest last */
  approved_recipients: z.array(z.string()).optional().catch(undefined),
  notify: z.array(z.enum(['mail', 'push'])).catch([]),
  created_at: z.number().catch(0),
  approved_at: z.number().catch(0),
  next_at: z.number().optional().catch(undefined),
  /** in a row */
  failures: z.number().int().catch(0),
  paused_because: z.string().optional(),
  /** why it was paused before an administrator paused it; absent: it was not */
  paused_before: z.string().optional().catch(undefined),
  handed: handed.optional().catch(undefined),
  last_run: lastRun.optional().catch(undefined),
  /** the last cause that was announced to its owner; absent once a run succeeds, or they resume the schedule */
  announced_cause: z.string().optional().catch(undefined),
  /**
   * the run that began last: its time, since when, and in which conversation (absent: that of the schedule). It is never begun again, whatever
   * became of its message
   */
  begun: z
    .object({ at: z.number(), since: z.number(), session_id: z.string().optional() })
    .optional()
    .catch(undefined),
})

/** A schedule of a user. */
export interface ScheduleRow extends Omit<z.infer<typeof row>, 'SK'> {
  id: string
  rule: Rule
  /** a `PauseReason`, or one of a later release */
  paused_because?: PauseReason | (string & {}) | undefined
}

/** The conversation of the run that began last; the schedule's own if none has, or if it is not known. */
export const findRunSession = ({ session_id, begun }: Pick<ScheduleRow, 'session_id' | 'begun'>): string =>
  begun?.session_id ?? session_id

/** @returns undefined for a row that this release cannot read, so that the others can be read */
export function parseSchedule(item: Record<string, unknown>): ScheduleRow | undefined {
  const parsed = row.safeParse(item)
  if (!parsed.success) return undefined
  const { SK, ...fields } = parsed.data
  return { id: SK.slice(prefix.length), ...fields }
}

/** What the dispatcher sends to the worker. A run begins at most once for each `message_id`. */
export const runMessage = z.object({
  sub: z.string(),
  id: z.string(),
  at: z.number(),
  /** of the message that the run stores in the conversation */
  message_id: z.string(),
})
export type RunMessage = z.infer<typeof runMessage>

/** Builds the message of a run: the same for the same schedule and time. @param at ms */
export const toRunMessage = (sub: string, id: string, at: number): RunMessage => ({
  sub,
  id,
  at,
  message_id: `${id}-${at}`,
})
