import type { ChatResponse } from '#shared/contracts/chat.ts'
import { chatErrors, replyNotSaved, serviceError } from '#shared/chat-texts.ts'
import { AppError } from '../platform/errors.ts'
import type { Logger } from '../platform/telemetry/logger.ts'
import { measure } from '../platform/telemetry/metrics.ts'
import { RunLost } from '../runs/errors.ts'
import type { ReplyLog } from '../runs/reply-log.ts'
import { finishRun } from '../runs/finish-run.ts'
import { parkRun } from '../runs/park-run.ts'
import { isHidden, publishTurn, type TurnNews } from '../runs/publish-turn.ts'
import { viewOf, type PendingCall, type Run } from '../runs/run.ts'
import { StopRequested, superviseRun, type Supervision } from '../runs/supervise-run.ts'
import { SessionNotFound } from '../conversations/errors.ts'
import type { Stores } from '../conversations/stores.ts'
import { generate, type GenerateInput, type Outcome } from './generate-reply.ts'
import { newestSaid, type SaidMessage } from './prompt/prompt.ts'

/** A run ends this long before its function would be ended from outside. */
export const beforeDeadlineMs = 10_000

/** What the model is given: instructions and conversation, tools, and which of those that write need no approval. */
export type Prompt = Pick<GenerateInput, 'messages' | 'tools' | 'isAllowed'>

export interface ReplyInput extends Pick<
  GenerateInput,
  'model' | 'progress' | 'continues' | 'mayAsk' | 'onCall' | 'spending'
> {
  /** reads files from the store and lists the tools of servers: a slow one takes seconds */
  prepare: () => Promise<Prompt>
  /** resolves when every call is in the user's ledger */
  recorded?: () => Promise<void>
  /** the conversation that the prompt tells; a chat that is not kept has it nowhere else */
  said?: readonly SaidMessage[]
  decided?: readonly PendingCall[]
  /** called when a reply without a run is done: its files go */
  release?: () => Promise<void>
  reply: ReplyLog
  requestId: string
  /** since when the user has waited for the first word; undefined when the reply goes on with an earlier one */
  askedAtMs: number | undefined
  remainingMs: () => number
  log: Logger
}

/** How a reply ended, as its last event and the JSON form tell it. */
export interface ReplyResult extends ChatResponse {
  /** what is behind `error`: it decides the status of the JSON form */
  cause?: unknown
}

class DeadlineReached extends Error {}

type Ended =
  | Exclude<Outcome, { status: 'done' }>
  | { status: 'done' | 'stopped' }
  | { status: 'lost'; cause: unknown }
  | { status: 'failed'; error: string; cause: unknown }

/** Ends after which nothing is tried again, so that files of the message are of no more use. */
const isDone = ({ status }: Ended) => status === 'done' || status === 'stopped' || status === 'incomplete'

function deadline(remainingMs: () => number) {
  const controller = new AbortController()
  const left = Math.max(0, remainingMs() - beforeDeadlineMs)
  const timer = setTimeout(() => controller.abort(new DeadlineReached('the function has to end')), left)
  return { signal: controller.signal, end: () => clearTimeout(timer) }
}

/** Generates until an end of any kind; never throws. */
async function generateToEnd(input: ReplyInput, kept: AbortSignal | undefined): Promise<Ended> {
  const limit = deadline(input.remainingMs)
  const signal = kept ? AbortSignal.any([kept, limit.signal]) : limit.signal
  try {
    return await generate({ ...input, ...(await input.prepare()), log: input.reply, signal })
  } catch (cause) {
    if (cause instanceof StopRequested) return { status: 'stopped' }
    if (cause instanceof DeadlineReached) return { status: 'incomplete' }
    if (cause instanceof RunLost) return { status: 'lost', cause }
    const sentence = cause instanceof AppError ? serviceError(cause.sentence) : chatErrors.connection
    return { status: 'failed', error: sentence, cause }
  } finally {
    limit.end()
  }
}

/** The last events of a reply, and its result. */
function conclude(input: ReplyInput, ended: Ended): ReplyResult {
  const { reply, progress } = input
  const error =
    ended.status === 'failed' ? ended.error : ended.status === 'lost' ? chatErrors.connection : null
  if (ended.status === 'stopped') reply.push({ type: 'abort' })
  if (error !== null) reply.push({ type: 'error', errorText: error })
  const result: ChatResponse = {
    success: error === null,
    content: progress.content,
    toolCalls: progress.toolCalls,
    error,
    ...(progress.attachments.length > 0 && { attachments: progress.attachments }),
    ...(progress.notices.length > 0 && { notices: progress.notices }),
  }
  reply.push({ type: 'finish', messageMetadata: result })
  reply.close()
  measureReply(input, error !== null)
  return 'cause' in ended ? { ...result, cause: ended.cause } : result
}

/** Written when the reader has everything: nothing is measured while somebody waits. */
function measureReply({ askedAtMs, progress, requestId }: ReplyInput, failed: boolean): void {
  const { firstTokenAtMs, inputTokens, outputTokens } = progress
  measure(
    {
      FailedReplies: failed ? 1 : 0,
      InputTokens: inputTokens,
      OutputTokens: outputTokens,
      ...(askedAtMs !== undefined &&
        firstTokenAtMs !== undefined && { TimeToFirstToken: firstTokenAtMs - askedAtMs }),
    },
    { requestId },
  )
}

