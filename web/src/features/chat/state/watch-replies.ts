import { longReplyMs } from '../../../lib/limits.ts'
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
    if (tookMs < longReplyMs) return
    void import('./notify-of-reply.ts')
      .then(({ notifyOfReply }) => notifyOfReply(id, state))
      .catch(() => undefined)
  }
}
