import * as z from 'zod'
import { clientGeneratedId } from '#shared/contracts/chat.ts'
import { success } from '#shared/contracts/success.ts'
import { maxSchedulePromptCharacters, maxScheduleWrites } from '#shared/limits.ts'

export const weekdays = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su'] as const

/** of a day, in the schedule's zone: `08:00` */
const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)

/**
 * When a schedule runs. Days and times are those of its zone. A time that a change of the clock leaves out is at the change, one that it
 * repeats is its first; `hourly` is once in each hour that exists. Days after the end of a month are its last day.
 */
export const rule = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('once'),
    /** ISO 8601; without an offset in the schedule's zone: `2026-12-01T08:00`. With seconds it is the next minute */
    at: z.union([
      z.iso.datetime({ offset: true }),
      z.iso.datetime({ offset: true, precision: -1 }),
      z.iso.datetime({ local: true }),
    ]),
  }),
  z.strictObject({ kind: z.literal('hourly'), minute: z.number().int().min(0).max(59) }),
  z.strictObject({ kind: z.literal('daily'), time: timeOfDay }),
  z.strictObject({
    kind: z.literal('weekly'),
    days: z.array(z.enum(weekdays)).min(1).max(7),
    time: timeOfDay,
  }),
  z.strictObject({
    kind: z.literal('monthly'),
    day: z.union([z.number().int().min(1).max(31), z.literal('last')]),
    time: timeOfDay,
  }),
])
export type Rule = z.infer<typeof rule>

/** `waiting`: for its person, for 72 hours at most. `skipped`: it did not begin. */
export const runStatuses = ['done', 'waiting', 'failed', 'skipped'] as const
export type ScheduledRunStatus = (typeof runStatuses)[number]

/**
 * Why a run failed or was skipped. `missed`: its time had passed by long. `not_begun`: it was handed over, and not begun in time. `waiting`:
 * the one before still waited. `paused`: before it began. `lapsed`: nobody has answered it. `broken_off`: it has left nothing.
 */
export const runReasons = [
  'missed',
  'not_begun',
  'waiting',
  'paused',
  'lapsed',
  'not_saved',
  'broken_off',
] as const
export type RunReason = (typeof runReasons)[number]

/**
 * Why a schedule does not run by itself. `signed_out`: everywhere, since it was approved. `account`: disabled, or locked. `not_allowed`: by
 * the groups. `conversation_deleted`, `project_deleted`, `assistant_withdrawn`: what it belongs to is gone, an assistant also if it is for other
 * groups by now. `restored`: it came back with a backup.
 */
export const pauseReasons = [
  'user',
  'failures',
  'signed_out',
  'account',
  'two_factor',
  'not_allowed',
  'conversation_deleted',
  'project_deleted',
  'assistant_withdrawn',
  'administrator',
  'restored',
] as const
export type PauseReason = (typeof pauseReasons)[number]

/** shorter than others, because the ids of its messages begin with it */
const scheduleId = clientGeneratedId.max(48)

const notifications = z.array(z.enum(['mail', 'push'])).max(2)

const content = {
  prompt: z.string().trim().min(1).max(maxSchedulePromptCharacters),
  rule,
  /** IANA name, such as `Europe/Berlin`. 400 `bad_request.time_zone` for one that is unknown */
  time_zone: z.string().min(1).max(60),
  /** null, or absent: as in a new chat. 400 `bad_request.schedule_model`, `bad_request.schedule_effort` for one that is not offered */
  model: z.string().min(1).max(200).nullish(),
  effort: z.string().min(1).max(20).nullish(),
  project_id: clientGeneratedId.nullish(),
  assistant_id: clientGeneratedId.nullish(),
  /**
   * names of tools that run without asking; 400 `bad_request.schedule_tools` for those that the caller does not have, 403 `sign_in_again` if
   * the sign-in is more than 15 minutes old
   */
  writes: z.union([z.literal('ask'), z.array(z.string().min(1).max(200)).max(maxScheduleWrites)]).optional(),
  notify: notifications.optional(),
  paused: z.boolean().optional(),
}

/** POST /api/schedules. With an `id` the same request again changes nothing. */
export const scheduleAddition = z.strictObject({ id: scheduleId.optional(), ...content })
export type ScheduleAddition = z.infer<typeof scheduleAddition>

/** PATCH /api/schedules/{scheduleId}: changes the given fields, at least one. With `version`, the one seen: 409 if it was changed since. */
export const scheduleChange = z
  .strictObject({ ...z.object(content).partial().shape, version: z.number().int().optional() })
  .refine(
    (change) => Object.entries(change).some(([name, value]) => name !== 'version' && value !== undefined),
    {
      message: 'Name at least one field to change.',
    },
  )
export type ScheduleChange = z.infer<typeof scheduleChange>

/** A schedule, as its user sees it. Times are ISO 8601 in UTC. */
export const schedule = z.object({
  id: z.string(),
  prompt: z.string(),
  rule,
  time_zone: z.string(),
  model: z.string().optional(),
  effort: z.string().optional(),
  project_id: z.string().optional(),
  assistant_id: z.string().optional(),
  writes: z.union([z.literal('ask'), z.array(z.string())]),
  notify: notifications,
  /** counts the changes that people made */
  version: z.number().int(),
  created_at: z.string(),
  /** the conversation of all its runs, which begins with the first; another one after a change of its project or assistant */
  session_id: z.string(),
  /** whether a run has begun in that conversation; absent if that is not known: then `last_run` tells */
  has_conversation: z.boolean().optional(),
  /** absent if it is paused, or its only time is over */
  next_at: z.string().optional(),
  /** the next three times */
  next_times: z.array(z.string()),
  /** since when a run is under way */
  running_since: z.string().optional(),
  /** when that run is tried again, because its model did not reply */
  retry_at: z.string().optional(),
  /**
   * `because`: why it failed or was skipped, one of `runReasons`, of `pauseReasons`, a code of an error such as `budget.day_tokens`, or of a
   * later release
   */
  last_run: z
    .object({ at: z.string(), status: z.enum(runStatuses), because: z.string().optional() })
    .optional(),
  /** whether it does not run by itself; `paused_because` says why */
  paused: z.boolean(),
  /** one of `pauseReasons`, or of a later release */
  paused_because: z.string().optional(),
})
export type Schedule = z.infer<typeof schedule>

const scheduleResponse = z.object({ success: z.literal(true), schedule })

/** The routes of schedules, of the function 'tools', which knows the tools of a user. */
export const schedulesContracts = {
  'schedules.list': { response: z.object({ schedules: z.array(schedule) }) },
  'schedules.create': { request: scheduleAddition, response: scheduleResponse },
  'schedules.read': { response: scheduleResponse },
  'schedules.update': { request: scheduleChange, response: scheduleResponse },
  /** With `version`, the one seen: 409 `changed_elsewhere` if it was changed since. One that is gone is no error. */
  'schedules.delete': {
    query: z.object({ version: z.coerce.number().int().optional() }),
    response: success,
  },
  /** hands a run over at once, also while it is paused. 409 `schedule_running` while one is under way */
  'schedules.run': { response: scheduleResponse },
} as const
