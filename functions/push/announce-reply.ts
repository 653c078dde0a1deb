import type { Settings } from '#shared/contracts/account.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { invokeInBackground } from '../platform/invoke-in-background.ts'
import type { Logger } from '../platform/telemetry/logger.ts'
import type { ReplyEvent } from './notify-user.ts'
import { subscriptionRepository } from './subscription-repository.ts'

interface EndedReply extends Pick<ReplyEvent, 'sub' | 'sessionId'> {
  /** of the schedule that has begun the run */
  scheduleId: string | undefined
  settings: Settings
  log: Pick<Logger, 'warn'>
}

/** Loads the channels of a schedule; a deleted one has none. */
async function findChannels(table: Table, sub: string, id: string): Promise<ReplyEvent['scheduled']> {
  const { scheduleRepository } = await import('../schedules/schedule-repository.ts')
  return { notify: (await scheduleRepository(table).find(sub, id))?.notify ?? [] }
}

/**
 * Asks the notifier to tell a user that a reply has ended or waits, unless they have neither mails nor a subscribed browser; the notifier
 * checks the rest. Never throws: the reply is stored by then.
 * @param functionName of the notifier
 */
export async function announceReply(
  table: Table,
  functionName: string,
  { scheduleId, settings, log, ...event }: EndedReply,
): Promise<void> {
  try {
    const scheduled = scheduleId === undefined ? undefined : await findChannels(table, event.sub, scheduleId)
    const wantsMail = scheduled?.notify.includes('mail') ?? settings.notifications?.mail === true
    const wantsPush = scheduled?.notify.includes('push') ?? true
    if (!wantsMail && !(wantsPush && (await subscriptionRepository(table).list(event.sub)).length > 0)) return
    await invokeInBackground(functionName, { ...event, scheduled, atMs: Date.now() } satisfies ReplyEvent)
  } catch (error) {
    log.warn('a reply could not be announced', { error })
  }
}
