import { useEffect } from 'react'
import { hearOtherTabs } from '../../lib/conversation-broadcast.ts'
import type { Conversation } from './state/conversation.ts'
import { activeReply } from './state/pending-reply.ts'

/**
 * Keeps a conversation that is open in several tabs of this browser the same in all of them: each tells when a reply begins and
 * when it has ended, and the others look at what is stored, and follow along.
 */
export function useOtherTabs(conversation: Conversation): void {
  useEffect(() => {
    // one channel for both: what is said on it, it does not hear itself
    const others = hearOtherTabs((id) => {
      if (id === conversation.id) conversation.refresh()
    })
    const runOf = () => activeReply(conversation.getState().pending)?.runId
    let told = runOf()
    const stopListening = conversation.subscribe(() => {
      const run = runOf()
      if (run === told) return
      told = run
      if (conversation.getState().isSaved) others.tell(conversation.id)
    })
    return () => {
      stopListening()
      others.stop()
    }
  }, [conversation])
}
