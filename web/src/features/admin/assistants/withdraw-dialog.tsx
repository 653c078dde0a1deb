import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { Assistant } from '#shared/contracts/assistants.ts'
import { ActionDialog } from '../../../components/action-dialog.tsx'
import { ignoreNotFound } from '../../../lib/api/api-errors.ts'
import { assistantsQuery } from '../../../lib/conversations/assistant-queries.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { publishTimeoutMs } from '../../../lib/browser/limits.ts'
import { adminAssistantsQuery } from '../admin-queries.ts'

/** Withdraws somebody's assistant after a confirmation. @param findFocusTarget as in `ActionDialog` */
export function WithdrawDialog({
  assistant: { id, name, publisher },
  open,
  onClose,
  findFocusTarget,
}: {
  assistant: Assistant
  open: boolean
  onClose: () => void
  findFocusTarget: () => HTMLElement | null
}) {
  const queryClient = useQueryClient()
  const withdraw = async () => {
    await callApi(
      'assistants.withdraw',
      { params: { assistantId: id } },
      { timeoutMs: publishTimeoutMs },
    ).catch(ignoreNotFound)
    await Promise.all(
      [adminAssistantsQuery, assistantsQuery].map(({ queryKey }) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    )
  }
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={t`Withdraw “${{ assistant: name }}”?`}
      confirmLabel={t`Withdraw`}
      isDestructive
      actionKey={`withdraw ${id}`}
      findFocusTarget={findFocusTarget}
      onConfirm={withdraw}
    >
      <p className="text-ink-muted">{t`It ends at once for everybody; their conversations go on without it. The project of ${{ publisher: publisher.name }} stays, and can be published again.`}</p>
    </ActionDialog>
  )
}
