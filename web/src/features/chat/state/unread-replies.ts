import { createStore } from '../../../lib/create-store.ts'

/**
 * Creates the mark that a reply has ended, or waits for the user, since the page was hidden. It is removed when the page is shown.
 * @returns `hasUnread` is the mark; `close` ends the watching of the page
 */
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
