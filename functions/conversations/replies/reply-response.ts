import { chatStreamHeaders } from '#shared/chat-events.ts'
import type { ChatResponse } from '#shared/contracts/chat.ts'
import { emptyReply } from '#shared/reply/reply-state.ts'
import { wait } from '../../platform/clock.ts'
import { StreamedResponse, type ValidRequest } from '../../platform/http/api-function.ts'
import { AppError } from '../../platform/errors.ts'
import { keepAliveJson } from '../../platform/http/keep-alive-json.ts'
import type { OpenSlots, Slot } from '../../platform/dynamodb/open-slots.ts'
import { withTimeout } from '../../platform/with-timeout.ts'
import type { ReplyLog } from '../store/reply-log.ts'
import type { Run } from '../store/run.ts'
import { toReplyParts } from '../turns/stored-reply.ts'
import { streamFinished, streamLive } from './event-stream.ts'
import { buildEndedEvents, toStoredResponse } from './ended-events.ts'
import { followRun, loadRun, loadTurnMessages } from './follow-run.ts'
import type { StoredMessage } from '../store/message-row.ts'
import type { ConversationStores } from '../store/conversation-stores.ts'
import { deadlineMarginMs } from '../store/liveness.ts'
import { describeFailure, toChatResponse, type ReplyResult } from './reply-result.ts'

/** What every response depends on: the form that the client accepts, and how long the function may run. */
type Caller = Pick<ValidRequest<'chat.send'>, 'headers' | 'remainingMs'>

/** After this time a JSON response starts with whitespace, so that no gateway times out. */
export const keepAliveAfterMs = 20_000
/** How long one request follows a run of another invocation; the reader then reconnects. */
const followMs = 20_000
const followPollMs = 500

const wantsStream = ({ headers }: Pick<Caller, 'headers'>) =>
  (headers['accept'] ?? '').toLowerCase().includes('text/event-stream')

const streamResponse = (chunks: AsyncIterable<string>, finished: Promise<unknown>) =>
  new StreamedResponse({ headers: chatStreamHeaders, chunks, finished })

/** @throws the cause of a failed reply, so that the JSON form has the right status */
function requireSuccess({ cause, ...result }: ReplyResult): ChatResponse {
  if (cause !== undefined) throw cause instanceof AppError ? cause : new Error('the reply failed', { cause })
  return result
}

function withoutCause(result: ReplyResult): ChatResponse {
  const { cause: _, ...response } = result
  return response
}

/**
 * Responds with the reply's own status if it ends soon; otherwise starts the body early with status 200.
 * @param result never rejects
 * @param finished settles when the work after the reply ends, for which no reader waits
 */
async function jsonResponse(
  result: Promise<ReplyResult>,
  finished?: Promise<unknown>,
): Promise<ChatResponse | StreamedResponse> {
  const quick = await withTimeout(result, keepAliveAfterMs)
  if (!quick || (finished && quick.result.cause === undefined))
    return keepAliveJson(result.then(withoutCause), finished)
  await finished
  return requireSuccess(quick.result)
}

/**
 * Responds with a reply that this invocation writes.
 * @param finished settles when the work after the reply ends: the function runs until then
 */
export async function respondLive(
  caller: Caller,
  events: ReplyLog,
  { result, finished }: { result: Promise<ReplyResult>; finished: Promise<unknown> },
): Promise<ChatResponse | StreamedResponse> {
  return wantsStream(caller) ? streamResponse(streamLive(events), finished) : jsonResponse(result, finished)
}

/** Responds with a reply that is stored already. */
export function respondStored(
  caller: Caller,
  run: Run,
  messages: readonly StoredMessage[],
): ChatResponse | StreamedResponse {
  if (!wantsStream(caller)) return toStoredResponse(run, messages)
  return streamResponse(streamFinished(buildEndedEvents(run, messages, 0)), Promise.resolve())
}

/** The position a reader names as the last it has seen. */
function parseLastEventId({ headers }: Caller): number {
  const value = headers['last-event-id'] ?? ''
  return /^\d{1,9}$/.test(value) ? Number(value) : 0
}

