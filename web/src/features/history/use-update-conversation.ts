import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Session } from '#shared/contracts/sessions.ts'
import { showToast } from '../../components/ui/toast.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { rememberSession, sessionListsKey, retitleSession } from '../../lib/conversation-list.ts'

/** What a conversation is marked with. */
export type SessionFlags = Partial<Pick<Session, 'pinned' | 'archived'>>

/**
 * Pins or archives a conversation, or takes that back: at once on the page, and as it was when it could not be stored.
 * @param onArchived called with its id when it goes into the archive
 * @param onRestored called when the toast's Undo takes that back
 */
export function useFlagSession(onArchived: (id: string) => void, onRestored: (id: string) => void) {
  const queryClient = useQueryClient()
  return useCallback(
    (session: Session, flags: SessionFlags) => {
      const { id, title } = session
      const save = async (before: Session, changes: SessionFlags) => {
        // a reading that is on its way knows nothing of this
        await queryClient.cancelQueries({ queryKey: sessionListsKey })
        rememberSession(queryClient, { ...before, ...changes })
        try {
          const { session: stored } = await callApi('sessions.update', {
            params: { sessionId: id },
            body: changes,
          })
          rememberSession(queryClient, stored)
        } catch (error) {
          rememberSession(queryClient, before)
          showToast('error', 'The conversation could not be changed', { description: errorMessage(error) })
        }
        await queryClient.invalidateQueries({ queryKey: sessionListsKey })
      }
      const saved = save(session, flags)
      if (flags.archived === false)
        showToast('info', 'Chat restored', { description: `“${title}” is in the list again.` })
      if (flags.archived !== true) return
      onArchived(id)
      showToast('info', 'Chat archived', {
        description: `“${title}” is in the archive.`,
        action: {
          label: 'Undo',
          onClick: () => {
            onRestored(id)
            // one after the other: the last one counts
            void saved.then(() => save({ ...session, archived: true }, { archived: false }))
          },
        },
      })
    },
    [queryClient, onArchived, onRestored],
  )
}

/** Renames a conversation (DEC-114): at once on the page, and back when it could not be kept. */
export function useRenameSession() {
  const queryClient = useQueryClient()
  return useCallback(
    (session: Session, title: string) => {
      retitleSession(queryClient, session.id, title)
      callApi('sessions.update', { params: { sessionId: session.id }, body: { title } }).then(
        ({ session: kept }) => retitleSession(queryClient, kept.id, kept.title),
        (error: unknown) => {
          retitleSession(queryClient, session.id, session.title)
          showToast('error', 'The title could not be changed', {
            description: errorMessage(error),
          })
          void queryClient.invalidateQueries({ queryKey: sessionListsKey })
        },
      )
    },
    [queryClient],
  )
}
