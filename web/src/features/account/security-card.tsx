import { useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { ApiError, ConfigError, errorMessage } from '../../lib/api-errors.ts'
import type { SignedInUser } from '../../lib/auth-tokens.ts'
import { callApi } from '../../lib/call-api.ts'
import { useAccountActions } from './account-actions.ts'
import { CardSection, SettingRow, SettingsCard } from './settings-card.tsx'
import { TwoFactorRow } from './two-factor/two-factor-row.tsx'

export function SecurityCard({ user }: { user: SignedInUser }) {
  return (
    <SettingsCard title="Security Settings">
      <CardSection>
        <TwoFactorRow />
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
  const [busy, setBusy] = useState(false)
  const send = async () => {
    if (!user.email) {
      showToast('error', 'Error', { description: 'No email found' })
      return
    }
    setBusy(true)
    try {
      const { resetPassword } = await import('aws-amplify/auth')
      await resetPassword({ username: user.email })
      showToast('success', 'Password reset email sent', {
        description: 'Check your email for password reset instructions.',
      })
    } catch (error) {
      showToast('error', 'Error', { description: describeResetError(error) })
    } finally {
      setBusy(false)
    }
  }
  if (user.federated)
    return <SettingRow title="Password" description="You sign in with Google. Change your password there." />
  return (
    <SettingRow title="Password" description="We send you an e-mail with a link to set a new one.">
      <Button busy={busy} onClick={() => void send()}>
        Change Password
      </Button>
    </SettingRow>
  )
}

function describeResetError(error: unknown): string {
  if (error instanceof ConfigError) return 'The service is not fully configured.'
  if (error instanceof Error && error.name === 'LimitExceededException')
    return 'Too many e-mails were requested. Please try again later.'
  return errorMessage(error)
}

/** Signs out on all devices, for a lost phone or a shared computer. */
function SignOutRow() {
  const { signOut } = useAccountActions()
  const [busy, setBusy] = useState(false)
  const signOutEverywhere = async () => {
    setBusy(true)
    try {
      await callApi('account.signOutEverywhere', {})
    } catch (error) {
      // a 401 means that the user is signed out already
      if (!(error instanceof ApiError && error.status === 401)) {
        setBusy(false)
        showToast('error', 'Error', { description: errorMessage(error) })
        return
      }
    }
    await signOut({
      kind: 'success',
      title: 'Signed out',
      description: 'You have been signed out on all devices.',
    })
  }
  return (
    <SettingRow
      title="Sessions"
      description="Signs you out in every browser and on every device, this one included."
    >
      <Button busy={busy} onClick={() => void signOutEverywhere()}>
        Sign out everywhere
      </Button>
    </SettingRow>
  )
}
