import { useEffect, useRef } from 'react'
import { longReplyMs } from '#shared/limits.ts'
import { showReplyNotification } from '../../lib/reply-notifications.ts'

/** Notifies who switched that on when a reply that took long ends, or waits for them, in a hidden tab. */
export function useReplyNotification(brandName: string, conversationId: string, isLoading: boolean): void {
  const began = useRef<{ conversationId: string; atMs: number }>(undefined)
  useEffect(() => {
    if (isLoading) {
      if (began.current?.conversationId !== conversationId)
        began.current = { conversationId, atMs: performance.now() }
      return
    }
    const { current } = began
    began.current = undefined
    if (current?.conversationId !== conversationId || !document.hidden) return
    if (performance.now() - current.atMs >= longReplyMs) void showReplyNotification(brandName, conversationId)
  }, [brandName, conversationId, isLoading])
}
