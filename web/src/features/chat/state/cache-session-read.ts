import type { QueryClient } from '@tanstack/react-query'
import type { SessionRead } from '#shared/contracts/sessions.ts'
import { createConversationCache } from '../../../lib/conversation-cache.ts'
import { conversationKey } from '../../../lib/conversation-key.ts'
import type { ChatMessage } from './chat-message.ts'
import { mergeNewest, type StoredConversation } from './stored-conversation.ts'

/**
 * Puts the answer of a route that has changed a conversation into the query cache, and into the cached list of conversations.
 * @param changeMessages applies the same change to the messages that were loaded before, of which the answer has only the newest
 */
export async function cacheSessionRead(
  queryClient: QueryClient,
  response: SessionRead,
  changeMessages = (messages: readonly ChatMessage[]) => messages,
): Promise<void> {
  const queryKey = conversationKey(response.session.id)
  // a request in flight may return the state before the change
  await queryClient.cancelQueries({ queryKey }, { silent: true })
  queryClient.setQueryData<StoredConversation>(queryKey, (stored) =>
    mergeNewest(stored && { ...stored, messages: changeMessages(stored.messages) }, response),
  )
  createConversationCache(queryClient).upsert(response.session)
}
