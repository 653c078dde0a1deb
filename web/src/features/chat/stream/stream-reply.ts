import { streamEnd, type ChatEvent } from '#shared/chat-events.ts'
import { reconnectDelaysMs, streamSilenceMs } from '#shared/limits.ts'
import { isRetryable, NetworkError } from '../../../lib/api-errors.ts'
import { trimOverlap, parseChatEvent } from './chat-event.ts'
import { readEvents } from './sse-reader.ts'

type Body = ReadableStream<Uint8Array>

export interface StreamReplyOptions {
  /** the request that starts the run; absent when it runs already and is only watched */
  send?: (signal: AbortSignal) => Promise<Body>
  /** the rest of the reply after a position */
  reattach: (position: number, signal: AbortSignal) => Promise<Body>
  onEvent: (event: ChatEvent) => void
  /** false while the connection is lost and being looked for */
  onConnectionChange: (open: boolean) => void
  /** ends the following, not the run */
  signal: AbortSignal
}

/** After this many returns in a row without an answer the reply is given up, 28 s later; while offline never. */
const maxFailures = 5
const maxDelayMs = Math.max(...reconnectDelaysMs)
/** A watch that ends sooner and empty is no watch: the next try waits its turn. */
const minOpenMs = 1_000

/**
 * Hands on every event of a reply, each once and in order, over as many connections as it takes (LIB-15, LIB-16, DEC-103).
 * Resolves when the reply has ended for good.
 * @throws what the first request threw when it was refused or did not get through; what a later one threw when coming back
 *   is refused or hopeless; the signal's reason
 */
export async function streamReply(reply: StreamReplyOptions): Promise<void> {
  let lastPosition = 0
  let runId: string | undefined
  let failures = 0
  let initialRequest = reply.send

  const handleEvent = (event: ChatEvent, position: number | undefined) => {
    if (event.type === 'start' && event.messageMetadata.runId !== runId) {
      // another run: its positions begin again
      runId = event.messageMetadata.runId
      lastPosition = 0
    }
    const newEvent = trimOverlap(event, position, lastPosition)
    if (position !== undefined) lastPosition = Math.max(lastPosition, position)
    if (newEvent) reply.onEvent(newEvent)
  }

  for (;;) {
    const attempt = startAttempt(reply.signal)
    const request = initialRequest
    initialRequest = undefined
    const startedAt = Date.now()
    let hasResponse = false
    let hasEvents = false
    let failure: Error | undefined
    try {
      const body = await (request ?? ((signal) => reply.reattach(lastPosition, signal)))(attempt.signal)
      hasResponse = true
      reply.onConnectionChange(true)
      for await (const { position, data } of readEvents(body, attempt.markActive)) {
        if (data === streamEnd) return
        hasEvents = true
        const event = parseChatEvent(data)
        if (event) handleEvent(event, position)
      }
    } catch (error) {
      reply.signal.throwIfAborted()
      const wasNeverSent = request !== undefined && !hasResponse && !attempt.wasSilent()
      if (wasNeverSent || !isRetryable(error)) throw error
      failure = error instanceof Error ? error : new NetworkError(false, { cause: error })
    } finally {
      attempt.dispose()
    }
    reply.signal.throwIfAborted()

    if (hasEvents) failures = 0
    const wasOpen = hasEvents || Date.now() - startedAt >= minOpenMs
    if (request === undefined && failure === undefined && wasOpen) continue

    reply.onConnectionChange(false)
    if (failures >= maxFailures && navigator.onLine) throw failure ?? new NetworkError(false)
    await pause(reconnectDelaysMs[failures] ?? maxDelayMs, reply.signal)
    failures += 1
  }
}

/** One connection, taken as dead after 25 s without a byte. */
function startAttempt(outer: AbortSignal) {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout>
  const markActive = () => {
    clearTimeout(timer)
    timer = setTimeout(() => controller.abort(new DOMException('silent', 'TimeoutError')), streamSilenceMs)
  }
  markActive()
  return {
    signal: AbortSignal.any([outer, controller.signal]),
    markActive,
    wasSilent: () => controller.signal.aborted,
    dispose: () => clearTimeout(timer),
  }
}

/** Waits, less when the browser reports that it is online again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cleanUp = () => {
      clearTimeout(timer)
      removeEventListener('online', finish)
      signal.removeEventListener('abort', abort)
    }
    const finish = () => {
      cleanUp()
      resolve()
    }
    const abort = () => {
      cleanUp()
      reject(signal.reason as Error)
    }
    const timer = setTimeout(finish, ms)
    addEventListener('online', finish)
    signal.addEventListener('abort', abort)
  })
}
