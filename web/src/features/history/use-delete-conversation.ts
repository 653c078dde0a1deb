import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import type { Session } from '#shared/contracts/messages.ts'
import type { RunView } from '#shared/contracts/runs.ts'
import { dismissToast, showToast } from '../../components/ui/toast.ts'
import { ignoreNotFound } from '../../lib/api-errors.ts'
import { callApi, prepareRequest } from '../../lib/call-api.ts'
import { useStore } from '../../lib/create-store.ts'
import { clearConversationDrafts, keepConversationDraftsInMemory } from '../../lib/conversation-drafts.ts'
import { broadcastConversationChange } from '../../lib/conversation-broadcast.ts'
import { conversationKey } from '../../lib/conversation-key.ts'
import { removeConversation, conversationListsKey } from '../../lib/conversation-list.ts'
import { useUserResource } from '../../lib/user-resources.ts'
import { createPendingDeletions, type PendingDeletions } from '../../lib/pending-deletions.ts'
import { readStoredJson, writeStored } from '../../lib/storage.ts'
import * as texts from './texts.ts'

/** How long the toast offers Undo. */
const undoMs = 7_000

/** The pending deletions of the signed-in user. */
const usePendingDeletions = (): PendingDeletions => useUserResource(createPendingDeletions)

/** The ids of the conversations that the list hides. */
export function useDeletedIds(): ReadonlySet<string> {
  return useStore(usePendingDeletions().ids)
}

/**
 * The ids whose deletion this tab has requested without a response: a page that is reloaded meanwhile requests them again, because the
 * request may have been lost, or be later than the new page's list.
 */
const requestedKey = 'requested-deletions'

function listRequested(): string[] {
  const ids = readStoredJson('session', requestedKey)
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
}

function noteRequested(id: string, isRequested: boolean): void {
  const others = listRequested().filter((each) => each !== id)
  writeStored('session', requestedKey, JSON.stringify(isRequested ? [...others, id] : others))
}

/**
 * Deletes a conversation: its row disappears at once; the request is sent when the toast with Undo closes or the page is hidden. The row
 * is restored on Undo or failure.
 * @param onDeleted called with its id when the row disappears
 * @param onRestored called on Undo
 */
export function useDeleteConversation(onDeleted: (id: string) => void, onRestored: (id: string) => void) {
  const queryClient = useQueryClient()
  const pending = usePendingDeletions()
  const isLeaving = useRef(false)
  const hasLeft = useRef(false)

  useEffect(() => {
    const commitBeforeLeaving = () => {
      isLeaving.current = true
      pending.commitAll()
      isLeaving.current = false
    }
    const onVisibilityChange = () => {
      if (document.hidden) commitBeforeLeaving()
    }
    const onPageChange = ({ type }: Event) => {
      hasLeft.current = type === 'pagehide'
      if (hasLeft.current) commitBeforeLeaving()
    }
    document.addEventListener('visibilitychange', onVisibilityChange)
    addEventListener('pagehide', onPageChange)
    addEventListener('pageshow', onPageChange)
    return () => {
      document.removeEventListener('visibilitychange', onVisibilityChange)
      removeEventListener('pagehide', onPageChange)
      removeEventListener('pageshow', onPageChange)
      pending.commitAll()
    }
  }, [pending])

  /** @param onDone after the response, which is true when the conversation is gone */
  const requestDeletion = useCallback(
    async (id: string, request: () => Promise<unknown>, onDone?: (isDeleted: boolean) => void) => {
      noteRequested(id, true)
      try {
        await request().catch(ignoreNotFound)
        removeConversation(queryClient, id)
        onDone?.(true)
        broadcastConversationChange(id)
      } catch {
        // the next page requests it again
        if (hasLeft.current) return
        onDone?.(false)
        showToast('error', texts.notDeleted, { description: texts.notDeletedHint })
      }
      noteRequested(id, false)
      pending.finish(id)
      await queryClient.invalidateQueries({ queryKey: conversationListsKey })
    },
    [queryClient, pending],
  )

  useEffect(() => {
    for (const id of listRequested())
      if (!pending.ids.getState().has(id)) {
        const request = () => callApi('sessions.delete', { params: { sessionId: id } }, { keepalive: true })
        pending.add(id, { commit: () => void requestDeletion(id, request), undo: () => undefined })
        pending.commit(id)
      }
  }, [pending, requestDeletion])

  const remove = useCallback(
    ({ id, title, user_id: userId }: Session) => {
      // unique: the toast of a deletion that was just undone may still be visible
      const toastId = crypto.randomUUID()
      const input = { params: { sessionId: id } }
      let sendPrepared: (() => Promise<Response>) | undefined
      prepareRequest('sessions.delete', input).then(
        (prepared) => {
          sendPrepared = prepared
        },
        // fall back to an ordinary call
        () => undefined,
      )
      /** Stops a reply that waits for servers' tasks: the deletion itself would not tell the servers to end them. */
      const stopTasks = (): Promise<unknown> | undefined => {
        const { run } = queryClient.getQueryData<{ run: RunView | null }>(conversationKey(id)) ?? {}
        if (!run?.questions?.some(({ kind }) => kind === 'task')) return undefined
        return callApi('runs.stop', { ...input, body: {} }, { keepalive: true }).catch(() => undefined)
      }
      // in memory the draft can be restored, and is not written to storage again
      keepConversationDraftsInMemory(userId, id, true)
      const request = async () => {
        const stopPromise = stopTasks()
        // the page may be closing: send without waiting
        if (stopPromise && !isLeaving.current) await stopPromise
        const response = await sendPrepared?.()
        if (!response?.ok) await callApi('sessions.delete', input, { keepalive: true })
      }
      pending.add(id, {
        commit: () => {
          dismissToast(toastId)
          void requestDeletion(id, request, (isDeleted) => {
            if (!isDeleted) return keepConversationDraftsInMemory(userId, id, false)
            clearConversationDrafts(userId, id)
            // without the title: the user may have signed out meanwhile
            showToast('success', texts.deleted)
          })
        },
        undo: () => {
          dismissToast(toastId)
          keepConversationDraftsInMemory(userId, id, false)
          onRestored(id)
        },
      })
      onDeleted(id)
      showToast('info', texts.removed, {
        id: toastId,
        description: texts.removedHint(title),
        durationMs: undoMs,
        action: { label: texts.undo, onClick: () => pending.undo(id) },
        onClose: () => pending.commit(id),
      })
    },
    [queryClient, pending, requestDeletion, onDeleted, onRestored],
  )
  return { remove, undoLast: pending.undoLast }
}
