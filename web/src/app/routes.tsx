import { useState, type ComponentType } from 'react'
import { Route, Routes } from 'react-router'
import { sharedPath } from '#shared/share-link.ts'
import { documentCallbackPath, oauthCallbackPath, serverCallbackPath } from '#shared/oauth-client.ts'
import { lazyComponent } from '../components/lazy-component.tsx'
import type { FallbackProps } from '../components/error-boundary.tsx'
import { PageError } from '../components/error-fallbacks.tsx'
import { LoadingScreen } from '../components/loading-screen.tsx'
import { PageFrame } from '../components/page-frame.tsx'
import type { SignedInUser } from '../lib/auth-tokens.ts'
import { RequireAuth } from '../features/auth/require-auth.tsx'

/** The page layout, with its link home, stays when a page throws. */
const renderFailure = (failure: FallbackProps) => (
  <PageFrame>
    <PageError {...failure} />
  </PageFrame>
)

/** A page whose code is a separate chunk. */
const lazyPage = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazyComponent(load, <LoadingScreen />, { fallback: renderFailure })

const auth = lazyPage(() => import('../features/auth/auth-page.tsx').then((module) => module.AuthPage))
const signedIn = lazyPage(() =>
  import('./authenticated-layout.tsx').then((module) => module.AuthenticatedLayout),
)
const requiredTwoFactor = lazyPage(() =>
  import('./required-two-factor-screen.tsx').then((module) => module.RequiredTwoFactorScreen),
)
const main = lazyPage(() => import('./main-screen.tsx').then((module) => module.MainScreen))
const integrations = lazyPage(() =>
  import('./integrations-screen.tsx').then((module) => module.IntegrationsScreen),
)
const oauthCallback = lazyPage(() =>
  import('../features/integrations/oauth/oauth-callback-page.tsx').then((module) => module.OAuthCallbackPage),
)
const settings = lazyPage(() => import('./settings-screen.tsx').then((module) => module.SettingsScreen))
const files = lazyPage(() => import('../features/files/files-page.tsx').then((module) => module.FilesPage))
const admin = lazyPage(() => import('./admin-screen.tsx').then((module) => module.AdminScreen))
const shared = lazyPage(() =>
  import('../features/chat/shared/shared-page.tsx').then((module) => module.SharedPage),
)
const notFound = lazyPage(() => import('./not-found-page.tsx').then((module) => module.NotFoundPage))

/** The pages that each path loads first; preload-manifest.ts lists their files. */
const chunksByPath: Readonly<Record<string, readonly { preload: () => Promise<unknown> }[]>> = {
  '/auth': [auth],
  '/': [signedIn, main],
  '/integrations': [signedIn, integrations],
  '/settings': [signedIn, settings],
  '/profile': [signedIn, settings],
  '/files': [signedIn, files],
}

/** Resolves when the page of a path has loaded, or failed to: that is reported when it renders. */
export async function preloadPage(pathname: string): Promise<void> {
  await Promise.all((chunksByPath[pathname] ?? []).map(({ preload }) => preload()))
}

/** The product, or what a user has to do first. */
function SignedInPages({ user }: { user: SignedInUser }) {
  const [isSettingUp, setIsSettingUp] = useState(false)
  return user.mustSetUpTwoFactor || isSettingUp ? (
    <requiredTwoFactor.Component user={user} onOpenChange={setIsSettingUp} />
  ) : (
    <signedIn.Component user={user} />
  )
}

/** The routes of the app, and which of them require signing in. */
export function AppRoutes() {
  return (
    <Routes>
      <Route element={<RequireAuth>{(user) => <SignedInPages key={user.sub} user={user} />}</RequireAuth>}>
        <Route path="/" element={<main.Component />} />
        <Route path="/integrations" element={<integrations.Component />} />
        <Route path="/settings" element={<settings.Component />} />
        <Route path="/profile" element={<settings.Component />} />
        <Route path="/files" element={<files.Component />} />
        <Route path="/admin/*" element={<admin.Component />} />
      </Route>
      {[oauthCallbackPath, documentCallbackPath, `${serverCallbackPath}/:server`].map((path) => (
        <Route key={path} path={path} element={<oauthCallback.Component />} />
      ))}
      <Route path={sharedPath} element={<shared.Component />} />
      <Route path="/auth" element={<auth.Component />} />
      <Route path="*" element={<notFound.Component />} />
    </Routes>
  )
}
