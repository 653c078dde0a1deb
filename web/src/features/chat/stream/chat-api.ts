import type { ChatRequest } from '#shared/contracts/chat.ts'
import type { RouteRequest } from '#shared/contracts/route-contracts.ts'
import type { AnalyzeResponse } from '#shared/contracts/documents.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import type { SessionRead } from '#shared/contracts/sessions.ts'
import { ApiError } from '../../../lib/api-errors.ts'
import { authorizedFetch, callApi } from '../../../lib/call-api.ts'

/** Longer than the timeout of the server. */
const analysisTimeoutMs = 60_000
const eventStream = 'text/event-stream'

/** The decision on an approval request. */
export type ApprovalDecision = RouteRequest<'runs.answer'>

/** The API calls of a conversation. Injected, so that a test can replace the server. */
export interface ChatApi {
  /** @throws what `authorizedFetch` throws */
  send: (request: ChatRequest, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>
  /** @param position the last one received; 0 for everything */
  reattach: (sessionId: string, position: number, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>
  /** @throws like `send`: the decision was rejected, or after a network error possibly applied */
  decide: (
    sessionId: string,
    decision: ApprovalDecision,
    signal: AbortSignal,
  ) => Promise<ReadableStream<Uint8Array>>
  /** @param options `keepalive`: also when the page is being left */
  stop: (sessionId: string, runId: string | undefined, options?: { keepalive?: boolean }) => Promise<unknown>
  /** @throws what `callApi` throws */
  analyze: (file: Attachment, signal: AbortSignal) => Promise<AnalyzeResponse>
  read: (sessionId: string, before: string | undefined, signal: AbortSignal) => Promise<SessionRead>
}

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
    return requireEventStream(
      await authorizedFetch('runs.answer', input, { signal, headers: { accept: eventStream } }),
    )
  },

  stop: (sessionId, runId, options) =>
    callApi('runs.stop', { params: { sessionId }, body: runId === undefined ? {} : { runId } }, options),

  analyze: ({ id, name, type, size }, signal) =>
    callApi(
      'documents.analyze',
      { body: { file: { id, name, type, size }, analysisType: 'analyze' } },
      { signal, timeoutMs: analysisTimeoutMs },
    ),

  read: (sessionId, before, signal) =>
    callApi('sessions.read', { params: { sessionId }, query: { before } }, { signal }),
}

/** @throws ApiError `unreadable` when the response is not an event stream */
function requireEventStream(response: Response): ReadableStream<Uint8Array> {
  const type = response.headers.get('content-type') ?? ''
  if (response.body && type.startsWith(eventStream)) return response.body
  throw new ApiError({ status: response.status, code: 'unreadable', userMessage: 'not an event stream' })
}
