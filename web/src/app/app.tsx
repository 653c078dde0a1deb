import { lazy, Suspense } from 'react'
import { AuthProvider } from '../features/auth/auth-provider.tsx'
import { whenIdle } from '../lib/when-idle.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { GuardedRouter } from './guarded-router.tsx'
import { AppRoutes } from './routes.tsx'

/** Loads after the first page has been shown; toasts wait for it. */
const Toaster = lazy(async () => {
  await whenIdle()
  const module = await import('../components/ui/toaster.tsx')
  return { default: module.Toaster }
})

/** The product: routes inside the providers that every page stands on. */
export function App() {
  return (
    <ErrorBoundary>
      <GuardedRouter>
        <AuthProvider>
          <AppRoutes />
        </AuthProvider>
      </GuardedRouter>
      {/* a live region from the beginning: a dialog hides everything else that is there when it opens from screen readers */}
      <div aria-live="off" className="contents">
        <Suspense>
          <Toaster />
        </Suspense>
      </div>
    </ErrorBoundary>
  )
}
