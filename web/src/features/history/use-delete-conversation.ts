import { t } from '@lingui/core/macro'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import type { Session } from '#shared/contracts/messages.ts'
import type { RunView } from '#shared/contracts/runs.ts'
import { dismissToast, showToast } from '../../components/ui/toast.ts'
import { ignoreNotFound } from '../../lib/api/api-errors.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { undoMs } from '../../lib/browser/limits.ts'
import { prepareRequest } from '../../lib/api/prepare-request.ts'
import {
  clearConversationDrafts,
  moveConversationDrafts,
} from '../../lib/conversations/conversation-drafts.ts'
import { broadcastListChange } from '../../lib/conversations/conversation-broadcast.ts'
import { conversationKey } from '../../lib/conversations/conversation-key.ts'
import { createConversationCache } from '../../lib/conversations/conversation-cache.ts'
import { useActions } from '../../lib/actions/actions.ts'
import { deletionKey } from '../../lib/actions/running-actions.ts'
import { formatConversationTitle } from '../../lib/conversations/conversation-title.ts'
import type { LeaveConversation } from './conversation-actions.ts'
import {
  addRequestedDeletion,
  listRequestedDeletions,
  removeRequestedDeletion,
} from './requested-deletions.ts'

interface DeletionCallbacks {
  /** the conversation is gone, by this request or an earlier one */
  onDeleted?: () => void
  onFailed?: () => void
}

/**
 * @returns deletes a conversation. It disappears at once, and is left if it is open; the request is sent when the toast with Undo closes or the
 * page is hidden. It is restored on Undo or failure
 */
export function useDeleteConversation(leave: LeaveConversation): (conversation: Session) => void {
  const queryClient = useQueryClient()
  const actions = useActions()
  useRepeatedDeletions()

  return useCallback(
    ({ id, title: storedTitle, user_id: userId }: Session) => {
      const title = formatConversationTitle(storedTitle)
      // unique: the toast of a deletion that was just undone may still be visible
      const toastId = crypto.randomUUID()
      const sendDeletion = prepareDeletion(queryClient, id)
      // in memory the draft can be restored, and is not written to storage again
      moveConversationDrafts(userId, id, 'memory')
      const storeDrafts = () => moveConversationDrafts(userId, id, 'storage')
      const reopen = leave(id)
      const decision = actions.postpone(deletionKey(id), {
        run(options) {
          dismissToast(toastId)
          return requestDeletion(queryClient, id, () => sendDeletion(options), {
            onDeleted() {
              clearConversationDrafts(userId, id)
              // without the title: the user may have signed out meanwhile
              showToast('success', t`Chat deleted!`)
            },
            onFailed: storeDrafts,
          })
        },
        undo() {
          dismissToast(toastId)
          storeDrafts()
          reopen?.()
        },
      })
      showToast('info', t`Chat removed`, {
        id: toastId,
        description: t`“${title}” will be deleted when this message closes.`,
        durationMs: undoMs,
        action: { label: t`Undo`, onClick: decision.undo },
        onClose: decision.commit,
      })
    },
    [queryClient, actions, leave],
  )
}

/** Requests again the deletions that the page before has requested without a response. */
function useRepeatedDeletions(): void {
  const queryClient = useQueryClient()
  const actions = useActions()
  useEffect(() => {
    for (const id of listRequestedDeletions()) {
      const request = () => callApi('sessions.delete', { params: { sessionId: id } }, { keepalive: true })
      void actions.start(deletionKey(id), () => requestDeletion(queryClient, id, request))
    }
  }, [queryClient, actions])
}

/** Requests a deletion and notes it until there is a response, see `requested-deletions.ts`. A toast reports a failure. */
async function requestDeletion(
  queryClient: QueryClient,
  id: string,
  request: () => Promise<unknown>,
  { onDeleted, onFailed }: DeletionCallbacks = {},
): Promise<void> {
  const cache = createConversationCache(queryClient)
  addRequestedDeletion(id)
  try {
    await request().catch(ignoreNotFound)
    cache.remove(id)
    onDeleted?.()
    broadcastListChange(id)
  } catch (cause) {
    // the next page requests it again
    if (isPageLeft) return
    onFailed?.()
    showToast('error', t`Hmm, couldn't delete that`, {
      description: t`Please try again.`,
      cause,
    })
  }
  removeRequestedDeletion(id)
  void cache.refetch()
}

/**
 * Prepares the request that deletes a conversation, so that it can be sent at once when the page is left.
 * @returns sends it. A reply that waits for servers' tasks is stopped before: the deletion itself would not tell the servers to end them
 */
function prepareDeletion(
  queryClient: QueryClient,
  id: string,
): (options: { isLeaving: boolean }) => Promise<void> {
  const input = { params: { sessionId: id } }
  let sendPrepared: (() => Promise<Response>) | undefined
  prepareRequest('sessions.delete', input).then(
    (prepared) => {
      sendPrepared = prepared
    },
    // fall back to an ordinary call
    () => undefined,
  )
  const stopTasks = (): Promise<unknown> | undefined => {
    const { run } = queryClient.getQueryData<{ run: RunView | null }>(conversationKey(id)) ?? {}
    if (!run?.questions?.some(({ kind }) => kind === 'task')) return undefined
    return callApi('runs.stop', { ...input, body: {} }, { keepalive: true }).catch(() => undefined)
  }
  return async ({ isLeaving }) => {
    const stopPromise = stopTasks()
    // the page may be closing: send without waiting
    if (stopPromise && !isLeaving) await stopPromise
    const response = await sendPrepared?.()
    if (!response?.ok) await callApi('sessions.delete', input, { keepalive: true })
  }
}

/** Whether the page is in the browser's back/forward cache, or on its way there. */
let isPageLeft = false
for (const type of ['pagehide', 'pageshow']) addEventListener(type, () => (isPageLeft = type === 'pagehide'))
