import { countsAsMessage } from '#shared/message-content.ts'
import { retriedWrites } from '../../platform/dynamodb/retried-writes.ts'
import type { Logger } from '../../platform/telemetry/logger.ts'
import { waitForAll } from '../../platform/wait-for-all.ts'
import { ConversationNotFound } from '../store/errors.ts'
import { recountMessages } from '../store/recount-messages.ts'
import type { ConversationStores } from '../store/conversation-stores.ts'
import type { StartedTurn } from './start-turn.ts'

/** What a started turn adds to its conversation. */
export type PublishTurnInput = Pick<
  StartedTurn,
  'message' | 'history' | 'hasRow' | 'previousAt' | 'titleUpdate' | 'addedMessages' | 'canPublishLater'
>

/** Whether readers get no event before the turn is published: until then a crash would hide the message, or leave its files undeleted. */
export const mustPublishFirst = ({ hasRow, message }: PublishTurnInput): boolean =>
  !hasRow || message.attachments.length > 0

/**
 * Updates the conversation's row, or creates it, after its message was stored, and adds references to the message's files. Writes are
 * retried, because the reply cannot be stored without the row.
 * @throws ConversationNotFound if the conversation was deleted; then message, run and files are deleted
 */
export async function publishTurn(
  stores: ConversationStores,
  run: StartedTurn['run'],
  { message, history, hasRow, previousAt, titleUpdate, addedMessages }: PublishTurnInput,
): Promise<void> {
  const { sub, sessionId, model, effort, disabledTools = [], projectId, assistant } = run
  const { persist, wasRetried } = retriedWrites()

  async function upsertConversation(): Promise<void> {
    // without a row nothing was counted yet: a crash may have come between message and row
    const added = hasRow ? addedMessages : history.filter((one) => countsAsMessage(one.content)).length
    const input = {
      ...titleUpdate,
      addedMessages: added ?? 0,
      at: message.created_at,
      previousAt,
      model,
      effort,
      disabledTools,
      projectId: hasRow ? undefined : projectId,
      assistant,
    }
    const { isCountExact } = await persist(() => stores.conversations.upsert(sub, sessionId, input))
    if (added === undefined || !isCountExact || wasRetried())
      await persist(() => recountMessages(stores, run))
  }

  try {
    await waitForAll([
      upsertConversation(),
      retriedWrites().persist(() => stores.files.addReferences(sub, sessionId, message.attachments)),
    ])
  } catch (error) {
    if (error instanceof ConversationNotFound) await discardTurn(stores, run, message)
    throw error
  }
}

/** Deletes message, run and files of a turn whose conversation was deleted meanwhile. */
async function discardTurn(
  stores: ConversationStores,
  { sub, sessionId, startedAtMs }: StartedTurn['run'],
  message: PublishTurnInput['message'],
): Promise<void> {
  await stores.messages.deleteOwn(sub, message, startedAtMs)
  await stores.runs.remove(sub, sessionId)
  if (message.attachments.length > 0) await stores.files.deleteConversationFiles(sub, [sessionId])
}

/** Deletes what a turn has stored, if the deletion of its conversation did not see it. Never throws. */
export async function discardIfDeleted(
  stores: ConversationStores,
  run: StartedTurn['run'],
  { message, log }: Pick<PublishTurnInput, 'message'> & { log: Logger },
): Promise<void> {
  try {
    const found = await stores.conversations.find(run.sub, run.sessionId)
    if (found === 'deleted') await discardTurn(stores, run, message)
  } catch (error) {
    log.warn('what a turn of a deleted conversation had stored was not deleted', { error })
  }
}
