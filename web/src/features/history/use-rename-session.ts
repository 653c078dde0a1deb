import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Session } from '#shared/contracts/sessions.ts'
import { showToast } from '../../components/ui/toast.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { updateConversationTitle, conversationListsKey } from '../../lib/conversation-list.ts'

/** Renames a conversation (DEC-114): at once on the page, and back when it could not be kept. */
export function useRenameSession() {
  const queryClient = useQueryClient()
  return useCallback(
    (session: Session, title: string) => {
      updateConversationTitle(queryClient, session.id, title)
      callApi('sessions.update', { params: { sessionId: session.id }, body: { title } }).then(
        ({ session: kept }) => updateConversationTitle(queryClient, kept.id, kept.title),
        (error: unknown) => {
          updateConversationTitle(queryClient, session.id, session.title)
          showToast('error', 'The title could not be changed', {
            description: errorMessage(error),
          })
          void queryClient.invalidateQueries({ queryKey: conversationListsKey })
        },
      )
    },
    [queryClient],
  )
}
