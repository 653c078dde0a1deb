import { setTimeout as sleep } from 'node:timers/promises'
import { chatStreamHeaders } from '#shared/chat-events.ts'
import type { ChatResponse } from '#shared/contracts/chat.ts'
import { StreamedResponse, type ApiCall } from '../../platform/http/api-function.ts'
import { AppError } from '../../platform/errors.ts'
import { keepAliveJson } from '../../platform/http/keep-alive-json.ts'
import type { OpenSlots, Slot } from '../../platform/dynamodb/open-slots.ts'
import { withTimeout } from '../../platform/with-timeout.ts'
import type { ReplyLog } from '../../runs/reply-log.ts'
import type { Run } from '../../runs/run.ts'
import { finishedEvents, liveEvents } from './event-stream.ts'
import { endedEvents, followRun, readRun, readTurn, storedResponse } from './follow-run.ts'
import type { PlacedMessage } from '../../conversations/message-repository.ts'
import type { Stores } from '../../conversations/stores.ts'
import { beforeDeadlineMs, type ReplyResult } from '../run-reply.ts'

/** What every answer here depends on: who asks in which form, and for how long the function may live. */
type Caller = Pick<ApiCall<'chat.send'>, 'headers' | 'remainingMs'>

/** A JSON answer that takes longer is begun with white space, so that no gateway gives up on it. */
export const patienceMs = 20_000
/** One look at a run from elsewhere; the reader comes back for more. */
const followMs = 20_000
const followPollMs = 500

const wantsStream = ({ headers }: Pick<Caller, 'headers'>) =>
  (headers['accept'] ?? '').toLowerCase().includes('text/event-stream')

const streamed = (chunks: AsyncIterable<string>, finished: Promise<unknown>) =>
  new StreamedResponse({ headers: chatStreamHeaders, chunks, finished })

/** @throws the cause of a failed reply, so that the JSON form has the right status */
function settled({ cause, ...result }: ReplyResult): ChatResponse {
  if (cause !== undefined) throw cause instanceof AppError ? cause : new Error('the reply failed', { cause })
  return result
}

function withoutCause(result: ReplyResult): ChatResponse {
  const { cause: _, ...response } = result
  return response
}

/** JSON with its own status when it is quick, otherwise begun early (DEC-010). */
async function jsonAnswer(result: Promise<ReplyResult>): Promise<ChatResponse | StreamedResponse> {
  const quick = await withTimeout(result, patienceMs)
  if (quick) return settled(quick.result)
  return keepAliveJson(result.then(withoutCause))
}

/** A reply of this very invocation. */
export async function liveAnswer(
  caller: Caller,
  reply: ReplyLog,
  ended: Promise<ReplyResult>,
): Promise<ChatResponse | StreamedResponse> {
  return wantsStream(caller) ? streamed(liveEvents(reply), ended) : jsonAnswer(ended)
}

/** A reply that is stored already. */
export function storedAnswer(
  caller: Caller,
  run: Run,
  messages: readonly PlacedMessage[],
): ChatResponse | StreamedResponse {
  if (!wantsStream(caller)) return storedResponse(run, messages)
  return streamed(finishedEvents(endedEvents(run, messages, 0)), Promise.resolve())
}

/** The position a reader names as the last it has seen. */
function lastSeen({ headers }: Caller): number {
  const value = headers['last-event-id'] ?? ''
  return /^\d{1,9}$/.test(value) ? Number(value) : 0
}

/**
 * Reads a run along until it has ended, waits for the user, or the time is over. One that lost its function is recovered.
 * @returns the stored reply, or what is written of one that waits
 */
async function awaitEnd(stores: Stores, run: Run, { remainingMs }: Caller): Promise<ReplyResult> {
  let now: Run | undefined = run
  while (now?.status === 'running' && remainingMs() > beforeDeadlineMs) {
    await sleep(followPollMs)
    now = await readRun(stores, run)
  }
  if (now?.status !== 'waiting') return storedResponse(now ?? run, await readTurn(stores, run))
  const { content = '', toolCalls = [], attachments = [] } = now.transcript ?? {}
  return { success: true, content, toolCalls, error: null, ...(attachments.length > 0 && { attachments }) }
}

/** What reading a reply along depends on. */
interface Following {
  stores: Stores
  streams: OpenSlots
}

/** After this time nobody reads along any more, whatever happened to the function. */
const slotMs = followMs + 10_000

async function* thenRelease(chunks: AsyncIterable<string>, slot: Slot): AsyncGenerator<string> {
  try {
    yield* chunks
  } finally {
    await slot.release()
  }
}

/**
 * A reply that another invocation writes, or wrote, as a stream from the position the reader names on.
 * @param slot among the streams that the user may have open; given back when the stream ends
 */
export function followedStream(caller: Caller, stores: Stores, run: Run, slot: Slot): StreamedResponse {
  const startedAtMs = Date.now()
  const isOver = () => Date.now() - startedAtMs >= followMs || caller.remainingMs() <= beforeDeadlineMs
  const events = followRun(stores, { run, after: lastSeen(caller), isOver })
  return streamed(thenRelease(events, slot), Promise.resolve())
}

/** A slot among the streams that a user may have open. @throws TooManyEventStreams */
export const takeStream = (
  streams: OpenSlots,
  { user, log }: Pick<ApiCall<'chat.send'>, 'user' | 'log'>,
  forMs = slotMs,
): Promise<Slot> => streams.acquire(user.sub, forMs, log)

/** The same in the form the caller asks for. @throws TooManyEventStreams */
export async function followedAnswer(
  caller: Caller & Pick<ApiCall<'chat.send'>, 'user' | 'log'>,
  { stores, streams }: Following,
  run: Run,
): Promise<ChatResponse | StreamedResponse> {
  if (wantsStream(caller)) return followedStream(caller, stores, run, await takeStream(streams, caller))
  // this form waits for the end, however long that takes
  const slot = await takeStream(streams, caller, caller.remainingMs())
  const read = async () => {
    try {
      return await awaitEnd(stores, run, caller)
    } finally {
      await slot.release()
    }
  }
  return jsonAnswer(read())
}
