import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Session } from '#shared/contracts/messages.ts'
import { useUserToast } from '../../components/use-user-toast.ts'
import { broadcastListChange } from '../../lib/conversations/conversation-broadcast.ts'
import { createConversationCache } from '../../lib/conversations/conversation-cache.ts'
import { formatConversationTitle } from '../../lib/conversations/conversation-title.ts'
import { useSendUpdate } from '../../lib/actions/use-send-update.ts'
import type { LeaveConversation } from './conversation-actions.ts'

/** Whether a conversation is pinned or archived. */
export type ConversationFlags = Partial<Pick<Session, 'pinned' | 'archived'>>

/** @returns pins, archives or restores a conversation: optimistic, and rolled back on failure. One that is archived is left if it is open */
export function useFlagConversation(leave: LeaveConversation) {
  const saveFlags = useSaveFlags()
  const showToast = useUserToast()
  return useCallback(
    (conversation: Session, flags: ConversationFlags) => {
      const saving = saveFlags(conversation, flags)
      const title = formatConversationTitle(conversation.title)
      if (flags.archived === false)
        showToast('info', t`Chat restored`, { description: t`“${title}” is in the list again.` })
      if (flags.archived !== true) return
      const reopen = leave(conversation.id)
      const restore = () => {
        reopen?.()
        // in order: the last one wins
        void saving.then(() => saveFlags({ ...conversation, archived: true }, { archived: false }))
      }
      showToast('info', t`Chat archived`, {
        description: t`“${title}” is in the archive.`,
        action: { label: t`Undo`, onClick: restore },
      })
    },
    [leave, saveFlags, showToast],
  )
}

/** @returns saves flags: the lists show them at once, and the old ones again after a failure, which a toast reports */
function useSaveFlags() {
  const queryClient = useQueryClient()
  const showToast = useUserToast()
  const sendUpdate = useSendUpdate()
  return useCallback(
    async (conversation: Session, flags: ConversationFlags) => {
      const cache = createConversationCache(queryClient)
      // a request in flight has the old state
      await cache.cancelFetches()
      cache.upsert({ ...conversation, ...flags })
      try {
        const { session: updated } = await sendUpdate(conversation.id, flags)
        cache.upsert(updated)
        broadcastListChange(updated.id)
      } catch (error) {
        cache.upsert(conversation)
        showToast('error', t`The conversation could not be changed`, {
          error,
        })
      }
      await cache.refetch()
    },
    [queryClient, sendUpdate, showToast],
  )
}

/** @returns renames a conversation: optimistic, and rolled back on failure unless it was renamed again meanwhile. */
export function useRenameConversation() {
  const queryClient = useQueryClient()
  const showToast = useUserToast()
  const sendUpdate = useSendUpdate()
  return useCallback(
    (conversation: Session, title: string) => {
      const cache = createConversationCache(queryClient)
      cache.retitle(conversation.id, title)
      sendUpdate(conversation.id, { title }).then(
        ({ session: updated }) => {
          cache.retitle(updated.id, updated.title, title)
          broadcastListChange(updated.id)
        },
        (error: unknown) => {
          cache.retitle(conversation.id, conversation.title, title)
          showToast('error', t`The title could not be changed`, {
            error,
          })
          void cache.refetch()
        },
      )
    },
    [queryClient, sendUpdate, showToast],
  )
}