/**
 * Follows a run until it has ended, waits for the user, or the time is over. One that lost its function is recovered.
 * @returns the stored reply, or what is written of one that waits
 */
async function waitForEnd(
  stores: ConversationStores,
  run: Run,
  { remainingMs }: Caller,
): Promise<ReplyResult> {
  let current: Run | undefined = run
  while (current?.status === 'running' && remainingMs() > deadlineMarginMs) {
    await wait(followPollMs)
    current = await loadRun(stores, run)
  }
  if (current?.status !== 'waiting')
    return toStoredResponse(current ?? run, await loadTurnMessages(stores, run))
  return toChatResponse(toReplyParts(current.transcript?.reply ?? emptyReply), null)
}

/** What a request has led to: a reply that this invocation writes, one that another one writes, or one that is stored. */
export type ReplyOutcome =
  | {
      kind: 'live'
      events: ReplyLog
      /** never rejects */
      result: Promise<ReplyResult>
      /** settles when the work after the reply ends */
      finished: Promise<unknown>
    }
  | { kind: 'following'; run: Run }
  | { kind: 'stored'; run: Run; messages: readonly StoredMessage[] }

/** Responds with a reply in the form that the client accepts. @throws TooManyEventStreams */
export async function respond(
  call: ValidRequest<'chat.send'> | ValidRequest<'runs.answer'>,
  deps: FollowDeps,
  outcome: ReplyOutcome,
): Promise<ChatResponse | StreamedResponse> {
  if (outcome.kind === 'live') return respondLive(call, outcome.events, outcome)
  return outcome.kind === 'stored'
    ? respondStored(call, outcome.run, outcome.messages)
    : respondFollowing(call, deps, outcome.run)
}

/** Dependencies of a response that follows a reply. */
interface FollowDeps {
  stores: ConversationStores
  streams: OpenSlots
}

/** A slot expires after this time, even if its function died. */
const slotMs = followMs + 10_000

async function* releaseAfter(chunks: AsyncIterable<string>, slot: Slot): AsyncGenerator<string> {
  try {
    yield* chunks
  } finally {
    await slot.release()
  }
}

/**
 * Streams a reply that another invocation writes or has written, from the position that the reader names.
 * @param slot among the streams that the user may have open; given back when the stream ends
 */
export function streamRun(
  caller: Caller,
  stores: ConversationStores,
  run: Run,
  slot: Slot,
): StreamedResponse {
  const startedAtMs = Date.now()
  const isTimeUp = () => Date.now() - startedAtMs >= followMs || caller.remainingMs() <= deadlineMarginMs
  const events = followRun(stores, { run, after: parseLastEventId(caller), isTimeUp })
  return streamResponse(releaseAfter(events, slot), Promise.resolve())
}

/** Acquires one of the streams that a user may have open. @throws TooManyEventStreams */
export const acquireStream = (
  streams: OpenSlots,
  { user, log }: Pick<ValidRequest<'chat.send'>, 'user' | 'log'>,
  forMs = slotMs,
): Promise<Slot> => streams.acquire(user.sub, forMs, log)

/** Responds with a reply that another invocation writes, in the form that the client accepts. @throws TooManyEventStreams */
export async function respondFollowing(
  caller: Caller & Pick<ValidRequest<'chat.send'>, 'user' | 'log'>,
  { stores, streams }: FollowDeps,
  run: Run,
): Promise<ChatResponse | StreamedResponse> {
  if (wantsStream(caller)) return streamRun(caller, stores, run, await acquireStream(streams, caller))
  // this form waits for the end, however long that takes
  const slot = await acquireStream(streams, caller, caller.remainingMs())
  const awaitReply = async (): Promise<ReplyResult> => {
    try {
      return await waitForEnd(stores, run, caller)
    } catch (cause) {
      // the status may have been sent
      return { success: false, content: '', toolCalls: [], ...describeFailure(cause) }
    } finally {
      await slot.release()
    }
  }
  return jsonResponse(awaitReply())
}
