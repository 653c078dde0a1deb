import type { Failure } from '#shared/contracts/chat.ts'
import { connectionLost, replyNotices, replyNotStored } from '#shared/chat-texts.ts'
import { deleteTurnFiles } from '../files/delete-turn-files.ts'
import { measure } from '../platform/telemetry/metrics.ts'
import type { ConversationStores } from '../conversations/store/conversation-stores.ts'
import { ConversationNotFound, RunOwnershipLost } from '../conversations/store/errors.ts'
import type { ReplyLog } from '../conversations/store/reply-log.ts'
import type { Run } from '../conversations/store/run.ts'
import {
  discardIfDeleted,
  mustPublishFirst,
  publishTurn,
  type PublishTurnInput,
} from '../conversations/turns/publish-turn.ts'
import { toReplyParts } from '../conversations/turns/stored-reply.ts'
import { StopRequested, superviseRun } from '../conversations/turns/supervise-run.ts'
import {
  describeFailure,
  toChatResponse,
  toErrorEvent,
  type ReplyResult,
} from '../conversations/replies/reply-result.ts'
import { findUserMessage } from './prompt/prompt.ts'
import { addNotice } from './progress.ts'
import { resultPager } from './tools/result-pager.ts'
import type { ActiveReply, Reply, ReplyDeps } from './reply.ts'
import { limitReply, ReplyCut } from './reply-limits.ts'
import { storeEnd, type ReplyEnd } from './store-reply.ts'

/** What a reply is written with. */
type WriteDeps = Pick<ReplyDeps, 'fileDeps' | 'settings' | 'toolProvider' | 'toolsAllowed' | 'wasDisabled'>

/** Ends after which the user cannot retry, so that the message's files are no longer needed. */
const isFinal = ({ status }: ReplyEnd) => status === 'done' || status === 'stopped' || status === 'incomplete'

/** The code of answers and calls is loaded beside the other work of the start. */
const loadingGeneration = Promise.all([import('./generate-reply.ts'), import('./tools/deferred-tools.ts')])

/** Generates until an end of any kind; never throws. */
async function generateToEnd(
  { wasDisabled }: Pick<WriteDeps, 'wasDisabled'>,
  reply: Reply & Pick<ActiveReply, 'canAskUser'>,
  runSignal: AbortSignal | undefined,
): Promise<ReplyEnd> {
  const { remainingMs, log } = reply
  const limit = limitReply({ remainingMs, isUserDisabledOrErased: () => wasDisabled(reply), log })
  const signal = runSignal ? AbortSignal.any([runSignal, limit.signal]) : limit.signal
  try {
    const { firstTurn, given, cut, ...prompt } = await reply.prompt
    Object.assign(reply.progress, { firstTurn, given, cut })
    const [{ generateReply }, { offerTools }] = await loadingGeneration
    return await generateReply({
      ...reply,
      ...prompt,
      signal,
      offered: offerTools(prompt.tools, reply.contextTokens),
      resultPager: resultPager(),
    })
  } catch (cause) {
    if (cause instanceof StopRequested) return { status: 'stopped' }
    if (cause instanceof ReplyCut) return { status: 'incomplete', reason: cause.reason }
    if (cause instanceof RunOwnershipLost) return { status: 'lost', cause }
    return { status: 'failed', ...describeFailure(cause) }
  } finally {
    limit.dispose()
  }
}

function toFailure(ended: ReplyEnd): Failure | null {
  if (ended.status === 'lost') return connectionLost
  if (ended.status !== 'failed') return null
  const { error, code, params } = ended
  return { error, ...(code !== undefined && { code }), ...(params && { params }) }
}

function conclude(reply: Reply, ended: ReplyEnd): ReplyResult {
  const { events } = reply
  const failure = toFailure(ended)
  if (ended.status === 'stopped') events.push({ type: 'abort' })
  if (failure) events.push(toErrorEvent(failure))
  const incompleteReason = ended.status === 'incomplete' ? ended.reason : undefined
  if (incompleteReason === 'filter') addNotice(reply, replyNotices.filtered)
  const result = {
    ...toChatResponse(toReplyParts(events.reply), failure),
    ...(incompleteReason && { incompleteReason }),
  }
  events.push({ type: 'finish', messageMetadata: result })
  events.close()
  measureReply(reply, failure !== null)
  return 'cause' in ended ? { ...result, cause: ended.cause } : result
}

