import type { ChatResponse } from '#shared/contracts/chat.ts'
import { chatErrors, replyNotSaved } from '#shared/chat-texts.ts'
import type { Logger } from '../platform/telemetry/logger.ts'
import { measure } from '../platform/telemetry/metrics.ts'
import { RunOwnershipLost } from '../conversations/store/errors.ts'
import type { ReplyLog } from '../conversations/store/reply-log.ts'
import { finishRun } from '../conversations/turns/finish-run.ts'
import { parkRun } from '../conversations/turns/park-run.ts'
import { mustPublishFirst, publishTurn, type PublishTurnInput } from '../conversations/turns/publish-turn.ts'
import { toRunView, type PendingCall, type Run, type Transcript } from '../conversations/store/run.ts'
import { StopRequested, superviseRun, type Supervision } from '../conversations/turns/supervise-run.ts'
import { ConversationNotFound } from '../conversations/store/errors.ts'
import { describeFailure, type ReplyResult } from '../conversations/replies/reply-result.ts'
import type { ConversationStores } from '../conversations/store/conversation-stores.ts'
import { generateReply, type GenerateReplyInput, type GenerateOutcome } from './generate-reply.ts'
import { formatKeptRounds } from './model/kept-rounds.ts'
import type { ModelMessage } from './model/model.ts'
import { toExtras } from './progress.ts'
import type { ContextLimits } from './prompt/context-limits.ts'
import { limitReply, ReplyCut } from './reply-limits.ts'
import { trimHistory, type PromptMessage } from './prompt/prompt.ts'

/** What the model is given: instructions and conversation, tools, and which of those that write need no approval. */
export type Prompt = Pick<
  GenerateReplyInput,
  'messages' | 'sentFrom' | 'tools' | 'isAllowed' | 'listUntrusted' | 'isConnected' | 'showFiles'
>

export interface ReplyInput extends Pick<
  GenerateReplyInput,
  | 'model'
  | 'modelName'
  | 'contextTokens'
  | 'price'
  | 'effort'
  | 'progress'
  | 'continues'
  | 'canAskUser'
  | 'onCall'
  | 'spending'
> {
  /** reads files from the store and lists the tools of servers: a slow one takes seconds */
  prepare: () => Promise<Prompt>
  /** summarises what the prompt left out; called when the reply is stored, never throws */
  updateSummary: () => Promise<void>
  /** records calls that nobody waits for any more, and cancels their tasks; never throws */
  endPendingCalls: (pending: readonly PendingCall[]) => Promise<void>
  /** resolves when every call is in the user's ledger */
  waitForLedger: () => Promise<void>
  /** the messages of the prompt; a temporary chat has them nowhere else */
  history: readonly PromptMessage[]
  contextLimits: ContextLimits
  decidedCalls?: readonly PendingCall[]
  /** called when a reply without a run is done: its files go */
  deleteFiles: () => Promise<void>
  events: ReplyLog
  requestId: string
  /** when the request arrived; undefined when the reply continues an earlier one */
  receivedAtMs: number | undefined
  remainingMs: () => number
  /** whether the account was disabled or erased meanwhile */
  isUserDisabledOrErased: () => Promise<boolean>
  log: Logger
}

type ReplyEnd =
  | Exclude<GenerateOutcome, { status: 'done' }>
  | { status: 'done' | 'stopped' }
  | { status: 'lost'; cause: unknown }
  | { status: 'failed'; error: string; cause: unknown }

/** Ends after which the user cannot retry, so that the message's files are no longer needed. */
const isFinal = ({ status }: ReplyEnd) => status === 'done' || status === 'stopped' || status === 'incomplete'

/** Generates until an end of any kind; never throws. */
async function generateToEnd(input: ReplyInput, runSignal: AbortSignal | undefined): Promise<ReplyEnd> {
  const limit = limitReply(input)
  const signal = runSignal ? AbortSignal.any([runSignal, limit.signal]) : limit.signal
  try {
    return await generateReply({ ...input, ...(await input.prepare()), events: input.events, signal })
  } catch (cause) {
    if (cause instanceof StopRequested) return { status: 'stopped' }
    if (cause instanceof ReplyCut) return { status: 'incomplete' }
    if (cause instanceof RunOwnershipLost) return { status: 'lost', cause }
    return { status: 'failed', ...describeFailure(cause) }
  } finally {
    limit.dispose()
  }
}

/** The last events of a reply, and its result. */
function conclude(input: ReplyInput, ended: ReplyEnd): ReplyResult {
  const { events, progress } = input
  const error =
    ended.status === 'failed' ? ended.error : ended.status === 'lost' ? chatErrors.connection : null
  if (ended.status === 'stopped') events.push({ type: 'abort' })
  if (error !== null) events.push({ type: 'error', errorText: error })
  const { notices, reasoning, sources } = toExtras(progress)
  const result: ChatResponse = {
    success: error === null,
    content: progress.content,
    toolCalls: progress.toolCalls,
    error,
    ...(progress.attachments.length > 0 && { attachments: progress.attachments }),
    ...(notices && { notices }),
    ...(reasoning && { reasoning }),
    ...(sources && { sources }),
  }
  events.push({ type: 'finish', messageMetadata: result })
  events.close()
  measureReply(input, error !== null)
  return 'cause' in ended ? { ...result, cause: ended.cause } : result
}

