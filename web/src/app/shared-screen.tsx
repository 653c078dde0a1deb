import type { ReactNode } from 'react'
import { RequireAuth } from '../features/auth/require-auth.tsx'
import { SharedPage } from '../features/chat/shared/shared-page.tsx'
import type { SignedInUser } from '../lib/signed-in-user.ts'

/**
 * Shows a shared conversation. If its link is for people with an account only, visitors sign in first, on a page that tells why, and then
 * come back to it.
 */
export function SharedScreen({
  renderSignedIn,
}: {
  renderSignedIn: (user: SignedInUser, page: ReactNode) => ReactNode
}) {
  return (
    <SharedPage
      renderSignedIn={(page) => <RequireAuth>{(user) => renderSignedIn(user, page)}</RequireAuth>}
    />
  )
}
