import { useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { ApiError, ConfigError, errorMessage } from '../../lib/api-errors.ts'
import type { SignedInUser } from '../../lib/auth-tokens.ts'
import { callApi } from '../../lib/call-api.ts'
import { getProviderLabel, useConfig } from '../../lib/config.ts'
import { useAccountActions } from './account-actions.ts'
import { CardSection, SettingRow, SettingsCard } from '../../components/settings-card.tsx'
import { TwoFactorRow } from './two-factor/two-factor-row.tsx'
import * as texts from './texts.ts'
import * as commonTexts from '../../components/texts.ts'

/** Two-factor authentication, the password, and signing out everywhere. */
export function SecurityCard({ user }: { user: SignedInUser }) {
  return (
    <SettingsCard title={texts.security}>
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
  const [busy, setBusy] = useState(false)
  const isPasswordSignInOff = useConfig()?.passwordSignIn === false
  const sendResetMail = async () => {
    if (!user.email) {
      showToast('error', commonTexts.error, { description: texts.noEmail })
      return
    }
    setBusy(true)
    try {
      const { resetPassword } = await import('../../lib/amplify-auth.ts')
      await resetPassword({ username: user.email })
      showToast('success', texts.resetEmailSent, {
        description: texts.resetEmailHint,
      })
    } catch (error) {
      showToast('error', commonTexts.error, { description: describeResetError(error) })
    } finally {
      setBusy(false)
    }
  }
  if (user.provider !== undefined) {
    const description = texts.providerPasswordHint(getProviderLabel(user.provider))
    return <SettingRow title={texts.password} description={description} />
  }
  if (isPasswordSignInOff) return <SettingRow title={texts.password} description={texts.passwordsOff} />
  return (
    <SettingRow title={texts.password} description={texts.passwordHint}>
      <Button busy={busy} onClick={() => void sendResetMail()}>
        {texts.changePassword}
      </Button>
    </SettingRow>
  )
}

function describeResetError(error: unknown): string {
  if (error instanceof ConfigError) return texts.notConfigured
  if (error instanceof Error && error.name === 'LimitExceededException') return texts.tooManyEmails
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
        showToast('error', commonTexts.error, { description: errorMessage(error) })
        return
      }
    }
    await signOut({
      kind: 'success',
      title: texts.signedOut,
      description: texts.signedOutHint,
    })
  }
  return (
    <SettingRow title={texts.sessions} description={texts.sessionsHint}>
      <Button busy={busy} onClick={() => void signOutEverywhere()}>
        {texts.signOutEverywhere}
      </Button>
    </SettingRow>
  )
}
