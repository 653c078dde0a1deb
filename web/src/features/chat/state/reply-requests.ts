import { isNotFound } from '../../../lib/api-errors.ts'
import { buildChatRequest } from './chat-request.ts'
import type { ShownError } from './conversation-parts.ts'
import type { ConversationState } from './conversation-state.ts'
import type { ConversationOptions } from './conversation.ts'
import type { ConversationEvent, Effect } from './conversation-machine.ts'
import { openReplyStream } from './open-reply-stream.ts'

/** What the requests of a conversation need, and whom they report to. */
export interface RequestContext extends Pick<ConversationOptions, 'id' | 'api' | 'readConnections'> {
  getState: () => ConversationState
  dispatch: (event: ConversationEvent) => unknown
  toShownError: (cause: unknown) => ShownError
}

/** Creates the requests that work on the pending reply of a conversation. There is one at a time: a new one aborts the one before. */
export function createReplyRequests(context: RequestContext) {
  const { id, api, getState, toShownError, readConnections } = context
  const slot = createRequestSlot()
  let flush = () => {}
  /** by attachment id; a temporary chat has its extracted texts only here */
  const extractedTexts = new Map<string, string>()
  const dispatch: RequestContext['dispatch'] = (event) => {
    const received = event.type === 'received' ? event.event : undefined
    if (received?.type === 'data-reading' && received.data.text !== undefined)
      extractedTexts.set(received.data.id, received.data.text)
    context.dispatch(event)
  }

  const warn = (event: BeforeUnloadEvent) => event.preventDefault()

  /** @param send starts or continues the reply; absent to follow one that is running */
  const followStream = (
    request: number,
    send?: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>,
  ): void => {
    const stream = openReplyStream({
      request,
      ...(send && { send }),
      reattach: (position, signal) => api.reattach(id, position, signal),
      signal: slot.begin(request),
      dispatch,
      toShownError,
    })
    flush = stream.flush
  }

  return {
    /** Sends a message and follows its reply, or follows a reply that is running. */
    open({ request, message, partial }: Extract<Effect, { type: 'open' }>): void {
      if (!message) return followStream(request)
      followStream(request, async (signal) => {
        const connections = readConnections()
        const body = buildChatRequest(id, message, getState(), {
          texts: extractedTexts,
          partial,
          connections,
        })
        // its field is empty, and the service answers when it has stored it
        addEventListener('beforeunload', warn)
        try {
          return await api.send(body, signal)
        } finally {
          removeEventListener('beforeunload', warn)
        }
      })
    },

    /** Sends a decision and follows the reply that continues. */
    decide({ request, decision }: Extract<Effect, { type: 'decide' }>): void {
      followStream(request, async (signal) => {
        try {
          const body = await api.decide(id, decision, signal)
          dispatch({ type: 'decided', request })
          return body
        } catch (error) {
          if (isNotFound(error)) dispatch({ type: 'decision-refused', request })
          throw error
        }
      })
    },

    /** Applies the text that has arrived and waits for the next frame. */
    flush: () => flush(),
    /** Aborts a request, unless another one has begun since. */
    abort: (request: number | undefined) => slot.abort(request),
    /** Aborts the current request. */
    close: slot.close,
  }
}

/** Remembers the current request, so that it can be aborted. Beginning the next one aborts it. */
function createRequestSlot() {
  let current: { request: number; controller: AbortController } | undefined
  const close = () => current?.controller.abort()
  return {
    begin(request: number): AbortSignal {
      const controller = new AbortController()
      close()
      current = { request, controller }
      return controller.signal
    },
    abort(request: number | undefined): void {
      if (current?.request === request) close()
    },
    close,
  }
}
