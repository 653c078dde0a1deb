import { lazy, Suspense, useEffect, useState } from 'react'
import { BrowserRouter } from 'react-router'
import { AuthProvider } from '../features/auth/auth-provider.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { AppRoutes } from './routes.tsx'

const Toaster = lazy(() =>
  import('../components/ui/toaster.tsx').then((module) => ({ default: module.Toaster })),
)

/** The product: routes inside the providers that every page stands on. */
export function App() {
  return (
    <ErrorBoundary>
      <BrowserRouter>
        <AuthProvider>
          <AppRoutes />
        </AuthProvider>
      </BrowserRouter>
      <LateToaster />
    </ErrorBoundary>
  )
}

/** The toaster loads after the first page has been shown; toasts wait for it. */
function LateToaster() {
  const [shown, setShown] = useState(false)
  useEffect(() => setShown(true), [])
  return shown && <Suspense fallback={null}>{<Toaster />}</Suspense>
}
