import { plural, t } from '@lingui/core/macro'
import { formatCount } from '../../lib/text/locale.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showToast } from '../../components/ui/toast.ts'
import { useActions } from '../../lib/actions/actions.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { removeConversationDrafts } from '../../lib/conversations/conversation-drafts.ts'
import { createConversationCache } from '../../lib/conversations/conversation-cache.ts'
import { forgetLastChat } from '../../lib/navigation/last-chat.ts'
import { erasureTimeoutMs } from '../../lib/browser/limits.ts'
import { useRunningActions } from '../../lib/actions/running-actions.ts'
import { useLast } from '../../lib/browser/use-last.ts'
import { getErrorMessage } from '../../lib/api/api-errors.ts'
import { storedDataQuery } from './stored-data-query.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'

const actionKey = 'delete conversations'

/** Deletes all saved conversations, with progress. */
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
  const actions = useActions()
  // the number is 0 before the dialog has closed
  const shownCount = useLast(conversationCount || undefined) ?? 0
  const [remainingCount, setRemainingCount] = useState(conversationCount)
  const isDeleting = useRunningActions().has(actionKey)

  const deleteAll = async () => {
    try {
      // only the service knows whether there are none
      let remaining = conversationCount
      do {
        setRemainingCount(remaining)
        const response = await callApi('account.forgetConversations', {}, { timeoutMs: erasureTimeoutMs })
        // by now somebody else may be signed in, of whom nothing is deleted
        if (actions.isClosed()) return
        ;({ remaining } = response)
      } while (remaining > 0)
      removeConversationDrafts()
      showToast('success', t`Conversations deleted`)
    } finally {
      // a part may have been deleted
      if (!actions.isClosed()) {
        createConversationCache(queryClient).clear()
        forgetLastChat()
        await queryClient.invalidateQueries({ queryKey: storedDataQuery.queryKey })
      }
    }
  }

  return (
    <ActionDialog
      open={open}
      onClose={() => onOpenChange(false)}
      title={plural(
        { count: shownCount },
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
