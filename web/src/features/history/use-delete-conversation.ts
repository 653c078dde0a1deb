import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import type { Session } from '#shared/contracts/sessions.ts'
import { dismissToast, showToast } from '../../components/ui/toast.ts'
import { callApi, readyCall } from '../../lib/call-api.ts'
import { useStore } from '../../lib/create-store.ts'
import { emptyDraft, setDraftTemporary } from '../../lib/drafts.ts'
import { tellOtherTabs } from '../../lib/conversation-broadcast.ts'
import { forgetSession, sessionListsKey } from '../../lib/conversation-list.ts'
import { useUserResource } from '../../lib/user-resources.ts'
import { createPendingDeletions, type PendingDeletions } from './pending-deletions.ts'

/** How long the toast offers to take a deletion back. */
const undoMs = 7_000

/** The deletions that can still be taken back, those of one signed-in user. */
const usePendingDeletions = (): PendingDeletions => useUserResource(createPendingDeletions)

/** What the list must not show: deleted here, perhaps not on the server yet. */
export function useDeletedIds(): ReadonlySet<string> {
  return useStore(usePendingDeletions().ids)
}

/**
 * Deletes a conversation (HIST-28, HIST-29): its row goes at once, the server hears of it when the toast with its Undo has
 * gone, or the page is hidden, and 'Chat deleted!' appears once the server has deleted it. The row comes back when the deletion is
 * taken back or fails.
 * @param onDeleted called with its id when the row goes
 * @param onRestored called when it is taken back
 */
export function useDeleteSession(onDeleted: (id: string) => void, onRestored: (id: string) => void) {
  const queryClient = useQueryClient()
  const pending = usePendingDeletions()

  useEffect(() => {
    const leave = () => {
      if (document.hidden) pending.commitAll()
    }
    document.addEventListener('visibilitychange', leave)
    addEventListener('pagehide', pending.commitAll)
    return () => {
      document.removeEventListener('visibilitychange', leave)
      removeEventListener('pagehide', pending.commitAll)
      pending.commitAll()
    }
  }, [pending])

  const remove = useCallback(
    ({ id, title, user_id: userId }: Session) => {
      // one of its own each time: the toast of a deletion that was just undone may still be on its way out
      const toastId = crypto.randomUUID()
      const input = { params: { sessionId: id } }
      let ready: (() => Promise<Response>) | undefined
      readyCall('sessions.delete', input).then(
        (made) => {
          ready = made
        },
        // then it is made the ordinary way, or fails there
        () => undefined,
      )
      const draftKey = `${userId}/${id}`
      // in the memory it can still be brought back, and nothing that goes on writes it to the storage again
      setDraftTemporary(draftKey, true)
      const commit = async () => {
        dismissToast(toastId)
        try {
          // the page may be on its way out: at once, or not at all
          const answer = await ready?.()
          if (!answer?.ok) await callApi('sessions.delete', input, { keepalive: true })
          forgetSession(queryClient, id)
          emptyDraft(draftKey)
          tellOtherTabs(id)
          // without the title: the user may have signed out meanwhile
          showToast('success', 'Chat deleted!')
        } catch {
          setDraftTemporary(draftKey, false)
          showToast('error', "Hmm, couldn't delete that", {
            description: 'It is still here. Please try again.',
          })
        }
        pending.settled(id)
        await queryClient.invalidateQueries({ queryKey: sessionListsKey })
      }
      pending.add(id, {
        commit: () => void commit(),
        undo: () => {
          dismissToast(toastId)
          setDraftTemporary(draftKey, false)
          onRestored(id)
        },
      })
      onDeleted(id)
      showToast('info', 'Chat removed', {
        id: toastId,
        description: `“${title}” will be deleted when this message closes.`,
        durationMs: undoMs,
        action: { label: 'Undo', onClick: () => pending.undo(id) },
        onClose: () => pending.commit(id),
      })
    },
    [queryClient, pending, onDeleted, onRestored],
  )
  return { remove, undoLast: pending.undoLast }
}
