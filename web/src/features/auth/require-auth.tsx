import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { LoadingScreen } from '../../components/loading-screen.tsx'
import type { SignedInUser } from '../../lib/auth-tokens.ts'
import { useAuth } from './auth-context.ts'
import type { ReturnState } from './return-path.ts'

/**
 * Shows a page to a signed-in user only: a loading screen until that is known, then the page, or the sign-in page in its
 * place in the history (NAV-09 to NAV-13, DEC-015, DEC-016).
 */
export function RequireAuth({ children }: { children: (user: SignedInUser) => ReactNode }) {
  const { state } = useAuth()
  const { pathname, search } = useLocation()
  if (state.status === 'loading') return <LoadingScreen />
  if (state.status === 'signed-in') return children(state.user)
  const from: ReturnState | null = state.isByUser ? null : { from: pathname + search }
  return <Navigate to="/auth" replace state={from} />
}
