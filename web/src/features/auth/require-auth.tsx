import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { LoadingScreen } from '../../components/loading-screen.tsx'
import type { SignedInUser } from '../../lib/auth-tokens.ts'
import { useAuth } from './auth-context.ts'
import type { ReturnState } from './return-path.ts'

/**
 * Renders a page for a signed-in user only: a loading screen until that is known, then the page, or a
 * redirect to the sign-in page.
 */
export function RequireAuth({ children }: { children: (user: SignedInUser) => ReactNode }) {
  const { state } = useAuth()
  const { pathname, search } = useLocation()
  if (state.status === 'loading') return <LoadingScreen />
  if (state.status === 'signed-in') return children(state.user)
  const from: ReturnState | null = state.isByUser ? null : { from: pathname + search }
  return <Navigate to="/auth" replace state={from} />
}
