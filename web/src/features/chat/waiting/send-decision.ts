import type { WaitingCall } from '#shared/contracts/waiting.ts'
import { broadcastConversationChange } from '../../../lib/conversation-broadcast.ts'
import { chatApi } from '../stream/chat-api.ts'

/** As long as the service takes to begin a reply, and more. */
const timeoutMs = 30_000

/** The reply that is followed to its end: one, because a browser opens few connections. */
let followed: ReadableStreamDefaultReader | undefined

async function followToEnd(stream: ReadableStream<Uint8Array>): Promise<void> {
  void followed?.cancel().catch(() => undefined)
  const reader = stream.getReader()
  followed = reader
  while (!(await reader.read()).done);
}

/**
 * Sends the decision on a call. Its reply continues whether it is followed or not.
 * @returns settles when the reply has ended or waits again, as far as it was followed
 * @throws what `authorizedFetch` throws: the decision was rejected, or after a network error possibly applied
 */
export async function sendDecision(
  { session_id: sessionId, run_id: runId, request: { call_id: callId } }: WaitingCall,
  approved: boolean,
): Promise<{ ended: Promise<void> }> {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(new DOMException('', 'TimeoutError')), timeoutMs)
  try {
    const stream = await chatApi.decide(sessionId, { runId, callId, approved }, abort.signal)
    broadcastConversationChange(sessionId)
    const ended = followToEnd(stream)
      .catch(() => undefined)
      .then(() => broadcastConversationChange(sessionId))
    return { ended }
  } finally {
    clearTimeout(timer)
  }
}
