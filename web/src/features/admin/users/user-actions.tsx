import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminUserDetails } from '#shared/contracts/admin.ts'
import { CardSection, SettingRow, SettingsCard } from '../../../components/settings-card.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { errorMessage } from '../../../lib/api-errors.ts'
import { announce } from '../../../lib/announce.ts'
import { callApi } from '../../../lib/call-api.ts'
import { ActionDialog } from '../../../components/action-dialog.tsx'
import { adminKey } from '../admin-queries.ts'
import { DeleteUserDialog } from './delete-user-dialog.tsx'
import * as texts from './texts.ts'

type ConfirmedAction = 'disable' | 'signOut' | 'reset'

/** Disables or enables a user, signs them out, resets their second factor, deletes them. Administrators cannot do this to their own account. */
export function UserActions({ user, isOwn }: { user: AdminUserDetails; isOwn: boolean }) {
  const queryClient = useQueryClient()
  const [currentDialog, setCurrentDialog] = useState<ConfirmedAction | 'delete'>()
  const close = () => setCurrentDialog(undefined)
  const refresh = () => queryClient.invalidateQueries({ queryKey: adminKey })
  const params = { userId: user.id }
  const enable = useMutation({
    mutationFn: () => callApi('admin.enableUser', { params }),
    onSuccess: async () => {
      await refresh()
      announce(texts.enabled)
    },
  })
  const confirmedActions = {
    disable: {
      title: texts.disableQuestion(user.email),
      consequence: texts.disableConsequence,
      label: texts.disable,
      run: () => callApi('admin.disableUser', { params }),
    },
    signOut: {
      title: texts.signOutQuestion(user.email),
      consequence: texts.signOutConsequence,
      label: texts.signOut,
      run: () => callApi('admin.signOutUser', { params }),
      successMessage: texts.signedOut,
    },
    reset: {
      title: texts.resetQuestion(user.email),
      consequence: texts.resetConsequence,
      label: texts.reset,
      run: () => callApi('admin.resetTwoFactor', { params }),
      successMessage: texts.resetDone,
    },
  }
  const getHint = (hint: string) => (isOwn ? texts.ownAccount : hint)

  return (
    <SettingsCard title={texts.actions}>
      <CardSection>
        {user.status === 'disabled' ? (
          <SettingRow title={texts.enableTitle} description={texts.enableHint}>
            <Button busy={enable.isPending} onClick={() => enable.mutate()}>
              {texts.enable}
            </Button>
          </SettingRow>
        ) : (
          <SettingRow title={texts.disableTitle} description={isOwn ? texts.ownDisable : texts.disableHint}>
            <Button variant="danger" disabled={isOwn} onClick={() => setCurrentDialog('disable')}>
              {texts.disable}
            </Button>
          </SettingRow>
        )}
        {enable.error && (
          <div className="mt-3">
            <Callout variant="danger">{errorMessage(enable.error)}</Callout>
          </div>
        )}
      </CardSection>
      <CardSection>
        <SettingRow title={texts.signOutTitle} description={getHint(texts.signOutHint)}>
          <Button disabled={isOwn} onClick={() => setCurrentDialog('signOut')}>
            {texts.signOut}
          </Button>
        </SettingRow>
      </CardSection>
      <CardSection>
        <SettingRow
          title={texts.resetTitle}
          description={user.two_factor ? getHint(texts.resetHint) : texts.resetOff}
        >
          <Button
            variant="danger"
            disabled={isOwn || !user.two_factor}
            onClick={() => setCurrentDialog('reset')}
          >
            {texts.reset}
          </Button>
        </SettingRow>
      </CardSection>
      <CardSection>
        <SettingRow title={texts.deleteTitle} description={getHint(texts.deleteHint)}>
          <Button variant="danger" disabled={isOwn} onClick={() => setCurrentDialog('delete')}>
            {texts.deleteUser}
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
