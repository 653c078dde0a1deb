import { useEffect, useRef } from 'react'
import { longReplyMs } from '#shared/limits.ts'

/** Shows a notification, if enabled, when a long reply ends or waits for a decision in a hidden tab. */
export function useReplyNotification(brandName: string, conversationId: string, isReplying: boolean): void {
  const start = useRef<{ conversationId: string; atMs: number }>(undefined)
  useEffect(() => {
    if (isReplying) {
      if (start.current?.conversationId !== conversationId)
        start.current = { conversationId, atMs: performance.now() }
      return
    }
    const { current } = start
    start.current = undefined
    if (current?.conversationId !== conversationId || !document.hidden) return
    if (performance.now() - current.atMs < longReplyMs) return
    // few replies need it
    void import('../../lib/reply-notifications.ts').then(
      ({ showReplyNotification }) => showReplyNotification(brandName, conversationId),
      () => undefined,
    )
  }, [brandName, conversationId, isReplying])
}
