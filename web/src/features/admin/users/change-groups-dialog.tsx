import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminUserDetails } from '#shared/contracts/admin.ts'
import { adminGroup } from '#shared/user-pool.ts'
import { callApi } from '../../../lib/call-api.ts'
import { ActionDialog } from '../action-dialog.tsx'
import { adminKey, userQuery } from '../admin-queries.ts'
import { GroupChoice } from '../group-choice.tsx'
import * as texts from './texts.ts'

/** Changes the groups of a user. */
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
  const [chosen, setChosen] = useState<string[]>(user.groups)
  const [wasOpen, setWasOpen] = useState(open)
  if (open !== wasOpen) {
    setWasOpen(open)
    if (open) setChosen(user.groups)
  }
  const isChanged = chosen.toSorted().join() !== user.groups.toSorted().join()
  const giveUpOwnRole = isOwn && user.groups.includes(adminGroup) && !chosen.includes(adminGroup)
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={texts.changeGroups}
      description={<span className="wrap-anywhere">{user.email}</span>}
      confirmLabel={texts.save}
      disabled={!isChanged || giveUpOwnRole}
      onConfirm={async () => {
        const { user: changed } = await callApi('admin.setGroups', {
          params: { userId: user.id },
          body: { groups: chosen },
        })
        queryClient.setQueryData(userQuery(user.id).queryKey, changed)
        void queryClient.invalidateQueries({ queryKey: adminKey })
      }}
    >
      <p className="text-ink-muted">{giveUpOwnRole ? texts.ownGroups : texts.changeGroupsHint}</p>
      <GroupChoice chosen={chosen} onChange={setChosen} />
    </ActionDialog>
  )
}
