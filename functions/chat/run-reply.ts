import { chatErrors, replyNotSaved } from '#shared/chat-texts.ts'
import { retriedWrites } from '../platform/dynamodb/retried-writes.ts'
import { measure } from '../platform/telemetry/metrics.ts'
import type { ConversationStores } from '../conversations/store/conversation-stores.ts'
import { ConversationNotFound, RunOwnershipLost } from '../conversations/store/errors.ts'
import type { ReplyLog } from '../conversations/store/reply-log.ts'
import { toRunView, type PendingCall, type Run, type Transcript } from '../conversations/store/run.ts'
import { finishRun } from '../conversations/turns/finish-run.ts'
import {
  discardTurn,
  mustPublishFirst,
  publishTurn,
  type PublishTurnInput,
} from '../conversations/turns/publish-turn.ts'
import { toReplyParts } from '../conversations/turns/stored-reply.ts'
import { StopRequested, superviseRun, type Supervision } from '../conversations/turns/supervise-run.ts'
import { describeFailure, toChatResponse, type ReplyResult } from '../conversations/replies/reply-result.ts'
import { generateReply, type GenerateOutcome, type GenerateReplyInput } from './generate-reply.ts'
import { trimHistory } from './prompt/prompt.ts'
import { closeRounds, formatTranscript, nothingGiven } from './prompt/transcript.ts'
import type { Reply } from './reply.ts'
import { limitReply, ReplyCut } from './reply-limits.ts'

type ReplyEnd =
  | Exclude<GenerateOutcome, { status: 'done' }>
  | { status: 'done' | 'stopped' }
  | { status: 'lost'; cause: unknown }
  | { status: 'failed'; error: string; cause: unknown }

/** Ends after which the user cannot retry, so that the message's files are no longer needed. */
const isFinal = ({ status }: ReplyEnd) => status === 'done' || status === 'stopped' || status === 'incomplete'

/** Generates until an end of any kind; never throws. */
async function generateToEnd(
  reply: Reply & Pick<GenerateReplyInput, 'canAskUser'>,
  runSignal: AbortSignal | undefined,
): Promise<ReplyEnd> {
  const limit = limitReply(reply)
  const signal = runSignal ? AbortSignal.any([runSignal, limit.signal]) : limit.signal
  try {
    const { firstTurn, given, cut, ...prompt } = await reply.prepare()
    Object.assign(reply.progress, { firstTurn, given, cut })
    return await generateReply({ ...reply, ...prompt, signal })
  } catch (cause) {
    if (cause instanceof StopRequested) return { status: 'stopped' }
    if (cause instanceof ReplyCut) return { status: 'incomplete', reason: cause.reason }
    if (cause instanceof RunOwnershipLost) return { status: 'lost', cause }
    return { status: 'failed', ...describeFailure(cause) }
  } finally {
    limit.dispose()
  }
}

