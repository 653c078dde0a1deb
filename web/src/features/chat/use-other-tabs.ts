import { useEffect } from 'react'
import type { Conversation } from './conversation.ts'

const channelName = 'juno-conversations'

/**
 * Keeps a conversation that is open in several tabs of this browser the same in all of them: each tells when a reply begins and
 * when it has ended, and the others look at what is stored, and follow along.
 */
export function useOtherTabs(conversation: Conversation): void {
  useEffect(() => {
    if (typeof BroadcastChannel === 'undefined') return
    const channel = new BroadcastChannel(channelName)
    const runOf = () => conversation.getState().turn?.runId
    let told = runOf()
    const stopListening = conversation.subscribe(() => {
      const run = runOf()
      if (run === told) return
      told = run
      if (conversation.getState().kept) channel.postMessage(conversation.id)
    })
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (data === conversation.id) conversation.open()
    }
    return () => {
      stopListening()
      channel.close()
    }
  }, [conversation])
}
