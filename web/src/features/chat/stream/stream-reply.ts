import { streamEnd, type ChatEvent } from '#shared/chat-events.ts'
import { reconnectDelaysMs, streamSilenceMs } from '#shared/limits.ts'
import { isRetryable, NetworkError } from '../../../lib/api-errors.ts'
import { newPart, parseChatEvent } from './chat-event.ts'
import { readEvents } from './sse-reader.ts'

type Body = ReadableStream<Uint8Array>

export interface FollowedReply {
  /** the request that starts the run; absent when it runs already and is only watched */
  send?: (signal: AbortSignal) => Promise<Body>
  /** the rest of the reply after a position */
  reattach: (position: number, signal: AbortSignal) => Promise<Body>
  onEvent: (event: ChatEvent) => void
  /** false while the connection is lost and being looked for */
  onConnection: (open: boolean) => void
  /** ends the following, not the run */
  signal: AbortSignal
}

/** After this many returns in a row without an answer the reply is given up, 28 s later; while offline never. */
const maxFailures = 5
const longestDelayMs = Math.max(...reconnectDelaysMs)
/** A watch that ends sooner and empty is no watch: the next try waits its turn. */
const shortestWatchMs = 1_000

/**
 * Hands on every event of a reply, each once and in order, over as many connections as it takes (LIB-15, LIB-16, DEC-103).
 * Resolves when the reply has ended for good.
 * @throws what the first request threw when it was refused or did not get through; what a later one threw when coming back
 *   is refused or hopeless; the signal's reason
 */
export async function followReply(reply: FollowedReply): Promise<void> {
  let seen = 0
  let runId: string | undefined
  let failures = 0
  let first = reply.send

  const take = (event: ChatEvent, position: number | undefined) => {
    if (event.type === 'start' && event.messageMetadata.runId !== runId) {
      // another run: its positions begin again
      runId = event.messageMetadata.runId
      seen = 0
    }
    const fresh = newPart(event, position, seen)
    if (position !== undefined) seen = Math.max(seen, position)
    if (fresh) reply.onEvent(fresh)
  }

  for (;;) {
    const attempt = attemptOf(reply.signal)
    const request = first
    first = undefined
    const startedAt = Date.now()
    let answered = false
    let heard = false
    let failure: Error | undefined
    try {
      const body = await (request ?? ((signal) => reply.reattach(seen, signal)))(attempt.signal)
      answered = true
      reply.onConnection(true)
      for await (const { position, data } of readEvents(body, attempt.alive)) {
        if (data === streamEnd) return
        heard = true
        const event = parseChatEvent(data)
        if (event) take(event, position)
      }
    } catch (error) {
      reply.signal.throwIfAborted()
      const neverSent = request !== undefined && !answered && !attempt.wasSilent()
      if (neverSent || !isRetryable(error)) throw error
      failure = error instanceof Error ? error : new NetworkError(false, { cause: error })
    } finally {
      attempt.done()
    }
    reply.signal.throwIfAborted()

    if (heard) failures = 0
    const watched = heard || Date.now() - startedAt >= shortestWatchMs
    if (request === undefined && failure === undefined && watched) continue

    reply.onConnection(false)
    if (failures >= maxFailures && navigator.onLine) throw failure ?? new NetworkError(false)
    await pause(reconnectDelaysMs[failures] ?? longestDelayMs, reply.signal)
    failures += 1
  }
}

/** One connection, taken as dead after 25 s without a byte. */
function attemptOf(outer: AbortSignal) {
  const own = new AbortController()
  let timer: ReturnType<typeof setTimeout>
  const alive = () => {
    clearTimeout(timer)
    timer = setTimeout(() => own.abort(new DOMException('silent', 'TimeoutError')), streamSilenceMs)
  }
  alive()
  return {
    signal: AbortSignal.any([outer, own.signal]),
    alive,
    wasSilent: () => own.signal.aborted,
    done: () => clearTimeout(timer),
  }
}

/** Waits, less when the browser reports that it is online again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      removeEventListener('online', go)
      signal.removeEventListener('abort', abort)
    }
    const go = () => {
      stop()
      resolve()
    }
    const abort = () => {
      stop()
      reject(signal.reason as Error)
    }
    const timer = setTimeout(go, ms)
    addEventListener('online', go)
    signal.addEventListener('abort', abort)
  })
}
