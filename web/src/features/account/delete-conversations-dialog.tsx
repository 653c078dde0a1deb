import { plural, t } from '@lingui/core/macro'
import { formatCount } from '../../lib/locale.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useUserToast } from '../../components/use-user-toast.ts'
import { callApi } from '../../lib/call-api.ts'
import { removeConversationDrafts } from '../../lib/conversation-drafts.ts'
import { createConversationCache } from '../../lib/conversation-cache.ts'
import { forgetLastChat } from '../../lib/last-chat.ts'
import { erasureTimeoutMs } from '../../lib/limits.ts'
import { useRunningActions } from '../../lib/running-actions.ts'
import { getErrorMessage } from '../../lib/api-errors.ts'
import { storedDataQuery } from './stored-data-query.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'

const actionKey = 'delete conversations'

/** Deletes the conversations that were saved before saving was turned off, with progress. */
export function DeleteConversationsDialog({
  open,
  onOpenChange,
  conversationCount,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  conversationCount: number
}) {
  const queryClient = useQueryClient()
  const showToast = useUserToast()
  const [remainingCount, setRemainingCount] = useState(conversationCount)
  const isDeleting = useRunningActions().has(actionKey)

  const deleteAll = async () => {
    try {
      // only the service knows whether there are none
      let remaining = conversationCount
      do {
        setRemainingCount(remaining)
        const response = await callApi('account.forgetConversations', {}, { timeoutMs: erasureTimeoutMs })
        ;({ remaining } = response)
      } while (remaining > 0)
      removeConversationDrafts()
      showToast('success', t`Conversations deleted`)
    } finally {
      createConversationCache(queryClient).clear()
      forgetLastChat()
      await queryClient.invalidateQueries({ queryKey: storedDataQuery.queryKey })
    }
  }

  return (
    <ActionDialog
      open={open}
      onClose={() => onOpenChange(false)}
      title={plural(
        { count: conversationCount },
        { one: 'Delete # saved conversation?', other: `Delete # saved conversations?` },
      )}
      confirmLabel={t`Delete`}
      isDestructive
      actionKey={actionKey}
      onConfirm={deleteAll}
      describeError={(error) => `${t`Not everything was deleted`}: ${getErrorMessage(error)}`}
    >
      <p className="text-ink-muted" aria-live="polite">
        {isDeleting
          ? t`Deleting: ${{ count: formatCount(remainingCount) }} left.`
          : t`This deletes all of them, with their messages and files. This cannot be undone.`}
      </p>
    </ActionDialog>
  )
}
