import { QueryClientProvider } from '@tanstack/react-query'
import { RequiredTwoFactor } from '../features/account/two-factor/required-two-factor.tsx'
import { useAuth } from '../features/auth/auth-context.ts'
import { SignInAgain } from '../features/auth/sign-in-again.tsx'
import type { SignedInUser } from '../lib/api/signed-in-user.ts'
import { useUserQueryClient } from '../lib/actions/user-resources.ts'

/** The page of a signed-in user who has to set up a second factor first. */
export function RequiredTwoFactorScreen({
  user,
  onOpenChange,
}: {
  user: SignedInUser
  /** whether the set-up is open: it has to stay until it is closed */
  onOpenChange: (isOpen: boolean) => void
}) {
  const queryClient = useUserQueryClient()
  const { refresh, signOut } = useAuth()
  return (
    <QueryClientProvider client={queryClient}>
      <RequiredTwoFactor onOpenChange={onOpenChange} onRenewed={refresh} onSignOut={() => signOut()} />
      <SignInAgain user={user} />
    </QueryClientProvider>
  )
}
