import type { RefusalEvent } from '../schedules/announce-refusal.ts'
import { findRefusal } from '../schedules/refusal.ts'
import type { ScheduleRepository } from '../schedules/schedule-repository.ts'
import { sanitizeLine } from '../settings/sanitize-line.ts'
import { chooseLanguage } from './notification-texts.ts'
import { isWanted, maxTitleCharacters, sendNotice, type NotifyDeps } from './notify-user.ts'
import { toTopic } from './subscription-repository.ts'

/** The list of the page, which says what became of runs. */
const path = '/scheduled'

/**
 * Tells a person that a schedule is paused, or that a run of it was left out, if that is still so. An open page does not matter: only the
 * list of schedules says it there. The text names the conversation, or the schedule if it has none yet.
 * @throws before anything was sent; then the call may be repeated
 */
export async function notifyRefusal(
  deps: NotifyDeps & { schedules: Pick<ScheduleRepository, 'find'> },
  { sub, scheduleId }: RefusalEvent,
): Promise<void> {
  const row = await deps.schedules.find(sub, scheduleId)
  const kind = row && findRefusal(row)?.kind
  if (!kind) return
  const [{ notifications = {}, language: chosenLanguage }, session, page] = await Promise.all([
    deps.settings.find(sub),
    deps.conversations.find(sub, row.session_id),
    deps.openPages.find(sub),
  ])
  if (!isWanted(kind, notifications, true)) return
  const isThere = session !== undefined && session !== 'deleted'
  const title = isThere ? session.title : (row.prompt.trim().split('\n', 1)[0] ?? '')
  await sendNotice(
    deps,
    {
      sub,
      kind,
      title: sanitizeLine(title, maxTitleCharacters),
      language: chooseLanguage(chosenLanguage, page?.language),
      path,
      topic: toTopic(scheduleId),
    },
    row.notify,
  )
}
