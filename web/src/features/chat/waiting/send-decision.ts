import type { WaitingCall } from '#shared/contracts/waiting.ts'
import { broadcastConversationChange } from '../../../lib/conversations/conversation-broadcast.ts'
import { chatApi } from '../stream/chat-api.ts'

/** A reply begins within seconds: after so long, nobody expects an answer. */
const timeoutMs = 30_000

/**
 * Follows the replies that decisions continue, until the user signs out. Only one at a time, because a browser opens few connections to a
 * server.
 */
export function createReplyFollower() {
  let followed: ReadableStreamDefaultReader | undefined
  let isClosed = false
  const cancel = () => void followed?.cancel().catch(() => undefined)
  return {
    /** Reads the reply of a conversation to its end, and tells other tabs that it changes. Stops reading the one before. */
    async follow(sessionId: string, stream: ReadableStream<Uint8Array>): Promise<void> {
      cancel()
      const reader = stream.getReader()
      followed = reader
      if (isClosed) return cancel()
      broadcastConversationChange(sessionId)
      try {
        // the page shows nothing of the reply: only its end matters
        while (!(await reader.read()).done);
      } catch {
        // the connection is lost; the reply goes on
      }
      if (!isClosed) broadcastConversationChange(sessionId)
    },
    close() {
      isClosed = true
      cancel()
    },
  }
}

/**
 * Sends the decision on a call. The reply continues on the server, whether its stream is read here or not.
 * @param options.follower of the user
 * @returns `ended` resolves when the reply has ended or waits again, or is no longer followed
 * @throws what `authorizedFetch` throws: the decision was rejected, or after a network error possibly applied
 */
export async function sendDecision(
  { session_id: sessionId, run_id: runId, request: { call_id: callId } }: WaitingCall,
  { approved, follower }: { approved: boolean; follower: ReturnType<typeof createReplyFollower> },
): Promise<{ ended: Promise<void> }> {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(new DOMException('', 'TimeoutError')), timeoutMs)
  try {
    const stream = await chatApi.decide(sessionId, { runId, callId, approved }, abort.signal)
    return { ended: follower.follow(sessionId, stream) }
  } finally {
    clearTimeout(timer)
  }
}
