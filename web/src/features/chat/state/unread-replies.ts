import { createStore } from '../../../lib/create-store.ts'

/** Whether a reply has ended since the page was hidden. */
export function createUnreadReplies() {
  const hasUnread = createStore(false)
  const markRead = () => {
    if (!document.hidden) hasUnread.setState(false)
  }
  document.addEventListener('visibilitychange', markRead)
  return {
    hasUnread,
    markUnread: () => hasUnread.setState(true),
    close: () => document.removeEventListener('visibilitychange', markRead),
  }
}
