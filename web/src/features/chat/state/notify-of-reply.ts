import { loadConfig } from '../../../lib/config.ts'
import { showReplyNotification, type ReplyNews } from '../../../lib/reply-notifications.ts'
import type { ConversationState } from './conversation-state.ts'

/** Shows a notification of what became of the last reply of a conversation, unless the user has stopped it. Few replies need it. */
export async function notifyOfReply(id: string, state: ConversationState): Promise<void> {
  const news = findNews(state)
  const address = new URL(state.isTemporary ? '/' : `/?c=${id}`, location.origin).href
  if (news) await showReplyNotification((await loadConfig()).brandName, news, id, address)
}

/** Finds what to say of the last reply. @returns undefined for a reply that the user has stopped */
function findNews({ isReplying, messages }: ConversationState): ReplyNews | undefined {
  if (isReplying) return 'waiting'
  const last = messages.at(-1)
  if (last?.ended === 'stopped') return undefined
  return last?.role === 'assistant' && last.ended === undefined ? 'ready' : 'unfinished'
}
