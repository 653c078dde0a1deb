import type { ChatRequest } from '#shared/contracts/chat.ts'
import type { RouteRequest } from '#shared/contracts/route-contracts.ts'
import type { SessionRead } from '#shared/contracts/sessions.ts'
import { authorizedFetch, callApi, toUnreadableError } from '../../../lib/api/call-api.ts'

const eventStream = 'text/event-stream'

/** The user's decision on an approval request, or the answer to a form. */
export type ApprovalDecision = RouteRequest<'runs.answer'>

/** The API calls of a conversation. A conversation gets them as a parameter, so that a test can replace the server. */
export interface ChatApi {
  /** Sends a message. @returns the events of its reply @throws what `authorizedFetch` throws; ApiError `unreadable` */
  send: (request: ChatRequest, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>
  /** Requests the events of the current reply after a position, 0 for all of them. @throws like `send`; 404 if there is no current reply */
  reattach: (sessionId: string, position: number, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>
  /** Sends a decision. @returns the events of the reply that continues @throws like `send`; after a network error it may have been applied */
  decide: (
    sessionId: string,
    decision: ApprovalDecision,
    signal: AbortSignal,
  ) => Promise<ReadableStream<Uint8Array>>
  /**
   * Stops a run on the server.
   * @param runId undefined for the current run
   * @param options `keepalive`: the request is sent even if the page is closed
   * @throws what `callApi` throws
   */
  stop: (sessionId: string, runId: string | undefined, options?: { keepalive?: boolean }) => Promise<unknown>
  /** Reads a page of messages: the newest, or those before a cursor. @throws what `callApi` throws */
  read: (sessionId: string, before: string | undefined, signal: AbortSignal) => Promise<SessionRead>
}

/** The API calls to the real server. */
export const chatApi: ChatApi = {
  async send(body, signal) {
    return requireEventStream(
      await authorizedFetch('chat.send', { body }, { signal, headers: { accept: eventStream } }),
    )
  },

  async reattach(sessionId, position, signal) {
    const headers = { accept: eventStream, 'last-event-id': String(position) }
    return requireEventStream(
      await authorizedFetch('runs.events', { params: { sessionId } }, { signal, headers }),
    )
  },

  async decide(sessionId, body, signal) {
    const input = { params: { sessionId }, body }
    const { withRecentSignIn } = await import('../../../lib/sign-in/recent-sign-in.ts')
    return requireEventStream(
      await withRecentSignIn(() =>
        authorizedFetch('runs.answer', input, { signal, headers: { accept: eventStream } }),
      ),
    )
  },

  stop: (sessionId, runId, options) =>
    callApi('runs.stop', { params: { sessionId }, body: runId === undefined ? {} : { runId } }, options),

  read: (sessionId, before, signal) =>
    callApi('sessions.read', { params: { sessionId }, query: { before } }, { signal }),
}

/** @throws ApiError `unreadable` when the response is not an event stream */
function requireEventStream(response: Response): ReadableStream<Uint8Array> {
  const type = response.headers.get('content-type') ?? ''
  if (response.body && type.startsWith(eventStream)) return response.body
  throw toUnreadableError(response)
}
