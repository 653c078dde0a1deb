import { t } from '@lingui/core/macro'
import { getActionErrorMessage } from '../../lib/action-error.ts'
import { Button } from '../../components/ui/button.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { useActionMutation } from '../../components/use-action.ts'
import { ApiError, ConfigError, getErrorMessage, hasErrorName } from '../../lib/api-errors.ts'
import type { SignedInUser } from '../../lib/signed-in-user.ts'
import { callApi } from '../../lib/call-api.ts'
import { loadAmplifyAuth } from '../../lib/load-amplify-auth.ts'
import { mailMetadata } from '../../lib/mail-metadata.ts'
import { getProviderLabel, useConfig } from '../../lib/config.ts'
import { useAccountActions } from './account-actions.ts'
import { CardSection, SettingRow, SettingsCard } from '../../components/settings-card.tsx'
import { TwoFactorRow } from './two-factor/two-factor-row.tsx'

/** Two-factor authentication, the password, and signing out everywhere. */
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

/** Signs out on all devices, for a lost phone or a shared computer. */
function SignOutRow() {
  const { signOut } = useAccountActions()
  const signingOut = useActionMutation('sign out everywhere', {
    run: async () => {
      await callApi('account.signOutEverywhere', {}).catch((error: unknown) => {
        // a 401 means that the user is signed out already
        if (!(error instanceof ApiError && error.status === 401)) throw error
      })
      await signOut({
        kind: 'success',
        title: t`Signed out`,
        description: t`You have been signed out on all devices.`,
      })
    },
    onError: (error, _input, { notify }) =>
      notify('error', t`Error`, { description: getActionErrorMessage(error), cause: error }),
  })
  return (
    <SettingRow
      title={t`Sessions`}
      description={t`Signs you out in every browser and on every device, this one included.`}
    >
      <Button busy={signingOut.isBusy} onClick={() => signingOut.start()}>
        {t`Sign out everywhere`}
      </Button>
    </SettingRow>
  )
}
