import { lazy, Suspense } from 'react'
import { ErrorBoundary, type Failure } from '../components/error-boundary.tsx'
import { PageFailure } from '../components/error-fallbacks.tsx'
import { AuthProvider } from '../features/auth/auth-provider.tsx'
import { whenIdle } from '../lib/when-idle.ts'
import { GuardedRouter } from './guarded-router.tsx'
import { AppRoutes } from './routes.tsx'

/** Loads after the first page has been shown; toasts wait for it. */
const Toaster = lazy(async () => {
  await whenIdle()
  const module = await import('../components/ui/toaster.tsx')
  return { default: module.Toaster }
})

/** The last net: what broke is not inside any page. */
const renderFailure = ({ error }: Failure) => (
  <main className="grid min-h-dvh">
    <PageFailure error={error} retry={() => location.reload()} />
  </main>
)

/** The product: routes inside the providers that every page stands on. */
export function App() {
  return (
    <ErrorBoundary fallback={renderFailure}>
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
