import type { QueryClient } from '@tanstack/react-query'
import { callApi } from '../../../lib/call-api.ts'
import { conversationKey, rememberSession } from '../../../lib/conversation-list.ts'
import { withNewest, type StoredConversation } from './stored-conversation.ts'

/**
 * Shows another branch of a stored conversation, here and on the server: its messages take the place of those in the query cache.
 * @param wanted a message of any branch and which of its versions, from 1; without a version the message itself, wherever it is
 * @throws what `callApi` throws: 404 `message_not_found`, `version_not_found`; 409 `run_in_progress` while a reply is written
 */
export async function showVersion(
  queryClient: QueryClient,
  { sessionId, messageId, version }: { sessionId: string; messageId: string; version?: number },
): Promise<void> {
  const queryKey = conversationKey(sessionId)
  const read = await callApi('sessions.showVersion', {
    params: { sessionId },
    body: { message_id: messageId, version },
  })
  // what is on its way may be the branch that was shown before
  await queryClient.cancelQueries({ queryKey }, { silent: true })
  queryClient.setQueryData<StoredConversation>(queryKey, (known) => withNewest(known, read))
  rememberSession(queryClient, read.session)
}