function logEnd({ log, progress }: ReplyInput, ended: Ended, startedAtMs: number): void {
  const failed = ended.status === 'failed' || ended.status === 'lost'
  log[failed ? 'warn' : 'info']('reply ended', {
    runStatus: ended.status,
    durationMs: Date.now() - startedAtMs,
    inputTokens: progress.inputTokens,
    outputTokens: progress.outputTokens,
    ...(failed && { error: ended.cause }),
  })
  for (const { code } of progress.notices)
    log.warn('the model server rejected a part of the request', { code })
}

/** Writes a reply that nobody keeps: the body of the request is all there is. */
export async function runUnsavedReply(input: ReplyInput): Promise<ReplyResult> {
  const startedAtMs = Date.now()
  const ended = await generateToEnd({ ...input, mayAsk: false }, undefined)
  await input.recorded?.()
  logEnd(input, ended, startedAtMs)
  const result = conclude(input, ended)
  if (isDone(ended)) await input.release?.()
  return result
}

/** Publishes the turn; readers of its reply see nothing before a new conversation, or a file, is known to be theirs. */
async function publish(stores: Stores, run: Run, news: TurnNews, reply: ReplyLog): Promise<void> {
  if (isHidden(news)) reply.hold()
  try {
    await publishTurn(stores, run, news)
  } finally {
    reply.show()
  }
}

/**
 * Writes the reply of a run, and stores how it ended. The run lives by itself: whether anybody reads along makes no difference.
 * Never throws: what cannot be stored is told in the reply's events, and recovered from its checkpoints by the next reader.
 * @param news of a turn that begins; it is published beside the model, and the reply is stored after that
 */
export async function runReply(
  stores: Stores,
  run: Run,
  input: ReplyInput,
  news?: TurnNews,
): Promise<ReplyResult> {
  const { reply, log } = input
  const startedAtMs = Date.now()
  const publishing = news && publish(stores, run, news, reply)
  // awaited before the reply is stored; until then its failure is nobody's unhandled rejection
  publishing?.catch(() => undefined)
  const supervision = superviseRun(stores, { run, reply, log })
  const ended = await generateToEnd(input, supervision.signal)
  await Promise.all([supervision.settle(), input.recorded?.()])
  logEnd(input, ended, startedAtMs)
  try {
    await publishing
    return conclude(input, await storeEnd(stores, run, { input, ended, supervision }))
  } catch (cause) {
    if (cause instanceof RunLost || cause instanceof SessionNotFound)
      return conclude(input, { status: 'lost', cause })
    log.error('a reply could not be stored', { runId: run.runId, error: cause })
    return conclude(input, { status: 'failed', error: replyNotSaved, cause })
  } finally {
    // alive until the last try to store it: nobody recovers a run whose writer is still at it
    await supervision.release()
  }
}

interface End {
  input: ReplyInput
  ended: Ended
  supervision: Supervision
}

/**
 * Parks or finishes the run, and tells the reader.
 * @returns how it ended after all: who asked to stop while the model wrote its last words is not asked anything more
 * @throws RunLost, SessionNotFound, what the table threw to the end
 */
async function storeEnd(stores: Stores, run: Run, { input, ended, supervision }: End): Promise<Ended> {
  if (ended.status === 'lost') return ended
  let now = run
  if (ended.status === 'waiting') {
    now = await park(stores, run, { input, pending: ended.pending, supervision })
    if (now.stopRequestedAtMs === undefined) {
      input.reply.push({ type: 'data-run', data: viewOf(now) })
      return ended
    }
  }
  const end = ended.status === 'waiting' ? ({ status: 'stopped' } as const) : ended
  const { reply, progress, continues } = input
  // what one could go on with stays so when that fails
  const status = end.status === 'failed' && continues ? 'incomplete' : end.status
  const { content, toolCalls, attachments, notices } = progress
  // as it stands now: what it was parked with goes too
  const stored = await finishRun(stores, now, {
    status,
    content,
    toolCalls,
    attachments,
    notices,
    ...(end.status === 'failed' && { error: end.error }),
    logged: supervision.logged(),
  })
  if (status === 'incomplete') reply.push({ type: 'data-run', data: viewOf({ ...run, status }) })
  if (stored) reply.push({ type: 'data-session', data: stored.session })
  return end
}

async function park(
  stores: Stores,
  run: Run,
  { input, pending, supervision }: Omit<End, 'ended'> & { pending: PendingCall[] },
): Promise<Run> {
  const { content, toolCalls, attachments, rounds } = input.progress
  const { position } = input.reply
  await supervision.checkpoint()
  const transcript = {
    messages: rounds as unknown as Record<string, unknown>[],
    content,
    toolCalls,
    attachments,
    position,
    ...(!run.kept && { said: newestSaid(input.said ?? []) }),
  }
  return parkRun(stores, run, { pending, transcript })
}
