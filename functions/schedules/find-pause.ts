import type { GroupLimits } from '#shared/contracts/admin.ts'
import type { PauseReason } from '#shared/contracts/schedules.ts'
import type { AssistantReader, Member } from '../assistants/assistant-reader.ts'
import { hasSignedOutSince, type RevocationMark } from '../platform/auth/token-revocation.ts'
import { may } from '../platform/group-limits.ts'
import { toPaused, withFields } from './schedule-repository.ts'
import type { ScheduleRow } from './schedule-row.ts'

/** What lets a person's schedules run: their account, its groups and their limits, as a request or the user pool has them. */
export interface Standing extends Member {
  limits: GroupLimits
  mark: RevocationMark | undefined
  isDisabled?: boolean
}

/**
 * What nobody has paused, and the next run would: its owner has signed out everywhere since the approval, may have no schedules any more, or
 * its assistant is not for them. The worker stores that when the next run is due, and tells its owner; until then it is told from here.
 */
export async function pauseRefused(
  assistants: Pick<AssistantReader, 'find'>,
  standing: Standing,
  row: ScheduleRow,
): Promise<ScheduleRow> {
  const reason = row.paused_because === undefined ? await findReason(assistants, standing, row) : undefined
  return reason ? withFields(row, toPaused(reason)) : row
}

/** In the order in which a run checks it. */
async function findReason(
  assistants: Pick<AssistantReader, 'find'>,
  { limits, mark, isDisabled, ...member }: Standing,
  { approved_at, assistant_id }: ScheduleRow,
): Promise<PauseReason | undefined> {
  if (isDisabled) return 'account'
  if (hasSignedOutSince(mark, approved_at)) return 'signed_out'
  if (!may(limits, 'schedules')) return 'not_allowed'
  const isMissing = assistant_id !== undefined && !(await assistants.find(member, assistant_id))
  return isMissing ? 'assistant_withdrawn' : undefined
}
