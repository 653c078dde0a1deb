import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { conversationListsKey } from '../../../lib/conversation-list.ts'
import type { Conversation } from '../state/conversation.ts'

/** The interval between checks of a waiting reply: at first, and after ten minutes or more. */
const minDelayMs = 3_000
const maxDelayMs = 30_000
/** The delay is this part of the time that has passed. */
const growth = 1 / 20

/**
 * Reloads a conversation whose reply waits for the user, so that a decision on another device is seen: soon after the page is shown,
 * less often on a page that stays open, and not in a hidden one. Temporary chats have no other device.
 */
export function useRefreshWhileWaiting(conversation: Pick<Conversation, 'refresh' | 'getState'>): void {
  const client = useQueryClient()
  useEffect(
    // what was decided elsewhere has ended or goes on: the lists still have it as it was
    () => () => void client.invalidateQueries({ queryKey: conversationListsKey }),
    [client, conversation],
  )
  useEffect(() => {
    let shownAtMs = Date.now()
    let timer: ReturnType<typeof setTimeout>
    const refresh = () => {
      const canRefresh = document.visibilityState === 'visible' && navigator.onLine
      if (canRefresh && !conversation.getState().isTemporary) conversation.refresh()
      schedule()
    }
    function schedule() {
      const delayMs = (Date.now() - shownAtMs) * growth
      timer = setTimeout(refresh, Math.min(maxDelayMs, Math.max(minDelayMs, delayMs)))
    }
    const onVisibilityChange = () => {
      clearTimeout(timer)
      shownAtMs = Date.now()
      refresh()
    }
    schedule()
    document.addEventListener('visibilitychange', onVisibilityChange)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisibilityChange)
    }
  }, [conversation])
}
