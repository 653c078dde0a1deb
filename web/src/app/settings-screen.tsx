import { useMemo } from 'react'
import { AccountActionsContext, type AccountActions } from '../features/account/account-actions.ts'
import { SettingsPage } from '../features/account/settings-page.tsx'
import { useAuth } from '../features/auth/auth-context.ts'
import { RecentSignInProvider } from '../features/auth/recent-sign-in-provider.tsx'
import { useSignedInUser } from './authenticated-layout.tsx'

/** The page at /settings and /profile, connected to the sign-in. */
export function SettingsScreen() {
  const user = useSignedInUser()
  const { expireSignIn, signOut } = useAuth()
  const actions = useMemo<AccountActions>(
    () => ({ expireSignIn, signOut: (toast) => signOut({ isRevoked: true, toast }) }),
    [expireSignIn, signOut],
  )
  return (
    <AccountActionsContext value={actions}>
      <RecentSignInProvider user={user}>
        <SettingsPage user={user} />
      </RecentSignInProvider>
    </AccountActionsContext>
  )
}
