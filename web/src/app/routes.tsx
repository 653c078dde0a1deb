import { lazy, Suspense } from 'react'
import { Route, Routes } from 'react-router'
import { LoadingScreen } from '../components/loading-screen.tsx'
import { RequireAuth } from '../features/auth/require-auth.tsx'

const loadAuthPage = () =>
  import('../features/auth/auth-page.tsx').then((module) => ({ default: module.AuthPage }))
const loadMainScreen = () => import('./main-screen.tsx').then((module) => ({ default: module.MainScreen }))

const AuthPage = lazy(loadAuthPage)
const MainScreen = lazy(loadMainScreen)
const NotFoundPage = lazy(() =>
  import('./not-found-page.tsx').then((module) => ({ default: module.NotFoundPage })),
)

/** Starts loading the page of an address at once, beside the configuration and the session. */
export function preloadPage(pathname: string): void {
  const load = { '/auth': loadAuthPage, '/': loadMainScreen }[pathname]
  // a failure is reported when the page is rendered
  load?.().catch(() => undefined)
}

/** NAV-01 to NAV-08. Each page is a chunk of its own. */
export function AppRoutes() {
  return (
    <Suspense fallback={<LoadingScreen />}>
      <Routes>
        <Route path="/" element={<RequireAuth>{(user) => <MainScreen user={user} />}</RequireAuth>} />
        <Route path="/auth" element={<AuthPage />} />
        <Route path="*" element={<NotFoundPage />} />
      </Routes>
    </Suspense>
  )
}