/** Called after the last event, so that no reader waits for metrics. */
function measureReply({ receivedAtMs, progress, requestId }: ReplyInput, failed: boolean): void {
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

function logEnd({ log, progress }: ReplyInput, ended: ReplyEnd, startedAtMs: number): void {
  const failed = ended.status === 'failed' || ended.status === 'lost'
  log[failed ? 'warn' : 'info']('reply ended', {
    runStatus: ended.status,
    durationMs: Date.now() - startedAtMs,
    inputTokens: progress.inputTokens,
    outputTokens: progress.outputTokens,
    ...(failed && { error: ended.cause }),
  })
  for (const { code } of progress.notices) log.warn('a reply has a notice', { code })
}

/** Writes a reply without a run: nothing is stored, the request body is the whole conversation. */
export async function runStatelessReply(input: ReplyInput): Promise<ReplyResult> {
  const startedAtMs = Date.now()
  const ended = await generateToEnd({ ...input, canAskUser: false }, undefined)
  await input.waitForLedger()
  logEnd(input, ended, startedAtMs)
  const result = conclude(input, ended)
  if (isFinal(ended)) await input.deleteFiles()
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
 * @param publication of a turn that begins; it is published beside the model, and the reply is stored after that
 */
export async function runReply(
  stores: ConversationStores,
  run: Run,
  input: ReplyInput,
  publication?: PublishTurnInput,
): Promise<ReplyResult> {
  const { events, log } = input
  const startedAtMs = Date.now()
  const publishing = publication && publish(stores, run, publication, events)
  // awaited later; this handler only prevents an `unhandledRejection`
  publishing?.catch(() => undefined)
  const supervision = superviseRun(stores, { run, events, log })
  const ended = await generateToEnd(input, supervision.signal)
  await Promise.all([supervision.finishWriting(), input.waitForLedger()])
  logEnd(input, ended, startedAtMs)
  let isWaiting = false
  try {
    await publishing
    const end = await storeEnd(stores, run, { input, ended, supervision })
    isWaiting = end.status === 'waiting'
    return conclude(input, end)
  } catch (cause) {
    if (cause instanceof RunOwnershipLost || cause instanceof ConversationNotFound)
      return conclude(input, { status: 'lost', cause })
    log.error('a reply could not be stored', { runId: run.runId, error: cause })
    return conclude(input, { status: 'failed', error: replyNotSaved, cause })
  } finally {
    // the heartbeat continues until the last attempt to store, so that no reader recovers the run meanwhile
    await supervision.stop()
    // a stop came before the run waited, or it could not be stored
    if (ended.status === 'waiting' && !isWaiting) await input.endPendingCalls(ended.pending)
  }
}

/** Summarises what the prompt left out once a reply has ended; its readers have all of it by then. */
export async function summariseAfter(
  replying: Promise<ReplyResult>,
  { updateSummary }: Pick<ReplyInput, 'updateSummary'>,
): Promise<ReplyResult> {
  const result = await replying
  if (result.success) await updateSummary()
  return result
}

interface StoreEndInput {
  input: ReplyInput
  ended: ReplyEnd
  supervision: Supervision
}

/**
 * Parks or finishes the run, and sends the last events.
 * @returns the actual end: a stop request that arrived meanwhile wins over waiting for approval
 * @throws RunOwnershipLost, ConversationNotFound, what the table threw to the end
 */
async function storeEnd(
  stores: ConversationStores,
  run: Run,
  { input, ended, supervision }: StoreEndInput,
): Promise<ReplyEnd> {
  if (ended.status === 'lost') return ended
  let current = run
  if (ended.status === 'waiting') {
    current = await park(stores, run, { input, pending: ended.pending, supervision })
    if (current.stopRequestedAtMs === undefined) {
      input.events.push({ type: 'data-run', data: toRunView(current) })
      return ended
    }
  }
  const end = ended.status === 'waiting' ? ({ status: 'stopped' } as const) : ended
  const { events, progress, continues } = input
  // a failed continuation leaves the reply incomplete, so it can be continued again
  const status = end.status === 'failed' && continues ? 'incomplete' : end.status
  const { content, toolCalls, attachments } = progress
  // the current state, so that parked rows are deleted too
  const stored = await finishRun(stores, current, {
    status,
    content,
    toolCalls,
    attachments,
    ...toExtras(progress),
    earlierUsage: progress.earlierUsage,
    keptRounds: formatKeptRounds(progress.roundMessages, progress.lastReasoning),
    ...(end.status === 'failed' && { error: end.error }),
    hasCheckpoints: supervision.hasCheckpoints(),
  })
  if (status === 'incomplete') events.push({ type: 'data-run', data: toRunView({ ...run, status }) })
  if (stored) events.push({ type: 'data-session', data: stored.session })
  return end
}

/** Images are stored as files already, and would not fit into the run. */
function toStoredMessage(message: ModelMessage): ModelMessage {
  if (message.role !== 'tool' || !message.images) return message
  const { images, ...rest } = message
  const stored = images.flatMap(({ fileId }) => (fileId === undefined ? [] : [{ fileId }]))
  return { ...rest, ...(stored.length > 0 && { images: stored }) }
}

/** The events that tell readers that the run waits: `data-run` and `finish`. The resumed log continues after them. */
const eventsAfterParking = 2

async function park(
  stores: ConversationStores,
  run: Run,
  { input, pending, supervision }: Omit<StoreEndInput, 'ended'> & { pending: PendingCall[] },
): Promise<Run> {
  const { content, toolCalls, attachments, roundMessages, earlierUsage } = input.progress
  await supervision.checkpoint()
  const transcript: Transcript = {
    messages: roundMessages.map(toStoredMessage) as unknown as Record<string, unknown>[],
    content,
    toolCalls,
    attachments,
    ...toExtras(input.progress),
    ...(earlierUsage && { earlierUsage }),
    position: input.events.position + eventsAfterParking,
    ...(!run.isSaved && { said: trimHistory(input.history, input.contextLimits) }),
  }
  return parkRun(stores, run, { pending, transcript })
}
