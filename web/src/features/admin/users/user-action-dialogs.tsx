import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { AdminUserDetails } from '#shared/contracts/admin.ts'
import { ActionDialog } from '../../../components/action-dialog.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { adminKey } from '../admin-queries.ts'
import { DeleteUserDialog } from './delete-user-dialog.tsx'

type ConfirmedAction = 'disable' | 'signOut' | 'reset'

/** What an administrator is asked before it is done with an account. */
export type UserDialog = ConfirmedAction | 'delete'

/** The confirmations of what is done with an account. @param current the one that is open */
export function UserActionDialogs({
  user,
  current,
  onClose,
}: {
  user: AdminUserDetails
  current: UserDialog | undefined
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  const confirmations = describeConfirmations(user)
  return (
    <>
      {(['disable', 'signOut', 'reset'] as const).map((action) => {
        const { title, consequence, label, run, successMessage } = confirmations[action]
        return (
          <ActionDialog
            key={action}
            open={current === action}
            onClose={onClose}
            title={title}
            confirmLabel={label}
            isDestructive
            actionKey={`${action} ${user.id}`}
            onConfirm={async () => {
              await run()
              await queryClient.invalidateQueries({ queryKey: adminKey })
            }}
            onDone={() => {
              onClose()
              if (successMessage !== undefined) showToast('success', successMessage)
            }}
          >
            <p className="text-ink-muted">{consequence}</p>
          </ActionDialog>
        )
      })}
      <DeleteUserDialog user={user} open={current === 'delete'} onClose={onClose} />
    </>
  )
}

interface Confirmation {
  title: string
  consequence: string
  label: string
  run: () => Promise<unknown>
  /** absent if the page itself shows the result */
  successMessage?: string
}

function describeConfirmations({ id, email }: AdminUserDetails): Record<ConfirmedAction, Confirmation> {
  const params = { userId: id }
  return {
    disable: {
      title: t`Disable ${email}?`,
      consequence: t`The user is signed out on all devices at once and cannot sign in again until you enable the account. Conversations, files and connections stay.`,
      label: t`Disable`,
      run: () => callApi('admin.disableUser', { params }),
    },
    signOut: {
      title: t`Sign out ${email} everywhere?`,
      consequence: t`All devices have to sign in again. A reply that is being written ends as usual.`,
      label: t`Sign out`,
      run: () => callApi('admin.signOutUser', { params }),
      successMessage: t`Signed out on all devices`,
    },
    reset: {
      title: t`Reset two-factor of ${email}?`,
      consequence: t`The authenticator app and all backup codes stop working. Until the user sets up a new one, the password alone is enough. Make sure that the request really comes from this person.`,
      label: t`Reset`,
      run: () => callApi('admin.resetTwoFactor', { params }),
      successMessage: t`Two-factor is off`,
    },
  }
}
