import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminUserDetails } from '#shared/contracts/admin.ts'
import { adminGroup } from '#shared/user-pool.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { ActionDialog } from '../../../components/action-dialog.tsx'
import { adminKey, userQuery } from '../admin-queries.ts'
import { GroupChoice } from '../group-choice.tsx'
import { LimitsChange, useGroupLimits } from '../limits-change.tsx'

/** Changes the groups of a user. @param isOwn whether it is the administrator's own account */
export function ChangeGroupsDialog({
  user,
  isOwn,
  open,
  onClose,
}: {
  user: AdminUserDetails
  isOwn: boolean
  open: boolean
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  const findLimits = useGroupLimits()
  const { provider_groups: providerGroups = [] } = user
  // the groups when the dialog opened: those that somebody else changes meanwhile are neither added nor removed
  const [initialGroups, setInitialGroups] = useState(user.groups)
  const [chosenGroups, setChosenGroups] = useState(user.groups)
  const [wasOpen, setWasOpen] = useState(open)
  if (open !== wasOpen) {
    setWasOpen(open)
    if (open) {
      setInitialGroups(user.groups)
      setChosenGroups(user.groups)
    }
  }
  const addedGroups = chosenGroups.filter((name) => !initialGroups.includes(name))
  const removedGroups = initialGroups.filter((name) => !chosenGroups.includes(name))
  const isChanged = addedGroups.length + removedGroups.length > 0
  const removesOwnRole = isOwn && removedGroups.includes(adminGroup)
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={t`Change groups`}
      description={<span className="wrap-anywhere">{user.email}</span>}
      confirmLabel={t`Save`}
      actionKey={`groups of ${user.id}`}
      isChanged={isChanged}
      disabled={!isChanged || removesOwnRole}
      onConfirm={async () => {
        const { user: changed } = await callApi('admin.setGroups', {
          params: { userId: user.id },
          body: { add: addedGroups, remove: removedGroups },
        })
        queryClient.setQueryData(userQuery(user.id).queryKey, changed)
        void queryClient.invalidateQueries({ queryKey: adminKey })
      }}
    >
      <p className="text-ink-muted">
        {removesOwnRole
          ? t`You cannot leave “admins” yourself. Another administrator can remove you from it.`
          : t`The change counts at once.`}
      </p>
      <GroupChoice chosenGroups={chosenGroups} onChange={setChosenGroups} />
      {findLimits && (
        <LimitsChange
          before={findLimits([...initialGroups, ...providerGroups])}
          after={findLimits([...chosenGroups, ...providerGroups])}
        />
      )}
    </ActionDialog>
  )
}
