import type { RefusalEvent } from '../schedules/announce-refusal.ts'
import { findRefusal } from '../schedules/refusal.ts'
import type { ScheduleRepository } from '../schedules/schedule-repository.ts'
import { findRunSession } from '../schedules/schedule-row.ts'
import { sanitizeLine } from '../platform/sanitize-line.ts'
import { chooseLanguage } from './notification-texts.ts'
import {
  isWanted,
  maxTitleCharacters,
  sendNotice,
  toConversationPath,
  type NotifyDeps,
} from './notify-user.ts'
import { toTopic } from './subscription-repository.ts'

/** The page's list of schedules, which shows the results of runs. */
const listPath = '/scheduled'

/**
 * Notifies the owner of a schedule that it is paused, or that a run was skipped or broke off, if that is still so. Also while a page is open:
 * there, only the list of schedules shows it. The text names the conversation, or the first line of the prompt if there is no conversation yet.
 * @throws before anything was sent; then the call may be repeated
 */
export async function notifyRefusal(
  deps: NotifyDeps & { schedules: Pick<ScheduleRepository, 'find'> },
  { sub, scheduleId }: RefusalEvent,
): Promise<void> {
  const row = await deps.schedules.find(sub, scheduleId)
  const kind = row && findRefusal(row)?.kind
  if (!kind) return
  const sessionId = kind === 'failed' ? findRunSession(row) : row.session_id
  const [{ notifications = {}, language: chosenLanguage }, session, page] = await Promise.all([
    deps.settings.find(sub),
    deps.conversations.find(sub, sessionId),
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
      path: kind === 'failed' && isThere ? toConversationPath(sessionId) : listPath,
      topic: toTopic(scheduleId),
    },
    row.notify,
  )
}
