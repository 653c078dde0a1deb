import { useEffect, useRef } from 'react'
import { longReplyMs } from '#shared/limits.ts'
import { showReplyNotification } from '../../lib/reply-notifications.ts'

/** Shows a notification, if enabled, when a long reply ends or waits for a decision in a hidden tab. */
export function useReplyNotification(brandName: string, conversationId: string, isLoading: boolean): void {
  const start = useRef<{ conversationId: string; atMs: number }>(undefined)
  useEffect(() => {
    if (isLoading) {
      if (start.current?.conversationId !== conversationId)
        start.current = { conversationId, atMs: performance.now() }
      return
    }
    const { current } = start
    start.current = undefined
    if (current?.conversationId !== conversationId || !document.hidden) return
    if (performance.now() - current.atMs >= longReplyMs) void showReplyNotification(brandName, conversationId)
  }, [brandName, conversationId, isLoading])
}