/** Called after the last event, so that no reader waits for metrics. */
function measureReply({ receivedAtMs, progress, requestId }: Reply, failed: boolean): void {
  const { firstTokenAtMs, inputTokens, outputTokens } = progress
  measure(
    {
      FailedReplies: failed ? 1 : 0,
      InputTokens: inputTokens,
      OutputTokens: outputTokens,
      ...(receivedAtMs !== undefined &&
        firstTokenAtMs !== undefined && { TimeToFirstToken: firstTokenAtMs - receivedAtMs }),
    },
    { requestId },
  )
}

function logEnd({ log, events, progress }: Reply, ended: ReplyEnd, startedAtMs: number): void {
  const failed = ended.status === 'failed' || ended.status === 'lost'
  log[failed ? 'warn' : 'info']('reply ended', {
    runStatus: ended.status,
    durationMs: Date.now() - startedAtMs,
    inputTokens: progress.inputTokens,
    outputTokens: progress.outputTokens,
    ...(failed && { error: ended.cause }),
  })
  for (const { code } of events.reply.notices) log.warn('a reply has a notice', { code })
}

/** Deletes the files of a reply without a run, and of its message. */
function deleteFiles(deps: WriteDeps, { sub, history, events }: Reply): Promise<void> {
  const messageFiles = findUserMessage(history)?.attachments ?? []
  const own = [...messageFiles.filter(({ isInUse }) => !isInUse), ...events.reply.attachments]
  const ids = own.map(({ id }) => id)
  // the user's setting alone decides
  return deleteTurnFiles(deps, sub, { isSaved: true, sessionId: undefined, ids, mayRetry: false })
}

/** Writes a reply without a run: nothing is stored, the request body is the whole conversation. */
export async function runStatelessReply(deps: WriteDeps, reply: Reply): Promise<ReplyResult> {
  const startedAtMs = Date.now()
  const ended = await generateToEnd(deps, { ...reply, canAskUser: false }, undefined)
  await reply.ledger.written()
  logEnd(reply, ended, startedAtMs)
  const result = conclude(reply, ended)
  if (isFinal(ended)) await deleteFiles(deps, reply)
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
  logEnd(reply, ended, startedAtMs)
  let isWaiting = false
  try {
    await publishing
    const end = await storeEnd(stores, run, { reply, ended, supervision, later })
    isWaiting = end.status === 'waiting'
    if (later && end.status === 'lost') await discardIfDeleted(stores, run, { ...later, log })
    return conclude(reply, end)
  } catch (cause) {
    if (cause instanceof RunOwnershipLost || cause instanceof ConversationNotFound) {
      if (later) await discardIfDeleted(stores, run, { ...later, log })
      return conclude(reply, { status: 'lost', cause })
    }
    log.error('a reply could not be stored', { runId: run.runId, error: cause })
    return conclude(reply, { status: 'failed', ...replyNotStored, cause })
  } finally {
    // the heartbeat continues until the last attempt to store, so that no reader recovers the run meanwhile
    await supervision.stop()
    // a stop came before the run waited, or it could not be stored
    if (ended.status === 'waiting' && !isWaiting)
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
    // the next reply tries again; until then it goes without
    log.warn('a conversation could not be summarised', { error })
  }
}

type TitleDeps = Pick<ReplyDeps, 'writesTitles' | 'models'>

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

/** What follows a reply: writes the conversation's title, and summarises what the prompt left out. Its readers have all of it by then. */
export const finishConversation =
  (deps: TitleDeps, reply: Reply) =>
  async ({ success }: Pick<ReplyResult, 'success'>): Promise<void> => {
    if (success) await Promise.all([updateTitle(deps, reply), updateSummary(reply)])
  }
