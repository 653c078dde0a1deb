import { useMemo } from 'react'
import { AccountActionsContext } from '../features/account/account-actions.ts'
import { SettingsPage } from '../features/account/settings-page.tsx'
import { useAuth } from '../features/auth/auth-context.ts'
import { TwoFactorRow } from '../features/two-factor/two-factor-row.tsx'
import { useSignedInUser } from './signed-in.tsx'

/** The page behind /settings and /profile (NAV-06). */
export function SettingsScreen() {
  const user = useSignedInUser()
  const { endSession } = useAuth()
  const actions = useMemo(() => ({ endSession }), [endSession])
  return (
    <AccountActionsContext value={actions}>
      <SettingsPage user={user} twoFactor={<TwoFactorRow />} />
    </AccountActionsContext>
  )
}
