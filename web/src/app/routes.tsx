import { lazy, Suspense } from 'react'
import { Route, Routes } from 'react-router'
import { LoadingScreen } from '../components/loading-screen.tsx'
import { RequireAuth } from '../features/auth/require-auth.tsx'

const loadAuthPage = () =>
  import('../features/auth/auth-page.tsx').then((module) => ({ default: module.AuthPage }))
const loadSignedIn = () => import('./signed-in.tsx').then((module) => ({ default: module.SignedIn }))
const loadIntegrations = () =>
  import('./integrations-screen.tsx').then((module) => ({ default: module.IntegrationsScreen }))
const loadMainScreen = () => import('./main-screen.tsx').then((module) => ({ default: module.MainScreen }))

const loadSettingsScreen = () =>
  import('./settings-screen.tsx').then((module) => ({ default: module.SettingsScreen }))

const loadFilesScreen = () => import('./files-screen.tsx').then((module) => ({ default: module.FilesScreen }))

const AuthPage = lazy(loadAuthPage)
const SignedIn = lazy(loadSignedIn)
const MainScreen = lazy(loadMainScreen)
const IntegrationsScreen = lazy(loadIntegrations)
const OAuthCallbackPage = lazy(() =>
  import('../features/integrations/oauth-callback-page.tsx').then((module) => ({
    default: module.OAuthCallbackPage,
  })),
)
const SettingsScreen = lazy(loadSettingsScreen)
const FilesScreen = lazy(loadFilesScreen)
const NotFoundPage = lazy(() =>
  import('./not-found-page.tsx').then((module) => ({ default: module.NotFoundPage })),
)

/** Starts loading the page of an address at once, beside the configuration and the session. */
export function preloadPage(pathname: string): void {
  const loads: Record<string, readonly (() => Promise<unknown>)[]> = {
    '/auth': [loadAuthPage],
    '/': [loadSignedIn, loadMainScreen],
    '/integrations': [loadSignedIn, loadIntegrations],
    '/settings': [loadSignedIn, loadSettingsScreen],
    '/profile': [loadSignedIn, loadSettingsScreen],
    '/files': [loadSignedIn, loadFilesScreen],
  }
  // a failure is reported when the page is rendered
  for (const load of loads[pathname] ?? []) load().catch(() => undefined)
}

/** NAV-01 to NAV-08. Each page is a chunk of its own. */
export function AppRoutes() {
  return (
    <Suspense fallback={<LoadingScreen />}>
      <Routes>
        <Route element={<RequireAuth>{(user) => <SignedIn user={user} />}</RequireAuth>}>
          <Route path="/" element={<MainScreen />} />
          <Route path="/integrations" element={<IntegrationsScreen />} />
          <Route path="/settings" element={<SettingsScreen />} />
          <Route path="/profile" element={<SettingsScreen />} />
          <Route path="/files" element={<FilesScreen />} />
        </Route>
        <Route path="/oauth/callback" element={<OAuthCallbackPage />} />
        <Route path="/auth" element={<AuthPage />} />
        <Route path="*" element={<NotFoundPage />} />
      </Routes>
    </Suspense>
  )
}
