import { t } from '@lingui/core/macro'
import { type ReactNode, useEffect } from 'react'
import { showAuthenticationRequired } from '../../components/authentication-required.ts'
import { LoadingScreen } from '../../components/loading-screen.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { accountDisabled, sessionExpired } from '../../lib/api/api-errors.ts'
import type { ErrorDetails } from '../../lib/api/error-details.ts'
import type { SignedInUser } from '../../lib/api/signed-in-user.ts'
import { authRedirectMs } from '../../lib/browser/limits.ts'
import { requestLeave } from '../../lib/input/leave-guard.ts'
import type { ReturnState } from '../../lib/navigation/paths.ts'
import { Navigate, useLocation } from '../../lib/navigation/router.tsx'
import { type SessionEnd, useAuth } from './auth-context.ts'

/**
 * Renders a page for a signed-in user only: a loading screen until that is known, then the page, or a redirect to the sign-in page. When the
 * session has ended, the user is told, and the page stays for `authRedirectMs`.
 */
export function RequireAuth({ children }: { children: (user: SignedInUser) => ReactNode }) {
  const { state } = useAuth()
  const { pathname, search, hash } = useLocation()
  const ended = state.status === 'loading' ? undefined : state.ended
  useSessionEnd(ended, state.status === 'signed-in')
  if (state.status === 'loading') return <LoadingScreen />
  if (state.status === 'signed-in') return children(state.user)
  const from: ReturnState | null = state.isByUser ? null : { from: pathname + search + hash }
  return <Navigate to="/auth" state={from} />
}

/** Tells the user that the session has ended, and leaves the page if it is still shown. */
function useSessionEnd(ended: SessionEnd | undefined, isPageShown: boolean): void {
  const { expireSignIn } = useAuth()
  useEffect(() => {
    if (!ended) return
    const { reason, atMs } = ended
    const cause: ErrorDetails = { atMs, code: `session_${reason}` }
    const explain = () => {
      if (reason === 'revoked')
        showToast('info', t`Signed out`, {
          description: t`Two-factor authentication was switched on for your account. Please sign in again.`,
        })
      if (reason === 'disabled') showToast('error', t`Signed out`, { description: accountDisabled, cause })
    }
    showAuthenticationRequired(reason === 'disabled' ? accountDisabled : sessionExpired, cause)
    if (!isPageShown) return explain()
    const leave = () => void expireSignIn().then(explain)
    const timer = setTimeout(() => requestLeave(leave), authRedirectMs)
    return () => clearTimeout(timer)
  }, [ended, isPageShown, expireSignIn])
}
