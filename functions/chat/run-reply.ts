import { deleteTurnFiles } from '../files/delete-turn-files.ts'
import type { ConversationStores } from '../conversations/store/conversation-stores.ts'
import type { ReplyLog } from '../conversations/store/reply-log.ts'
import type { Run } from '../conversations/store/run.ts'
import {
  discardIfDeleted,
  mustPublishFirst,
  publishTurn,
  type PublishTurnInput,
} from '../conversations/turns/publish-turn.ts'
import { superviseRun } from '../conversations/turns/supervise-run.ts'
import type { ReplyResult } from '../conversations/replies/reply-result.ts'
import { findUserMessage } from './prompt/prompt.ts'
import type { Reply, ReplyDeps } from './reply.ts'
import { concludeReply } from './conclude-reply.ts'
import { generateToEnd, type ReplyEnd } from './generate-to-end.ts'
import { storeEnd } from './store-reply.ts'

/** The dependencies of writing a reply. */
type WriteDeps = Pick<ReplyDeps, 'fileDeps' | 'settings' | 'toolProvider' | 'toolsAllowed' | 'wasDisabled'>

/** Ends after which the user cannot retry, so that the message's files are no longer needed. */
const isFinal = ({ status }: ReplyEnd) => status === 'done' || status === 'stopped' || status === 'incomplete'

/** Writes a reply without a run: nothing is stored, the request body is the whole conversation. */
export async function runStatelessReply(deps: WriteDeps, reply: Reply): Promise<ReplyResult> {
  const startedAtMs = Date.now()
  const ended = await generateToEnd(deps, { ...reply, canAskUser: false }, undefined)
  await reply.ledger.written()
  const result = concludeReply(reply, ended, startedAtMs)
  if (!isFinal(ended)) return result
  const messageFiles = findUserMessage(reply.history)?.attachments ?? []
  const own = [...messageFiles.filter(({ isInUse }) => !isInUse), ...reply.events.reply.attachments]
  const ids = own.map(({ id }) => id)
  // the user's setting alone decides
  await deleteTurnFiles(deps, reply.sub, { isSaved: true, sessionId: undefined, ids, mayRetry: false })
  return result
}

/** Publishes the turn. Readers get no event before a new conversation, or the use of a file, is stored. */
async function publish(
  stores: ConversationStores,
  run: Run,
  publication: PublishTurnInput,
  events: ReplyLog,
): Promise<void> {
  if (mustPublishFirst(publication)) events.pause()
  try {
    await publishTurn(stores, run, publication)
  } finally {
    events.resume()
  }
}

/**
 * Writes the reply of a run, and stores how it ended. The run does not depend on readers.
 * Never throws: what cannot be stored is reported in the reply's events, and the next reader recovers it from the checkpoints.
 * @param publication of a turn that begins; it is published beside the model and before the reply is stored, or together with it
 */
export async function runReply(
  deps: WriteDeps & { stores: ConversationStores },
  run: Run,
  reply: Reply,
  publication?: PublishTurnInput,
): Promise<ReplyResult> {
  const { stores } = deps
  const { events, log } = reply
  const startedAtMs = Date.now()
  const later = publication?.canPublishLater ? publication : undefined
  const publishing = publication && !later ? publish(stores, run, publication, events) : undefined
  // awaited later; this handler only prevents an `unhandledRejection`
  publishing?.catch(() => undefined)
  const supervision = superviseRun(stores, { run, events, log })
  const ended = await generateToEnd(deps, reply, supervision.signal)
  await Promise.all([supervision.finishWriting(), reply.ledger.written()])
  const isWaiting = ended.status === 'waiting'
  let end = ended
  try {
    end = await storeEnd(stores, run, {
      reply,
      ended,
      supervision,
      published: later && isWaiting ? publishTurn(stores, run, later) : publishing,
      ...(later && !isWaiting && { uncounted: later.addedMessages }),
    })
    if (later && end.status === 'lost') await discardIfDeleted(stores, run, { ...later, log })
    return concludeReply(reply, end, startedAtMs)
  } finally {
    // the heartbeat continues until the last attempt to store, so that no reader recovers the run meanwhile
    await supervision.stop()
    // a stop came before the run waited, or it could not be stored
    if (isWaiting && end.status !== 'waiting')
      await (await import('./waiting-tasks.ts')).endPendingCalls(deps, { ...run, pending: ended.pending })
  }
}

/** Summarises what the prompt left out. */
async function updateSummary(reply: Reply): Promise<void> {
  const { summaryStore, progress, log } = reply
  const { firstTurn } = progress
  if (firstTurn === undefined) return
  try {
    await summaryStore?.update({ ...reply, firstTurn })
  } catch (error) {
    // the next reply tries again
    log.warn('a conversation could not be summarised', { error })
  }
}

type TitleDeps = Pick<ReplyDeps, 'writesTitles' | 'models'>
type FinishDeps = TitleDeps & Pick<ReplyDeps, 'announce'>

/** Writes the title of a conversation after its first reply. */
async function updateTitle({ writesTitles, models }: TitleDeps, reply: Reply): Promise<void> {
  const { titleStore, hasEarlier, history, log } = reply
  const isFirst = !hasEarlier && history.every(({ role }) => role === 'user')
  if (!writesTitles || !titleStore || !isFirst) return
  try {
    const { writeTitle } = await import('./conversation-title.ts')
    await writeTitle(titleStore, models, reply)
  } catch (error) {
    // the first words of the message stay
    log.warn('a title could not be written', { error })
  }
}

/**
 * Returns the work after a reply, for which no reader waits: writes the conversation's title, summarises what the prompt left out, and
 * announces the reply to the notifier.
 */
export const finishConversation =
  (deps: FinishDeps, reply: Reply) =>
  async ({ success }: Pick<ReplyResult, 'success'>): Promise<void> => {
    if (success) await Promise.all([updateTitle(deps, reply), updateSummary(reply)])
    await deps.announce?.(reply)
  }
