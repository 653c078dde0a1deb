import { t } from '@lingui/core/macro'
import { getOwn } from '#shared/get-own.ts'
import { maxTitleCharacters } from '#shared/limits.ts'
import { shorten } from '../../lib/text/shorten.ts'
import type { PauseReason, RunReason, Schedule, ScheduledRunStatus } from '#shared/contracts/schedules.ts'

/** Why a schedule is paused, and what its user can do about it. The three runs are `maxFailures` of functions/schedules. */
const pauseSentences: Record<PauseReason, string> = {
  user: t`Paused.`,
  failures: t`Paused after three failed runs in a row. Its chat says what went wrong; resume it when that is mended.`,
  signed_out: t`Paused because your account was signed out everywhere. Resume it to allow it again.`,
  account: t`Paused because your account was disabled or locked. Resume it to allow it again.`,
  two_factor: t`Paused because your account needs two-factor authentication. Set it up in Settings, then resume it.`,
  not_allowed: t`Paused because your group did not allow it. An administrator can change that.`,
  conversation_deleted: t`Paused because its chat was deleted. Resume it to begin a new one.`,
  project_deleted: t`Paused because its project was deleted. Edit it to choose another one or none, then resume it.`,
  assistant_withdrawn: t`Paused because its assistant is not available to you any more. Edit it to choose another one or none, then resume it.`,
  administrator: t`Paused by an administrator.`,
  restored: t`Paused because it came back with a backup. Check what it does, then resume it.`,
}

/** @param reason of `paused_because`; a later release may have others */
export const describePause = (reason: string): string =>
  getOwn<string>(pauseSentences, reason) ?? t`Paused. Resume it when it should go on.`

const runStates: Record<ScheduledRunStatus, string> = {
  done: t`Last run done`,
  waiting: t`Last run waits for you`,
  failed: t`Last run failed`,
  skipped: t`Last run skipped`,
}

/** How the last run went. @returns undefined for a status of a later release */
export const describeRunStatus = (status: string): string | undefined => getOwn<string>(runStates, status)

/**
 * Why a run failed or was skipped. The last three are also reasons to pause a schedule: the row shows them for the run only if the schedule
 * itself is not paused for the same reason.
 * The twelve hours are `catchUpMs` of functions/schedules, the 72 are `scheduledLapsesAfterMs`.
 */
const runSentences: Record<
  | RunReason
  | 'conversation_deleted'
  | 'project_deleted'
  | 'assistant_withdrawn'
  | 'budget.none'
  | 'budget.schedule',
  string
> = {
  'budget.none': t`Your account may not use the assistant. Please ask your administrator.`,
  'budget.schedule': t`This run has used up what one run of a schedule may use. Ask for less at a time, or go on in the conversation.`,
  missed: t`It could not begin within twelve hours of its time.`,
  not_begun: t`It could not begin in time.`,
  waiting: t`The run before it still waited for your answer.`,
  paused: t`The schedule was paused before it began.`,
  lapsed: t`Its wait for your answer ended after 72 hours.`,
  not_saved: t`Your conversations are not kept, and a scheduled run needs one. Settings can change that.`,
  broken_off: t`It broke off and left no reply.`,
  conversation_deleted: t`Its chat was deleted.`,
  project_deleted: t`Its project was deleted.`,
  assistant_withdrawn: t`Its assistant was not available to you any more.`,
}

/** Why a run failed or was skipped. @param reason of `last_run.because` @returns undefined if the chat or the schedule says more */
export function describeRunReason(reason: string): string | undefined {
  const isBudget = reason === 'budget' || reason.startsWith('budget.')
  return (
    getOwn<string>(runSentences, reason) ?? (isBudget ? t`The budget for replies was used up.` : undefined)
  )
}

/** The title of a schedule: the first line of its prompt, as long as a conversation's title at most. */
export const getScheduleTitle = ({ prompt }: Pick<Schedule, 'prompt'>): string =>
  shorten(prompt.trim().split(/[\r\n]/, 1)[0] ?? '', maxTitleCharacters)

/** Whether the schedule has a conversation: it begins with the first run, and may have been deleted. */
export const hasConversation = ({
  has_conversation: isBegun,
  last_run,
  running_since,
  paused_because,
}: Schedule): boolean =>
  (isBegun ?? (last_run !== undefined || running_since !== undefined)) &&
  paused_because !== 'conversation_deleted'

/** Whether a schedule for a single time is over. */
export const isOver = ({ rule, next_at, paused_because }: Schedule): boolean =>
  rule.kind === 'once' && next_at === undefined && paused_because === undefined

/** Whether an administrator has paused it: its user cannot resume or run it then. */
export const isPausedByAdministrator = ({ paused_because }: Pick<Schedule, 'paused_because'>): boolean =>
  paused_because === 'administrator'
