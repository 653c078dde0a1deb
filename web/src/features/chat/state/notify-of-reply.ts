import { loadConfig } from '../../../lib/config.ts'
import { conversationPath, newChatPath } from '../../../lib/new-chat.ts'
import { showReplyNotification, type ReplyNews } from '../../../lib/reply-notifications.ts'
import type { ConversationState } from './conversation-state.ts'

/** Shows a notification of what became of the last reply of a conversation, unless the user has stopped it. */
export async function notifyOfReply(id: string, state: ConversationState): Promise<void> {
  const news = findNews(state)
  if (!news) return
  const path = state.isTemporary ? newChatPath() : conversationPath(id)
  const { brandName } = await loadConfig()
  await showReplyNotification(brandName, news, id, new URL(path, location.origin).href)
}

/** Finds what to say of the last reply. @returns undefined for a reply that the user has stopped */
function findNews({ isReplying, messages }: ConversationState): ReplyNews | undefined {
  // a reply that is still written is not notified of
  if (isReplying) return 'waiting'
  const last = messages.at(-1)
  if (last?.ended === 'stopped') return undefined
  return last?.role === 'assistant' && last.ended === undefined ? 'ready' : 'unfinished'
}
