import { t } from '@lingui/core/macro'
import { useEffect, type ReactNode } from 'react'
import { showToast } from '../components/ui/toast.ts'
import { useAuth } from '../features/auth/auth-context.ts'
import { RequireAuth } from '../features/auth/require-auth.tsx'
import { SharedPage } from '../features/chat/shared/shared-page.tsx'
import type { SignedInUser } from '../lib/signed-in-user.ts'

/**
 * Shows a shared conversation. If its link is for people with an account only, visitors sign in first and then
 * come back to it.
 */
export function SharedScreen({
  renderSignedIn,
}: {
  renderSignedIn: (user: SignedInUser, page: ReactNode) => ReactNode
}) {
  return (
    <SharedPage renderSignedIn={(page) => <RequireAccount page={page} renderSignedIn={renderSignedIn} />} />
  )
}

/** Shows the page to a user who is signed in. A visitor sees the sign-in, with a toast that tells why. */
function RequireAccount({
  page,
  renderSignedIn,
}: {
  page: ReactNode
  renderSignedIn: (user: SignedInUser, page: ReactNode) => ReactNode
}) {
  const { state } = useAuth()
  const isVisitor = state.status === 'signed-out' && !state.isByUser && !state.ended
  useEffect(() => {
    if (isVisitor)
      showToast('info', t`Please sign in`, {
        description: t`This conversation is shared with people who have an account here.`,
      })
  }, [isVisitor])
  return <RequireAuth>{(user) => renderSignedIn(user, page)}</RequireAuth>
}
