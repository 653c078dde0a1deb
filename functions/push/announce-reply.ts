import type { Settings } from '#shared/contracts/account.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { invokeInBackground } from '../platform/invoke-in-background.ts'
import type { Logger } from '../platform/telemetry/logger.ts'
import type { ReplyEvent } from './notify-user.ts'
import { subscriptionRepository } from './subscription-repository.ts'

/**
 * Has a user told that a reply has ended or waits, if they are told anything at all: only that is found out here, and the rest by the
 * notifier. Never throws: the reply is stored by then.
 * @param functionName of the notifier
 */
export async function announceReply(
  table: Table,
  functionName: string,
  { settings, log, ...event }: Omit<ReplyEvent, 'atMs'> & { settings: Settings; log: Pick<Logger, 'warn'> },
): Promise<void> {
  try {
    const wantsMail = event.scheduled?.notify.includes('mail') ?? settings.notifications?.mail === true
    const isTold = wantsMail || (await subscriptionRepository(table).list(event.sub)).length > 0
    if (!isTold) return
    await invokeInBackground(functionName, { ...event, atMs: Date.now() } satisfies ReplyEvent)
  } catch (error) {
    log.warn('a reply could not be announced', { error })
  }
}
