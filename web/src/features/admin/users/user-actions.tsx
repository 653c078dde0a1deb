import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminUserDetails } from '#shared/contracts/admin.ts'
import { CardSection, SettingRow, SettingsCard } from '../../../components/settings-card.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { getActionErrorMessage } from '../../../lib/api/action-error.ts'
import { announce } from '../../../lib/browser/announce.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { useActionMutation } from '../../../components/use-action.ts'
import { adminKey } from '../admin-queries.ts'
import { ActionDialog } from '../../../components/action-dialog.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { DeleteUserDialog } from './delete-user-dialog.tsx'

/** Disables or enables a user, signs them out, resets their second factor, deletes them. Administrators cannot do this to their own account. */
export function UserActions({ user, isOwn }: { user: AdminUserDetails; isOwn: boolean }) {
  const queryClient = useQueryClient()
  const [currentDialog, setCurrentDialog] = useState<UserDialog>()
  const enable = useActionMutation(`enable ${user.id}`, {
    failureTitle: t`The account was not enabled`,
    run: () => callApi('admin.enableUser', { params: { userId: user.id } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: adminKey })
      announce(t`Account enabled`)
    },
  })
  const getHint = (hint: string) => (isOwn ? t`For your own account, use Settings.` : hint)

  return (
    <SettingsCard title={t`Access`}>
      <CardSection>
        {user.status === 'disabled' ? (
          <SettingRow
            title={t`Enable account`}
            description={t`The user can sign in again, with everything as it was.`}
          >
            <Button busy={enable.isBusy} onClick={() => enable.start()}>
              {t`Enable`}
            </Button>
          </SettingRow>
        ) : (
          <SettingRow
            title={t`Disable account`}
            description={
              isOwn
                ? t`You cannot disable your own account.`
                : t`Signs the user out and refuses sign-in. Everything that is stored stays.`
            }
          >
            <Button variant="danger" disabled={isOwn} onClick={() => setCurrentDialog('disable')}>
              {t`Disable`}
            </Button>
          </SettingRow>
        )}
        {enable.error && (
          <div className="mt-3">
            <Callout variant="danger" error={enable.error}>
              {getActionErrorMessage(enable.error)}
            </Callout>
          </div>
        )}
      </CardSection>
      <CardSection>
        <SettingRow
          title={t`Sign out everywhere`}
          description={getHint(t`Ends the sign-in in every browser and on every device.`)}
        >
          <Button disabled={isOwn} onClick={() => setCurrentDialog('signOut')}>
            {t`Sign out`}
          </Button>
        </SettingRow>
      </CardSection>
      <CardSection>
        <SettingRow
          title={t`Reset two-factor`}
          description={
            user.two_factor
              ? getHint(t`For somebody who has lost the authenticator app and the backup codes.`)
              : t`This account has no second factor.`
          }
        >
          <Button
            variant="danger"
            disabled={isOwn || !user.two_factor}
            onClick={() => setCurrentDialog('reset')}
          >
            {t`Reset`}
          </Button>
        </SettingRow>
      </CardSection>
      <CardSection>
        <SettingRow
          title={t`Delete account`}
          description={getHint(t`Deletes the account and everything stored with it.`)}
        >
          <Button variant="danger" disabled={isOwn} onClick={() => setCurrentDialog('delete')}>
            {t`Delete`}
          </Button>
        </SettingRow>
      </CardSection>
      <UserActionDialogs user={user} current={currentDialog} onClose={() => setCurrentDialog(undefined)} />
    </SettingsCard>
  )
}

type ConfirmedAction = 'disable' | 'signOut' | 'reset'

type UserDialog = ConfirmedAction | 'delete'

/** The confirmations of what is done with an account. @param current the one that is open */
function UserActionDialogs({
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
