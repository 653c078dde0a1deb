import { longReplyMs } from '../../../lib/limits.ts'
import { loadConfig } from '../../../lib/config.ts'
import type { ReplyNews } from '../../../lib/reply-notifications.ts'
import { isWaitingForUser, type ConversationState } from './conversation-state.ts'

/**
 * Watches the replies of a conversation, whether it is shown or not. When one ends or begins to wait for the user while the page is hidden,
 * `onUnread` is called, and after a long reply a notification is shown, if the user wants that.
 * @returns a function to call with each state of the conversation
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
    const news = findNews(state)
    if (news && tookMs >= longReplyMs) void notify(news, id, address).catch(() => undefined)
  }
}

/** Finds what to say of the last reply. @returns undefined for a reply that the user has stopped */
function findNews(state: ConversationState): ReplyNews | undefined {
  if (state.isReplying) return 'waiting'
  const last = state.messages.at(-1)
  if (last?.ended === 'stopped') return undefined
  return last?.role === 'assistant' && last.ended === undefined ? 'ready' : 'unfinished'
}

/** Loads the code of notifications, which few replies need, and shows one. */
async function notify(news: ReplyNews, id: string, address: string) {
  const [{ showReplyNotification }, { brandName }] = await Promise.all([
    import('../../../lib/reply-notifications.ts'),
    loadConfig(),
  ])
  return showReplyNotification(brandName, news, id, address)
}
