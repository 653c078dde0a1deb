import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { callApi } from '../../lib/call-api.ts'
import { forgetConversationDrafts } from '../../lib/drafts.ts'
import { forgetConversations } from '../../lib/conversation-list.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { heldQuery } from './stored-data-query.ts'

/** A call may take its whole time, and there may be more to do then. */
const callTimeoutMs = 60_000

/** Offers to delete what was saved before the switch went off (DEC-033), and shows how far it is. */
export function ForgetDialog({
  open,
  onOpenChange,
  conversations,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  conversations: number
}) {
  const queryClient = useQueryClient()
  const [left, setLeft] = useState<number>()
  const count = (left ?? conversations).toLocaleString('en')

  const forget = async () => {
    setLeft(conversations)
    try {
      for (;;) {
        const { remaining } = await callApi('account.forgetConversations', {}, { timeoutMs: callTimeoutMs })
        setLeft(remaining)
        if (remaining === 0) break
      }
      forgetConversationDrafts()
      onOpenChange(false)
      showToast('success', 'Conversations deleted')
    } catch (error) {
      showToast('error', 'Not everything was deleted', { description: errorMessage(error) })
    } finally {
      setLeft(undefined)
      forgetConversations(queryClient)
      await queryClient.invalidateQueries({ queryKey: heldQuery.queryKey })
    }
  }

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => left === undefined && onOpenChange(next)}
      title={
        conversations === 1 ? 'Delete 1 saved conversation?' : `Delete ${conversations} saved conversations?`
      }
      footer={
        <>
          <Button tone="ghost" disabled={left !== undefined} onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button tone="danger-solid" busy={left !== undefined} onClick={() => void forget()}>
            Delete
          </Button>
        </>
      }
    >
      <p className="text-ink-muted" aria-live="polite">
        {left === undefined
          ? 'All of them, with everything said in them and the files they hold. This cannot be undone.'
          : `Deleting: ${count} left.`}
      </p>
    </Dialog>
  )
}
