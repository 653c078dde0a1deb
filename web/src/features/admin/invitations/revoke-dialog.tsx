import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { AdminInvitation } from '#shared/contracts/admin.ts'
import { ActionDialog } from '../../../components/action-dialog.tsx'
import { ignoreNotFound } from '../../../lib/api/api-errors.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { invitationsQuery } from '../admin-queries.ts'

/** Revokes an invitation after a confirmation. @param findFocusTarget as in `ActionDialog` */
export function RevokeDialog({
  invitation: { id, email },
  open,
  onClose,
  findFocusTarget,
}: {
  invitation: AdminInvitation
  open: boolean
  onClose: () => void
  findFocusTarget: () => HTMLElement | null
}) {
  const queryClient = useQueryClient()
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={t`Revoke this invitation?`}
      confirmLabel={t`Revoke`}
      isDestructive
      actionKey={`revoke ${id}`}
      findFocusTarget={findFocusTarget}
      onConfirm={async () => {
        await callApi('admin.revokeInvitation', { params: { invitationId: id } }).catch(ignoreNotFound)
        await queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey })
      }}
    >
      <p className="wrap-anywhere text-ink-muted">{t`The link that ${{ email }} has will no longer work. You can invite this address again.`}</p>
    </ActionDialog>
  )
}
