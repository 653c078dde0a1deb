import { useEffect } from 'react'
import { listenToOtherTabs } from '../../lib/conversation-broadcast.ts'
import type { Conversation } from './state/conversation.ts'
import { getActiveReply } from './state/pending-reply.ts'

/**
 * Synchronises a conversation between the tabs of this browser: each tab reports when a reply starts and ends, and the others fetch the
 * stored state and follow the reply.
 */
export function useTabSync(conversation: Conversation): void {
  useEffect(() => {
    // one channel for both: it does not receive its own messages
    const channel = listenToOtherTabs((id) => {
      if (id === conversation.id) conversation.refresh()
    })
    const getRunId = () => getActiveReply(conversation.getState().pending)?.runId
    let lastRunId = getRunId()
    const stopListening = conversation.subscribe(() => {
      const runId = getRunId()
      if (runId === lastRunId) return
      lastRunId = runId
      if (!conversation.getState().isTemporary) channel.broadcast(conversation.id)
    })
    return () => {
      stopListening()
      channel.close()
    }
  }, [conversation])
}
