import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { ChatUser } from '../features/chat/use-conversations.ts'
import { readConnections } from '../features/integrations/state/tools-query.ts'
import { accountQuery } from '../lib/account/account-queries.ts'

/** What the chats of the signed-in user need. */
export function useChatUser(userId: string): ChatUser {
  const queryClient = useQueryClient()
  const { data: account } = useQuery(accountQuery)
  return {
    userId,
    readConnections: useCallback(() => readConnections(queryClient, userId), [queryClient, userId]),
    savesConversations: account?.settings.keep_conversations ?? true,
    mayChooseTemporary: account?.limits?.temporary_chats !== false,
  }
}
