import { streamEnd, type ChatEvent } from '#shared/chat-events.ts'
import { reconnectDelaysMs } from '../../../lib/browser/limits.ts'
import { streamSilenceMs } from '#shared/limits.ts'
import { isNotFound, isRetryable, NetworkError } from '../../../lib/api/api-errors.ts'
import { hasErrorCode } from '../../../lib/api/has-error-code.ts'
import { trimOverlap, parseChatEvent } from './chat-event.ts'
import { readEvents } from './sse-reader.ts'

type EventStream = ReadableStream<Uint8Array>

/** `lost`: it will be opened again. `crowded`: other tabs of the user already follow as many replies as are allowed. */
export type StreamConnection = 'open' | 'lost' | 'crowded'

/** The requests of a reply, and what is called while it is streamed. */
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

interface FollowReplyOptions extends StreamReplyOptions {
  /**
   * called at the end. `ended`: the stream has ended, and its reply is over or waits; `gone`: the server does not know the reply (any more);
   * `failed`: anything else
   */
  onEnd: (reason: 'ended' | 'gone' | 'failed', error: unknown) => void
}

/**
 * Follows a reply to the end of its stream. Text is delivered at most once per frame.
 * @returns `flush` delivers the text that has arrived and waits for the next frame
 */
export function followReply({ onEvent, onEnd, ...options }: FollowReplyOptions): { flush: () => void } {
  // the id of the text part is not used
  const { add, flush } = createFrameBatch((delta) => onEvent({ type: 'text-delta', id: '', delta }))
  const end: typeof onEnd = (reason, error) => {
    flush()
    onEnd(reason, error)
  }
  streamReply({
    ...options,
    onEvent(event) {
      if (event.type === 'text-delta') return add(event.delta)
      flush()
      onEvent(event)
    },
  }).then(
    () => end('ended', new NetworkError()),
    (error: unknown) => end(isNotFound(error) ? 'gone' : 'failed', error),
  )
  return { flush }
}

/** After which text is delivered without a frame, which a hidden page does not have. Nobody sees that it is later than a frame would be. */
const hiddenPageDelayMs = 200

/** Collects text and delivers it once per frame, so that a fast reply does not block typing. */
function createFrameBatch(onText: (text: string) => void) {
  let text = ''
  let cancel: (() => void) | undefined

  const flush = () => {
    cancel?.()
    cancel = undefined
    if (text === '') return
    const collected = text
    text = ''
    onText(collected)
  }

  const schedule = () => {
    // a frame that was requested before the page was hidden may never come
    const timer = setTimeout(flush, hiddenPageDelayMs)
    const frame = requestAnimationFrame(flush)
    cancel = () => {
      clearTimeout(timer)
      cancelAnimationFrame(frame)
    }
  }

  return {
    /** Collects text, which is delivered with the next frame. */
    add: (delta: string) => {
      text += delta
      if (!cancel) schedule()
    },
    /** Delivers at once what has been collected. */
    flush,
  }
}

/** After so many failed reconnects in a row, which take half a minute, it gives up; never while the browser is offline or other tabs are in the way. */
const maxFailures = 5
const maxDelayMs = Math.max(...reconnectDelaysMs)
/** A connection that closes sooner, without an event, counts as failed. */
const minOpenMs = 1_000

/**
 * Delivers the events of a reply in order, each once, and reconnects as often as necessary. Resolves when the stream has ended: the reply is over,
 * or it waits.
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
    const request = initialRequest
    initialRequest = undefined
    const startedAt = Date.now()
    const { hasEnded, hasEvents, isRejected, error } = await readConnection(
      request ?? ((signal) => options.reattach(lastPosition, signal)),
      handleEvent,
      options,
    )
    if (hasEnded) return
    options.signal.throwIfAborted()
    if (error !== undefined && ((request && isRejected) || !isRetryable(error))) throw error

    if (hasEvents) failures = 0
    const wasOpen = hasEvents || Date.now() - startedAt >= minOpenMs
    // the server closes a stream that follows a reply when its time is over: the next one goes on at once
    if (request === undefined && error === undefined && wasOpen) continue

    // the connection is good: a reply that another tab follows has to end first, however long that takes
    const isCrowded = hasErrorCode(error, 'too_many_streams')
    options.onConnectionChange(isCrowded ? 'crowded' : 'lost')
    if (failures >= maxFailures && navigator.onLine && !isCrowded) throw error ?? new NetworkError()
    await pause((!isCrowded && reconnectDelaysMs[failures]) || maxDelayMs, options.signal)
    if (!isCrowded) failures += 1
  }
}

/** What came of a connection. */
interface ConnectionResult {
  /** whether it has delivered the end of the reply */
  hasEnded?: boolean
  hasEvents: boolean
  /** whether the request failed before its answer, and not by a silent server */
  isRejected?: boolean
  /** why it failed; undefined if the server has closed it */
  error?: Error
}

/** Opens a connection and delivers its events, until it closes or fails. */
async function readConnection(
  open: (signal: AbortSignal) => Promise<EventStream>,
  onEvent: (event: ChatEvent, position: number | undefined) => void,
  { signal, onConnectionChange }: StreamReplyOptions,
): Promise<ConnectionResult> {
  const attempt = startAttempt(signal)
  let hasResponse = false
  let hasEvents = false
  try {
    const body = await open(attempt.signal)
    hasResponse = true
    onConnectionChange('open')
    for await (const { position, data } of readEvents(body, attempt.markActive)) {
      if (data === streamEnd) return { hasEnded: true, hasEvents }
      hasEvents = true
      const event = parseChatEvent(data)
      if (event) onEvent(event, position)
    }
    return { hasEvents }
  } catch (error) {
    return {
      hasEvents,
      isRejected: !hasResponse && !attempt.wasSilent(),
      error: error instanceof Error ? error : new NetworkError({ cause: error }),
    }
  } finally {
    attempt.dispose()
  }
}

/** Limits a connection: it is aborted when it delivers no data for `streamSilenceMs`, in which a heartbeat should have come. */
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
