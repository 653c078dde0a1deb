import type { QueryClient } from '@tanstack/react-query'
import type { SessionRead } from '#shared/contracts/sessions.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { createConversationCache } from '../../../lib/conversations/conversation-cache.ts'
import { conversationKey } from '../../../lib/conversations/conversation-key.ts'
import type { ChatMessage } from '../state/chat-message.ts'
import { mergeNewest, type StoredConversation } from '../state/stored-conversation.ts'

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

/**
 * Switches a stored conversation to another branch, on the server and in the query cache.
 * @param messageId a message of any branch
 * @param version the number of its version, from 1; by default the branch of the message is shown
 * @throws what `callApi` throws: 404 `message_not_found`, `version_not_found`; 409 `run_in_progress` while a reply is pending
 */
export async function showVersion(
  queryClient: QueryClient,
  { sessionId, messageId, version }: { sessionId: string; messageId: string; version?: number },
): Promise<void> {
  const response = await callApi('sessions.showVersion', {
    params: { sessionId },
    body: { message_id: messageId, version },
  })
  await cacheSessionRead(queryClient, response)
}
