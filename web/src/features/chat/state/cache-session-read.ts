import type { QueryClient } from '@tanstack/react-query'
import type { SessionRead } from '#shared/contracts/sessions.ts'
import { conversationCache } from '../../../lib/conversation-cache.ts'
import { conversationKey } from '../../../lib/conversation-key.ts'
import type { ChatMessage } from './chat-message.ts'
import { mergeNewest, type StoredConversation } from './stored-conversation.ts'

/**
 * Caches a conversation as a change has left it.
 * @param changeMessages what has become of the messages that were loaded before
 */
export async function cacheSessionRead(
  queryClient: QueryClient,
  response: SessionRead,
  changeMessages = (messages: readonly ChatMessage[]) => messages,
): Promise<void> {
  const queryKey = conversationKey(response.session.id)
  // a request in flight may return the state before
  await queryClient.cancelQueries({ queryKey }, { silent: true })
  queryClient.setQueryData<StoredConversation>(queryKey, (stored) =>
    mergeNewest(stored && { ...stored, messages: changeMessages(stored.messages) }, response),
  )
  conversationCache(queryClient).upsert(response.session)
}