function conclude(reply: Reply, ended: ReplyEnd): ReplyResult {
  const { events } = reply
  const error =
    ended.status === 'failed' ? ended.error : ended.status === 'lost' ? chatErrors.connection : null
  if (ended.status === 'stopped') events.push({ type: 'abort' })
  if (error !== null) events.push({ type: 'error', errorText: error })
  const incompleteReason = ended.status === 'incomplete' ? ended.reason : undefined
  const result = {
    ...toChatResponse(toReplyParts(events.reply), error),
    ...(incompleteReason && { incompleteReason }),
  }
  events.push({ type: 'finish', messageMetadata: result })
  events.close()
  measureReply(reply, error !== null)
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

/** Writes a reply without a run: nothing is stored, the request body is the whole conversation. */
export async function runStatelessReply(reply: Reply): Promise<ReplyResult> {
  const startedAtMs = Date.now()
  const ended = await generateToEnd({ ...reply, canAskUser: false }, undefined)
  await reply.waitForLedger()
  logEnd(reply, ended, startedAtMs)
  const result = conclude(reply, ended)
  if (isFinal(ended)) await reply.deleteFiles()
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

/** Deletes what a turn has stored, if the deletion of its conversation did not see it. Never throws. */
async function discardIfDeleted(
  stores: ConversationStores,
  run: Run,
  { message }: PublishTurnInput,
  log: Reply['log'],
): Promise<void> {
  try {
    const found = await stores.conversations.find(run.sub, run.sessionId)
    if (found === 'deleted') await discardTurn(stores, run, message)
  } catch (error) {
    log.warn('what a turn of a deleted conversation had stored was not deleted', { error })
  }
}

/**
 * Writes the reply of a run, and stores how it ended. The run does not depend on readers.
 * Never throws: what cannot be stored is reported in the reply's events, and the next reader recovers it from the checkpoints.
 * @param publication of a turn that begins; it is published beside the model and before the reply is stored, or together with it
 */
export async function runReply(
  stores: ConversationStores,
  run: Run,
  reply: Reply,
  publication?: PublishTurnInput,
): Promise<ReplyResult> {
  const { events, log } = reply
  const startedAtMs = Date.now()
  const later = publication?.canPublishLater ? publication : undefined
  const publishing = publication && !later ? publish(stores, run, publication, events) : undefined
  // awaited later; this handler only prevents an `unhandledRejection`
  publishing?.catch(() => undefined)
  const supervision = superviseRun(stores, { run, events, log })
  const ended = await generateToEnd(reply, supervision.signal)
  await Promise.all([supervision.finishWriting(), reply.waitForLedger()])
  logEnd(reply, ended, startedAtMs)
  let isWaiting = false
  try {
    await publishing
    const end = await storeEnd(stores, run, { reply, ended, supervision, later })
    isWaiting = end.status === 'waiting'
    if (later && end.status === 'lost') await discardIfDeleted(stores, run, later, log)
    return conclude(reply, end)
  } catch (cause) {
    if (cause instanceof RunOwnershipLost || cause instanceof ConversationNotFound) {
      if (later) await discardIfDeleted(stores, run, later, log)
      return conclude(reply, { status: 'lost', cause })
    }
    log.error('a reply could not be stored', { runId: run.runId, error: cause })
    return conclude(reply, { status: 'failed', error: replyNotSaved, cause })
  } finally {
    // the heartbeat continues until the last attempt to store, so that no reader recovers the run meanwhile
    await supervision.stop()
    // a stop came before the run waited, or it could not be stored
    if (ended.status === 'waiting' && !isWaiting) await reply.endPendingCalls(ended.pending)
  }
}

/** What follows a reply: writes the conversation's title, and summarises what the prompt left out. Its readers have all of it by then. */
export const finishConversation =
  ({ updateSummary, updateTitle }: Pick<Reply, 'updateSummary' | 'updateTitle'>) =>
  async ({ success }: Pick<ReplyResult, 'success'>): Promise<void> => {
    if (success) await Promise.all([updateTitle(), updateSummary()])
  }

interface StoreEndInput {
  reply: Reply
  ended: ReplyEnd
  supervision: Supervision
  /** the turn, if it is published with its end */
  later: PublishTurnInput | undefined
}

/**
 * Parks or finishes the run, and sends the last events.
 * @returns the actual end: a stop request that arrived meanwhile wins over waiting for approval
 * @throws RunOwnershipLost, ConversationNotFound, what the table threw to the end
 */
async function storeEnd(
  stores: ConversationStores,
  run: Run,
  { reply, ended, supervision, later }: StoreEndInput,
): Promise<ReplyEnd> {
  if (ended.status === 'lost') return ended
  let current = run
  if (ended.status === 'waiting') {
    if (later) await publishTurn(stores, run, later)
    current = await park(stores, run, { reply, pending: ended.pending, supervision })
    if (current.stopRequestedAtMs === undefined) {
      reply.events.push({ type: 'data-run', data: toRunView(current) })
      return ended
    }
  }
  const end = ended.status === 'waiting' ? ({ status: 'stopped' } as const) : ended
  const { events, progress, continues } = reply
  // a failed continuation leaves the reply incomplete, so it can be continued again
  const status = end.status === 'failed' && continues ? 'incomplete' : end.status
  // the current state, so that parked rows are deleted too
  const stored = await finishRun(stores, current, {
    ...toReplyParts(events.reply),
    status,
    earlierUsage: progress.earlierUsage,
    transcript: toStoredTranscript(reply),
    cut: progress.cut,
    incompleteReason: end.status === 'incomplete' ? end.reason : undefined,
    ...(end.status === 'failed' && { error: end.error }),
    ...(later && ended.status !== 'waiting' && { uncounted: later.addedMessages }),
    hasCheckpoints: supervision.hasCheckpoints(),
  })
  if (status === 'incomplete') events.push({ type: 'data-run', data: toRunView({ ...run, status }) })
  if (stored) events.push({ type: 'data-session', data: stored.session })
  return end
}

/** The turn as the model was given it. @returns undefined if it is no more than the messages themselves */
function toStoredTranscript({ progress, modelName: model, events }: Reply): string | undefined {
  const { given = nothingGiven, roundMessages } = progress
  const messages = closeRounds(roundMessages)
  const [only] = messages
  const isGivenMore = JSON.stringify(given) !== JSON.stringify(nothingGiven)
  const { text, attachments } = events.reply
  const isPlain =
    messages.length === 0 ||
    (messages.length === 1 &&
      only?.role === 'assistant' &&
      !only.answer &&
      only.content === text &&
      attachments.length === 0)
  if (isPlain && !isGivenMore) return undefined
  return formatTranscript({ model, given, messages })
}

/** The events that tell readers that the run waits: `data-run` and `finish`. The resumed log continues after them. */
const eventsAfterParking = 2

/** Of a request, what it says for the prompt. */
const pickHints = ({ systemPrompt, integrationContext, connectedTools }: Reply['hints']) => ({
  ...(systemPrompt !== undefined && { systemPrompt }),
  ...(integrationContext && { integrationContext }),
  ...(connectedTools && { connectedTools }),
})

async function park(
  stores: ConversationStores,
  run: Run,
  { reply, pending, supervision }: Pick<StoreEndInput, 'reply' | 'supervision'> & { pending: PendingCall[] },
): Promise<Run> {
  const { events, history, contextLimits, hints, startDate, modelName: model } = reply
  const { roundMessages, given = nothingGiven, cut, earlierUsage } = reply.progress
  await supervision.checkpoint()
  const transcript: Transcript = {
    turn: formatTranscript({ model, given, messages: roundMessages }),
    ...(cut && { cut }),
    hints: pickHints(hints),
    startDate,
    reply: { ...events.reply, attachments: toReplyParts(events.reply).attachments },
    ...(earlierUsage && { earlierUsage }),
    position: events.position + eventsAfterParking,
    ...(!run.isSaved && { said: trimHistory(history, contextLimits) }),
  }
  const { persist } = retriedWrites()
  const waiting = await persist(() => stores.runs.park(run, pending, transcript))
  // from now on they are needed as long as the run
  if (!run.isSaved) await persist(() => stores.files.setExpiry(run.sub, run.fileIds)).catch(() => undefined)
  return waiting
}
