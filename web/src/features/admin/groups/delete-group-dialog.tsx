import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { Group } from '#shared/contracts/admin.ts'
import { ActionDialog } from '../../../components/action-dialog.tsx'
import { ignoreNotFound } from '../../../lib/api/api-errors.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { adminKey } from '../admin-queries.ts'
import { LimitsChange } from '../limits-change.tsx'
import { formatMemberCount } from './format-member-count.ts'

const describeConsequences = (name: string, members: string) =>
  t`“${name}” (${members}) and its limits are removed. Its members stay users, with the limits of their other groups or of the installation.`

/** Deletes a group after a confirmation. @param findFocusTarget as in `ActionDialog` */
export function DeleteGroupDialog({
  group: { name, members, limits },
  open,
  onClose,
  findFocusTarget,
}: {
  group: Group
  open: boolean
  onClose: () => void
  findFocusTarget: () => HTMLElement | null
}) {
  const queryClient = useQueryClient()
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={t`Delete this group?`}
      confirmLabel={t`Delete`}
      isDestructive
      actionKey={`delete group ${name}`}
      findFocusTarget={findFocusTarget}
      onConfirm={async () => {
        await callApi('admin.deleteGroup', { params: { groupName: name } }).catch(ignoreNotFound)
        await queryClient.invalidateQueries({ queryKey: adminKey })
      }}
    >
      <p className="wrap-anywhere text-ink-muted">{describeConsequences(name, formatMemberCount(members))}</p>
      <LimitsChange before={limits} after={{}} whose={t`For members of no other group:`} />
    </ActionDialog>
  )
}
