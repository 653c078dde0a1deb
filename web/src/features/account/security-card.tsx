import { t } from '@lingui/core/macro'
import { Suspense, useState } from 'react'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { lazyComponent } from '../../components/lazy-component.tsx'
import { CardSection, SettingRow, SettingsCard } from '../../components/settings-card.tsx'
import { Button } from '../../components/ui/button.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { useActionMutation } from '../../components/use-action.ts'
import { ApiError, ConfigError, getErrorMessage, hasErrorName } from '../../lib/api/api-errors.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { getProviderLabel, useConfig } from '../../lib/api/config.ts'
import type { SignedInUser } from '../../lib/api/signed-in-user.ts'
import { loadAmplifyAuth, mailMetadata } from '../../lib/sign-in/load-amplify-auth.ts'
import { useAccountActions } from './account-actions.ts'
import { TwoFactorRow } from './two-factor/two-factor-row.tsx'

const AccessList = lazyComponent(() => import('./access-list.tsx'), 'AccessList')

/** Two-factor authentication, the password, what was added to the account, and signing out everywhere. */
export function SecurityCard({ user }: { user: SignedInUser }) {
  return (
    <SettingsCard title={t`Security Settings`}>
      <CardSection>
        <TwoFactorRow provider={user.provider} />
      </CardSection>
      <CardSection>
        <PasswordRow user={user} />
      </CardSection>
      <CardSection>
        <AccessSection />
      </CardSection>
      <CardSection>
        <SignOutRow />
      </CardSection>
    </SettingsCard>
  )
}

function PasswordRow({ user }: { user: SignedInUser }) {
  const isPasswordSignInOff = useConfig()?.passwordSignIn === false
  const reset = useActionMutation('reset password', {
    run: async () => {
      const { resetPassword } = await loadAmplifyAuth()
      await resetPassword({ username: user.email, options: { clientMetadata: mailMetadata } })
    },
    onSuccess: (_sent, _input, { notify }) =>
      notify('success', t`Password reset email sent`, {
        description: t`Check your email for password reset instructions.`,
      }),
    onError: (error, _input, { notify }) =>
      notify('error', t`Error`, { description: describeResetError(error), cause: error }),
  })
  const sendResetMail = () =>
    user.email ? reset.start() : showToast('warning', t`Error`, { description: t`No email found` })
  if (user.provider !== undefined) {
    const description = t`You sign in with ${{ label: getProviderLabel(user.provider) }}. Change your password there.`
    return <SettingRow title={t`Password`} description={description} />
  }
  if (isPasswordSignInOff)
    return <SettingRow title={t`Password`} description={t`Sign-in with a password is switched off here.`} />
  return (
    <SettingRow title={t`Password`} description={t`We send you an e-mail with a link to set a new one.`}>
      <Button busy={reset.isBusy} onClick={sendResetMail}>
        {t`Change Password`}
      </Button>
    </SettingRow>
  )
}

function describeResetError(error: unknown): string {
  if (error instanceof ConfigError) return t`The service is not fully configured.`
  if (hasErrorName(error, 'LimitExceededException') || hasErrorName(error, 'TooManyRequestsException'))
    return t`Too many e-mails were requested. Please try again later.`
  if (hasErrorName(error, 'CodeDeliveryFailureException'))
    return t`The e-mail could not be sent. Please try again later.`
  return getErrorMessage(error)
}

/** Signs out on all devices, for a lost phone, a shared computer or a stolen session. The dialog says what ends with it. */
function SignOutRow() {
  const { signOut } = useAccountActions()
  const [isOpen, setIsOpen] = useState(false)
  const signOutEverywhere = async () => {
    await callApi('account.signOutEverywhere', {}).catch((error: unknown) => {
      // a 401 means that the user is signed out already
      if (!(error instanceof ApiError && error.status === 401)) throw error
    })
    await signOut({
      kind: 'success',
      title: t`Signed out`,
      description: t`You have been signed out on all devices.`,
    })
  }
  return (
    <SettingRow
      title={t`Sessions`}
      description={t`Signs you out in every browser and on every device, this one included.`}
    >
      <Button onClick={() => setIsOpen(true)}>{t`Sign out everywhere`}</Button>
      <ActionDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={t`Sign out everywhere?`}
        confirmLabel={t`Sign out everywhere`}
        isDestructive
        actionKey="sign out everywhere"
        onConfirm={signOutEverywhere}
      >
        <p>{t`You are signed out in every browser and on every device. This ends with it:`}</p>
        <ul className="list-disc space-y-1 ps-5">
          <li>{t`Notifications in all browsers.`}</li>
          <li>{t`Schedules are paused until you resume them.`}</li>
          <li>{t`Custom tools and shared links that were added in the last 24 hours are removed.`}</li>
          <li>{t`Your last export is deleted.`}</li>
        </ul>
        <p className="text-ink-muted">{t`Instructions, memories, saved prompts, connections, and older custom tools and links stay. If somebody else was signed in, look through them.`}</p>
      </ActionDialog>
    </SettingRow>
  )
}

/** What was added to the account and works without the user; loaded when they want to see it. */
function AccessSection() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <SettingRow
        title={t`Added to your account`}
        description={t`Browsers with notifications, custom tools, shared links and schedules. End what you do not know.`}
      >
        <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? t`Hide` : t`Show`}
        </Button>
      </SettingRow>
      {isOpen && (
        <div className="mt-3">
          <Suspense>
            <AccessList />
          </Suspense>
        </div>
      )}
    </>
  )
}
