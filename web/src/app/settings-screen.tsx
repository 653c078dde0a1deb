import { useMemo } from 'react'
import { AccountActionsContext, type AccountActions } from '../features/account/account-actions.ts'
import { SettingsPage } from '../features/account/settings-page.tsx'
import { useAuth } from '../features/auth/auth-context.ts'
import { RecentSignInProvider } from '../features/auth/recent-sign-in-provider.tsx'
import { useSignedInUser } from './authenticated-layout.tsx'

/** The page behind /settings and /profile (NAV-06). */
export function SettingsScreen() {
  const user = useSignedInUser()
  const { expireSignIn: endSession, signOut } = useAuth()
  const actions = useMemo<AccountActions>(
    () => ({ expireSignIn: endSession, signOut: (notice) => signOut({ isRevoked: true, message: notice }) }),
    [endSession, signOut],
  )
  return (
    <AccountActionsContext value={actions}>
      <RecentSignInProvider user={user}>
        <SettingsPage user={user} />
      </RecentSignInProvider>
    </AccountActionsContext>
  )
}
