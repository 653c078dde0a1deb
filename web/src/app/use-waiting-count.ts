import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listenToOtherTabs } from '../lib/conversation-broadcast.ts'
import { replyingConversations } from '../lib/replying-conversations.ts'
import { refreshWaiting, waitingQuery } from '../lib/waiting-queries.ts'
import { showWaitingCount } from '../lib/waiting-badge.ts'

/** The pause before a request: an answer from before the service has what began a reply, such as a decision, would still count that. */
const refreshDelayMs = 2_000

/**
 * Shows how much waits for the user, until they sign out. Asks again when a reply has begun or ended, or a conversation has changed in another
 * tab.
 */
export function useWaitingCount(): void {
  const queryClient = useQueryClient()
  const { data } = useQuery(waitingQuery)
  useEffect(() => showWaitingCount(data?.total ?? 0), [data?.total])
  useEffect(() => () => showWaitingCount(0), [])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void refreshWaiting(queryClient), refreshDelayMs)
    }
    const unsubscribe = replyingConversations.subscribe(refresh)
    const otherTabs = listenToOtherTabs(refresh)
    return () => {
      clearTimeout(timer)
      unsubscribe()
      otherTabs.close()
    }
  }, [queryClient])
}
