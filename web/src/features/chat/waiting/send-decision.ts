import type { WaitingCall } from '#shared/contracts/waiting.ts'
import { broadcastConversationChange } from '../../../lib/conversation-broadcast.ts'
import { chatApi } from '../stream/chat-api.ts'

/** Longer than the service takes to begin a reply. */
const timeoutMs = 30_000

/** The reply that is being followed. Only one, because a browser opens few connections to a server. */
let followedReply: ReadableStreamDefaultReader | undefined

/** Reads a stream to its end, and stops reading the one before. Rejects if the connection is lost. */
async function followToEnd(stream: ReadableStream<Uint8Array>): Promise<void> {
  void followedReply?.cancel().catch(() => undefined)
  const reader = stream.getReader()
  followedReply = reader
  while (!(await reader.read()).done);
}

/**
 * Sends the decision on a call. The reply continues on the server, whether its stream is read here or not.
 * @returns `ended` resolves when the reply has ended or waits again, or is no longer followed
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
