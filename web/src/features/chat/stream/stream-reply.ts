import { streamEnd, type ChatEvent } from '#shared/chat-events.ts'
import { reconnectDelaysMs } from '../../../lib/limits.ts'
import { streamSilenceMs } from '#shared/limits.ts'
import { ApiError, isRetryable, NetworkError } from '../../../lib/api-errors.ts'
import { trimOverlap, parseChatEvent } from './chat-event.ts'
import { readEvents } from './sse-reader.ts'

type EventStream = ReadableStream<Uint8Array>

/** `lost`: it will be opened again. `crowded`: other tabs of the user already follow as many replies as are allowed. */
export type StreamConnection = 'open' | 'lost' | 'crowded'

/** The requests of a reply, and what is told of its stream. */
export interface StreamReplyOptions {
  /** the request that starts the run; absent to follow a run that has started */
  send?: (signal: AbortSignal) => Promise<EventStream>
  /** requests the rest of the reply after a position */
  reattach: (position: number, signal: AbortSignal) => Promise<EventStream>
  onEvent: (event: ChatEvent) => void
  onConnectionChange: (connection: StreamConnection) => void
  /** stops reading, not the run */
  signal: AbortSignal
}

/** After so many failed reconnects in a row, which take 28 s, it gives up; never while the browser is offline. */
const maxFailures = 5
const maxDelayMs = Math.max(...reconnectDelaysMs)
/** A connection that closes sooner, without an event, counts as failed. */
const minOpenMs = 1_000

/**
 * Delivers every event of a reply exactly once and in order, and reconnects as often as necessary. Resolves when the reply has ended.
 * @throws the error of the first request; the error of a reconnect that is rejected or fails too often; the signal's reason
 */
export async function streamReply(options: StreamReplyOptions): Promise<void> {
  let lastPosition = 0
  let runId: string | undefined
  let failures = 0
  let initialRequest = options.send

  const handleEvent = (event: ChatEvent, position: number | undefined) => {
    if (event.type === 'start' && event.messageMetadata.runId !== runId) {
      // another run: its positions start at 0
      runId = event.messageMetadata.runId
      lastPosition = 0
    }
    const newEvent = trimOverlap(event, position, lastPosition)
    if (position !== undefined) lastPosition = Math.max(lastPosition, position)
    if (newEvent) options.onEvent(newEvent)
  }

  for (;;) {
    const attempt = startAttempt(options.signal)
    const request = initialRequest
    initialRequest = undefined
    const startedAt = Date.now()
    let hasResponse = false
    let hasEvents = false
    let failure: Error | undefined
    try {
      const body = await (request ?? ((signal) => options.reattach(lastPosition, signal)))(attempt.signal)
      hasResponse = true
      options.onConnectionChange('open')
      for await (const { position, data } of readEvents(body, attempt.markActive)) {
        if (data === streamEnd) return
        hasEvents = true
        const event = parseChatEvent(data)
        if (event) handleEvent(event, position)
      }
    } catch (error) {
      options.signal.throwIfAborted()
      const hasFirstRequestFailed = request !== undefined && !hasResponse && !attempt.wasSilent()
      if (hasFirstRequestFailed || !isRetryable(error)) throw error
      failure = error instanceof Error ? error : new NetworkError({ cause: error })
    } finally {
      attempt.dispose()
    }
    options.signal.throwIfAborted()

    if (hasEvents) failures = 0
    const wasOpen = hasEvents || Date.now() - startedAt >= minOpenMs
    if (request === undefined && failure === undefined && wasOpen) continue

    // the connection is good: a reply that another tab follows has to end first, however long that takes
    const isCrowded = failure instanceof ApiError && failure.code === 'too_many_streams'
    options.onConnectionChange(isCrowded ? 'crowded' : 'lost')
    if (failures >= maxFailures && navigator.onLine && !isCrowded) throw failure ?? new NetworkError()
    await pause((!isCrowded && reconnectDelaysMs[failures]) || maxDelayMs, options.signal)
    if (!isCrowded) failures += 1
  }
}

/** One connection; aborted after 25 s without data. */
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

/** Waits; ends early when the browser is online again. @throws the signal's reason */
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
