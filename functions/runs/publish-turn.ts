import { isRealContent } from '#shared/message-content.ts'
import { retriedWrites } from '../platform/dynamodb/retried-writes.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import { SessionNotFound } from '../conversations/errors.ts'
import { recount } from '../conversations/recount-messages.ts'
import type { Stores } from '../conversations/stores.ts'
import type { BegunTurn } from './begin-turn.ts'

/** What a begun turn adds to its conversation. */
export type TurnNews = Pick<BegunTurn, 'message' | 'said' | 'hasRow' | 'title' | 'gained'>

/** Whether a crash now would leave the message where its user does not find it, or its files where nobody deletes them. */
export const isHidden = ({ hasRow, message }: TurnNews): boolean => !hasRow || message.attachments.length > 0

/**
 * Shows a stored message in its conversation, which is made when it is not there yet, and notes that its files are in use. The
 * reply that is meanwhile written cannot be stored without the row: a table that falters is tried on.
 * @throws SessionNotFound when the conversation was deleted meanwhile: message, run and files are gone then
 */
export async function publishTurn(
  stores: Stores,
  run: BegunTurn['run'],
  { message, said, hasRow, title, gained }: TurnNews,
): Promise<void> {
  const { sub, sessionId } = run
  const { persist, wasRetried: repeated } = retriedWrites()

  async function publish(): Promise<void> {
    // without a row nothing was counted yet: a crash may have come between message and row
    const added = hasRow ? gained : said.filter((one) => isRealContent(one.content)).length
    const news = { ...title, added: added ?? 0, at: message.created_at }
    const { isSure } = await persist(() => stores.sessions.publish(sub, sessionId, news))
    if (added === undefined || !isSure || repeated()) await persist(() => recount(stores, run))
  }

  try {
    await waitForAll([
      publish(),
      retriedWrites().persist(() => stores.files.use(sub, sessionId, message.attachments)),
    ])
  } catch (error) {
    if (error instanceof SessionNotFound) {
      await stores.messages.takeBack(sub, message, run.startedAtMs)
      await stores.runs.remove(sub, sessionId)
      if (message.attachments.length > 0) await stores.files.remove(sub, sessionId)
    }
    throw error
  }
}
