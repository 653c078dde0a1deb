import { lazy, Suspense, useState, type ComponentType } from 'react'
import { Route, Routes } from 'react-router'
import { LoadingScreen } from '../components/loading-screen.tsx'
import { RequireAuth } from '../features/auth/require-auth.tsx'

/**
 * A part of the page in a file of its own. Once that has been loaded the part is rendered at once: a lazy component would first show
 * what stands in for it, and React keeps that on the screen for 300 ms.
 */
function part<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined
  const loadPart = async () => (loaded = await load())
  const Awaited = lazy(async () => ({ default: await loadPart() }))
  function Part(props: Props) {
    // the same one for as long as it is shown
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Awaited)
    return <Shown {...props} />
  }
  return Object.assign(Part, { load: loadPart })
}

const AuthPage = part(() => import('../features/auth/auth-page.tsx').then((module) => module.AuthPage))
const SignedIn = part(() => import('./signed-in.tsx').then((module) => module.SignedIn))
const MainScreen = part(() => import('./main-screen.tsx').then((module) => module.MainScreen))
const IntegrationsScreen = part(() =>
  import('./integrations-screen.tsx').then((module) => module.IntegrationsScreen),
)
const OAuthCallbackPage = part(() =>
  import('../features/integrations/oauth-callback-page.tsx').then((module) => module.OAuthCallbackPage),
)
const SettingsScreen = part(() => import('./settings-screen.tsx').then((module) => module.SettingsScreen))
const FilesScreen = part(() => import('./files-screen.tsx').then((module) => module.FilesScreen))
const NotFoundPage = part(() => import('./not-found-page.tsx').then((module) => module.NotFoundPage))

/** What each address shows first, for page-parts.ts to name the files of. */
const partsOf: Readonly<Record<string, readonly { load: () => Promise<unknown> }[]>> = {
  '/auth': [AuthPage],
  '/': [SignedIn, MainScreen],
  '/integrations': [SignedIn, IntegrationsScreen],
  '/settings': [SignedIn, SettingsScreen],
  '/profile': [SignedIn, SettingsScreen],
  '/files': [SignedIn, FilesScreen],
}

/** Resolves when the page of an address is loaded, or cannot be, which is reported when it is rendered. */
export async function preloadPage(pathname: string): Promise<void> {
  await Promise.allSettled((partsOf[pathname] ?? []).map(({ load }) => load()))
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
