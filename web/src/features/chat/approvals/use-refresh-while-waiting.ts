import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { conversationListsKey } from '../../../lib/conversation-list.ts'
import type { Conversation } from '../state/conversation.ts'

/** The delays between checks of a waiting reply: at first, and after ten minutes or more. */
const minDelayMs = 3_000
const maxDelayMs = 30_000
/** The delay as a share of the time that has passed since the page was shown. */
const delayShare = 1 / 20

/**
 * Reloads a conversation whose reply waits for the user, so that a decision on another device is seen: soon after the page is shown,
 * less often on a page that stays open, and never on a hidden one. A temporary chat is on no other device, and is not reloaded.
 */
export function useRefreshWhileWaiting(conversation: Pick<Conversation, 'refresh' | 'getState'>): void {
  const client = useQueryClient()
  useEffect(
    // when the reply no longer waits, the cached lists of conversations still say that it does
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
      const delayMs = (Date.now() - shownAtMs) * delayShare
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
