import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminUserDetails } from '#shared/contracts/admin.ts'
import { CardSection, SettingRow, SettingsCard } from '../../../components/settings-card.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { getErrorMessage } from '../../../lib/api-errors.ts'
import { announce } from '../../../lib/announce.ts'
import { callApi } from '../../../lib/call-api.ts'
import { ActionDialog } from '../../../components/action-dialog.tsx'
import { useActionMutation } from '../../../components/use-action.ts'
import { adminKey } from '../admin-queries.ts'
import { DeleteUserDialog } from './delete-user-dialog.tsx'

type ConfirmedAction = 'disable' | 'signOut' | 'reset'

/** Disables or enables a user, signs them out, resets their second factor, deletes them. Administrators cannot do this to their own account. */
export function UserActions({ user, isOwn }: { user: AdminUserDetails; isOwn: boolean }) {
  const queryClient = useQueryClient()
  const [currentDialog, setCurrentDialog] = useState<ConfirmedAction | 'delete'>()
  const close = () => setCurrentDialog(undefined)
  const refresh = () => queryClient.invalidateQueries({ queryKey: adminKey })
  const params = { userId: user.id }
  const enable = useActionMutation(`enable ${user.id}`, {
    failureTitle: t`The account was not enabled`,
    run: () => callApi('admin.enableUser', { params }),
    onSuccess: async () => {
      await refresh()
      announce(t`Account enabled`)
    },
  })
  const confirmedActions = {
    disable: {
      title: t`Disable ${user.email}?`,
      consequence: t`The user is signed out on all devices at once and cannot sign in again until you enable the account. Conversations, files and connections stay.`,
      label: t`Disable`,
      run: () => callApi('admin.disableUser', { params }),
    },
    signOut: {
      title: t`Sign out ${user.email} everywhere?`,
      consequence: t`All devices have to sign in again. A reply that is being written ends as usual.`,
      label: t`Sign out`,
      run: () => callApi('admin.signOutUser', { params }),
      successMessage: t`Signed out on all devices`,
    },
    reset: {
      title: t`Reset two-factor of ${user.email}?`,
      consequence: t`The authenticator app and all backup codes stop working. Until the user sets up a new one, the password alone is enough. Make sure that the request really comes from this person.`,
      label: t`Reset`,
      run: () => callApi('admin.resetTwoFactor', { params }),
      successMessage: t`Two-factor is off`,
    },
  }
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
            <Callout variant="danger">{getErrorMessage(enable.error)}</Callout>
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
      {(['disable', 'signOut', 'reset'] as const).map((action) => {
        const { title, consequence, label, run, ...rest } = confirmedActions[action]
        return (
          <ActionDialog
            key={action}
            open={currentDialog === action}
            onClose={close}
            title={title}
            confirmLabel={label}
            isDestructive
            actionKey={`${action} ${user.id}`}
            onConfirm={async () => {
              await run()
              await refresh()
            }}
            onDone={() => {
              close()
              if ('successMessage' in rest) showToast('success', rest.successMessage)
            }}
          >
            <p className="text-ink-muted">{consequence}</p>
          </ActionDialog>
        )
      })}
      <DeleteUserDialog user={user} open={currentDialog === 'delete'} onClose={close} />
    </SettingsCard>
  )
}
