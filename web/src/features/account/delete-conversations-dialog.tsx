import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { callApi } from '../../lib/call-api.ts'
import { removeConversationDrafts } from '../../lib/drafts.ts'
import { clearConversationCache } from '../../lib/conversation-list.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { storedDataQuery } from './stored-data-query.ts'
import * as texts from './texts.ts'
import * as commonTexts from '../../components/texts.ts'

/** The server may use its full time, and several calls may be needed. */
const callTimeoutMs = 60_000

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
  const [remainingCount, setRemainingCount] = useState<number>()

  const deleteAll = async () => {
    setRemainingCount(conversationCount)
    try {
      for (;;) {
        const { remaining } = await callApi('account.forgetConversations', {}, { timeoutMs: callTimeoutMs })
        setRemainingCount(remaining)
        if (remaining === 0) break
      }
      removeConversationDrafts()
      onOpenChange(false)
      showToast('success', texts.conversationsDeleted)
    } catch (error) {
      showToast('error', texts.notAllDeleted, { description: errorMessage(error) })
    } finally {
      setRemainingCount(undefined)
      clearConversationCache(queryClient)
      await queryClient.invalidateQueries({ queryKey: storedDataQuery.queryKey })
    }
  }

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => remainingCount === undefined && onOpenChange(next)}
      title={texts.deleteConversationsTitle(conversationCount)}
      footer={
        <>
          <Button variant="ghost" disabled={remainingCount !== undefined} onClick={() => onOpenChange(false)}>
            {commonTexts.cancel}
          </Button>
          <Button variant="danger-solid" busy={remainingCount !== undefined} onClick={() => void deleteAll()}>
            {texts.confirmDelete}
          </Button>
        </>
      }
    >
      <p className="text-ink-muted" aria-live="polite">
        {remainingCount === undefined ? texts.deleteConversationsHint : texts.deletingLeft(remainingCount)}
      </p>
    </Dialog>
  )
}
