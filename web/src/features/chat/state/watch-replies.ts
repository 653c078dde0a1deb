import { longReplyMs } from '../../../lib/limits.ts'
import { loadConfig } from '../../../lib/config.ts'
import type { ReplyNews } from '../../../lib/reply-notifications.ts'
import { isWaitingForUser, type ShownConversation } from './shown-conversation.ts'

/**
 * Watches the replies of a conversation, shown or not. When one ends, or waits for the user, while the page is hidden, the page has
 * something unread, and a notification says so after a long reply, if the user wants that.
 * @returns to be called with each state
 */
export function watchReplies(id: string, onUnread: () => void): (state: ShownConversation) => void {
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
    const news = findNews(state)
    if (news && tookMs >= longReplyMs) void notify(news, id, address).catch(() => undefined)
  }
}

/** @returns undefined for a reply that the user has stopped */
function findNews(state: ShownConversation): ReplyNews | undefined {
  if (state.isReplying) return 'waiting'
  const last = state.messages.at(-1)
  if (last?.ended === 'stopped') return undefined
  return last?.role === 'assistant' && last.ended === undefined ? 'ready' : 'unfinished'
}

/** Few replies need it. */
async function notify(news: ReplyNews, id: string, address: string) {
  const [{ showReplyNotification }, { brandName }] = await Promise.all([
    import('../../../lib/reply-notifications.ts'),
    loadConfig(),
  ])
  return showReplyNotification(brandName, news, id, address)
}
