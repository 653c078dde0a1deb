import { longReplyMs } from '../../../lib/limits.ts'
import { loadConfig } from '../../../lib/config.ts'
import { isWaitingForUser, type ConversationState } from './conversation-state.ts'

/**
 * Watches the replies of a conversation, shown or not. When one ends, or waits for the user, while the page is hidden, the page has
 * something unread, and a notification says so after a long reply, if the user wants that.
 * @returns to be called with each state
 */
export function watchReplies(id: string, onUnread: () => void): (state: ConversationState) => void {
  let startedAtMs: number | undefined
  return (state) => {
    if (state.isReplying && !isWaitingForUser(state)) {
      startedAtMs ??= performance.now()
      return
    }
    if (startedAtMs === undefined) return
    const tookMs = performance.now() - startedAtMs
    startedAtMs = undefined
    if (!document.hidden) return
    onUnread()
    const address = new URL(state.isTemporary ? '/' : `/?c=${id}`, location.origin).href
    if (tookMs >= longReplyMs) void notify(id, address).catch(() => undefined)
  }
}

/** Few replies need it. */
async function notify(id: string, address: string) {
  const [{ showReplyNotification }, { brandName }] = await Promise.all([
    import('../../../lib/reply-notifications.ts'),
    loadConfig(),
  ])
  return showReplyNotification(brandName, id, address)
}
