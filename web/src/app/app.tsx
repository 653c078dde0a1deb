import { Router } from '../lib/navigation/router.tsx'
import { ErrorBoundary, type FallbackProps } from '../components/error-boundary.tsx'
import { PageError } from '../components/error-fallbacks.tsx'
import { lazyComponent } from '../components/lazy-component.tsx'
import type { AuthState } from '../features/auth/auth-context.ts'
import { AuthProvider } from '../features/auth/auth-provider.tsx'
import { whenIdle } from '../lib/browser/when-idle.ts'
import { useStore } from '../lib/browser/create-store.ts'
import { unsavedState } from '../lib/input/leave-guard.ts'
import { AppRoutes } from './routes.tsx'

/** Loads after the first page is shown; toasts wait for it. The app works without it if the connection is lost before. */
const ToastsAndFocus = lazyComponent(
  async () => {
    await whenIdle()
    return import('./toasts-and-focus.tsx')
  },
  'ToastsAndFocus',
  null,
  { silent: true },
)

/** Loads as soon as something is unsaved: it must work after a deployment and offline, too. */
const UnsavedDialog = lazyComponent(() => import('../components/unsaved-dialog.tsx'), 'UnsavedDialog', null)

/** The outermost boundary, for errors outside any page. */
const renderFailure = ({ error }: FallbackProps) => (
  <main className="grid min-h-dvh">
    <PageError error={error} retry={() => location.reload()} />
  </main>
)

/** The app: routes inside the global providers. */
export function App({ initialAuth }: { initialAuth?: AuthState }) {
  const { isUnsaved } = useStore(unsavedState)
  return (
    <ErrorBoundary fallback={renderFailure}>
      <Router>
        <AuthProvider {...(initialAuth && { initialState: initialAuth })}>
          <AppRoutes />
        </AuthProvider>
      </Router>
      {isUnsaved && <UnsavedDialog />}
      {/* an open dialog hides from screen readers what has no aria-live, and the toasts load later */}
      <div aria-live="off" className="contents">
        <ToastsAndFocus />
      </div>
    </ErrorBoundary>
  )
}
