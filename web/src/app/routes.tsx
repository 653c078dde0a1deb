import type { ComponentType } from 'react'
import { Route, Routes } from 'react-router'
import { sharedPath } from '#shared/share-link.ts'
import { documentCallbackPath, oauthCallbackPath, serverCallbackPath } from '#shared/oauth-client.ts'
import { deferred } from '../components/lazy-component.tsx'
import type { Failure } from '../components/error-boundary.tsx'
import { PageFailure } from '../components/error-fallbacks.tsx'
import { LoadingScreen } from '../components/loading-screen.tsx'
import { PageFrame } from '../components/page-frame.tsx'
import { RequireAuth } from '../features/auth/require-auth.tsx'

/** A page that breaks leaves the way to the others. */
const renderFailure = (failure: Failure) => (
  <PageFrame>
    <PageFailure {...failure} />
  </PageFrame>
)

/** Each page is a file of its own. */
const page = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  deferred(load, <LoadingScreen />, { fallback: renderFailure })

const auth = page(() => import('../features/auth/auth-page.tsx').then((module) => module.AuthPage))
const signedIn = page(() => import('./authenticated-layout.tsx').then((module) => module.SignedIn))
const main = page(() => import('./main-screen.tsx').then((module) => module.MainScreen))
const integrations = page(() =>
  import('./integrations-screen.tsx').then((module) => module.IntegrationsScreen),
)
const oauthCallback = page(() =>
  import('../features/integrations/oauth/oauth-callback-page.tsx').then((module) => module.OAuthCallbackPage),
)
const settings = page(() => import('./settings-screen.tsx').then((module) => module.SettingsScreen))
const files = page(() => import('../features/files/files-page.tsx').then((module) => module.FilesPage))
const shared = page(() =>
  import('../features/chat/shared/shared-page.tsx').then((module) => module.SharedPage),
)
const notFound = page(() => import('./not-found-page.tsx').then((module) => module.NotFoundPage))

/** What each address shows first, for page-parts.ts to name the files of. */
const partsOf: Readonly<Record<string, readonly { preload: () => Promise<unknown> }[]>> = {
  '/auth': [auth],
  '/': [signedIn, main],
  '/integrations': [signedIn, integrations],
  '/settings': [signedIn, settings],
  '/profile': [signedIn, settings],
  '/files': [signedIn, files],
}

/** Resolves when the page of an address is loaded, or cannot be, which is reported when it is rendered. */
export async function preloadPage(pathname: string): Promise<void> {
  await Promise.all((partsOf[pathname] ?? []).map(({ preload }) => preload()))
}

/** NAV-01 to NAV-08. */
export function AppRoutes() {
  return (
    <Routes>
      <Route
        element={<RequireAuth>{(user) => <signedIn.Deferred key={user.sub} user={user} />}</RequireAuth>}
      >
        <Route path="/" element={<main.Deferred />} />
        <Route path="/integrations" element={<integrations.Deferred />} />
        <Route path="/settings" element={<settings.Deferred />} />
        <Route path="/profile" element={<settings.Deferred />} />
        <Route path="/files" element={<files.Deferred />} />
      </Route>
      {[oauthCallbackPath, documentCallbackPath, `${serverCallbackPath}/:server`].map((path) => (
        <Route key={path} path={path} element={<oauthCallback.Deferred />} />
      ))}
      <Route path={sharedPath} element={<shared.Deferred />} />
      <Route path="/auth" element={<auth.Deferred />} />
      <Route path="*" element={<notFound.Deferred />} />
    </Routes>
  )
}
