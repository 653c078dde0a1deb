import { useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { ApiError, ConfigError, errorMessage } from '../../lib/api-errors.ts'
import type { SignedInUser } from '../../lib/auth-tokens.ts'
import { callApi } from '../../lib/call-api.ts'
import { useAccountActions } from './account-actions.ts'
import { CardPart, SettingRow, SettingsCard } from './settings-card.tsx'
import { TwoFactorRow } from './two-factor/two-factor-row.tsx'

export function SecurityCard({ user }: { user: SignedInUser }) {
  return (
    <SettingsCard title="Security Settings">
      <CardPart>
        <TwoFactorRow />
      </CardPart>
      <CardPart>
        <PasswordRow user={user} />
      </CardPart>
      <CardPart>
        <SessionsRow />
      </CardPart>
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
      showToast('error', 'Error', { description: resetSentence(error) })
    } finally {
      setBusy(false)
    }
  }
  // DEC-115
  if (user.federated)
    return <SettingRow title="Password" about="You sign in with Google, which keeps your password." />
  return (
    <SettingRow title="Password" about="We send you an e-mail with a link to set a new one.">
      <Button busy={busy} onClick={() => void send()}>
        Change Password
      </Button>
    </SettingRow>
  )
}

function resetSentence(error: unknown): string {
  if (error instanceof ConfigError) return 'The service is not set up completely.'
  if (error instanceof Error && error.name === 'LimitExceededException')
    return 'Too many e-mails were asked for. Please try again later.'
  return errorMessage(error)
}

/** Ends every session, this one included: for a lost phone or a borrowed computer. */
function SessionsRow() {
  const { signOut } = useAccountActions()
  const [busy, setBusy] = useState(false)
  const signOutEverywhere = async () => {
    setBusy(true)
    try {
      await callApi('account.signOutEverywhere', {})
    } catch (error) {
      // whoever is refused here is signed out already
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
      about="Signs you out in every browser and on every device, this one included."
    >
      <Button busy={busy} onClick={() => void signOutEverywhere()}>
        Sign out everywhere
      </Button>
    </SettingRow>
  )
}
