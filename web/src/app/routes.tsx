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

const authPage = lazyPage(() => import('../features/auth/auth-page.tsx').then((module) => module.AuthPage))
const authenticatedLayout = lazyPage(() =>
  import('./authenticated-layout.tsx').then((module) => module.AuthenticatedLayout),
)
const requiredTwoFactorPage = lazyPage(() =>
  import('./required-two-factor-screen.tsx').then((module) => module.RequiredTwoFactorScreen),
)
const mainPage = lazyPage(() => import('./main-screen.tsx').then((module) => module.MainScreen))
const integrationsPage = lazyPage(() =>
  import('./integrations-screen.tsx').then((module) => module.IntegrationsScreen),
)
const oauthCallbackPage = lazyPage(() =>
  import('../features/integrations/oauth/oauth-callback-page.tsx').then((module) => module.OAuthCallbackPage),
)
const settingsPage = lazyPage(() => import('./settings-screen.tsx').then((module) => module.SettingsScreen))
const filesPage = lazyPage(() =>
  import('../features/files/files-page.tsx').then((module) => module.FilesPage),
)
const projectPage = lazyPage(() => import('./project-screen.tsx').then((module) => module.ProjectScreen))
const adminPage = lazyPage(() => import('./admin-screen.tsx').then((module) => module.AdminScreen))
const sharedPage = lazyPage(() =>
  import('../features/chat/shared/shared-page.tsx').then((module) => module.SharedPage),
)
const notFoundPage = lazyPage(() => import('./not-found-page.tsx').then((module) => module.NotFoundPage))

/** The pages that each path loads first; preload-manifest.ts lists their files. */
const chunksByPath: Readonly<Record<string, readonly { preload: () => Promise<unknown> }[]>> = {
  '/auth': [authPage],
  '/': [authenticatedLayout, mainPage],
  '/integrations': [authenticatedLayout, integrationsPage],
  '/settings': [authenticatedLayout, settingsPage],
  '/profile': [authenticatedLayout, settingsPage],
  '/files': [authenticatedLayout, filesPage],
}

/** Resolves when the page of a path has loaded, or failed to: that is reported when it renders. */
export async function preloadPage(pathname: string): Promise<void> {
  await Promise.all((chunksByPath[pathname] ?? []).map(({ preload }) => preload()))
}

/** The product, or what a user has to do first. */
function SignedInPages({ user }: { user: SignedInUser }) {
  const [isSettingUp, setIsSettingUp] = useState(false)
  return user.mustSetUpTwoFactor || isSettingUp ? (
    <requiredTwoFactorPage.Component user={user} onOpenChange={setIsSettingUp} />
  ) : (
    <authenticatedLayout.Component user={user} />
  )
}

/** The routes of the app, and which of them require signing in. */
export function AppRoutes() {
  return (
    <Routes>
      <Route element={<RequireAuth>{(user) => <SignedInPages key={user.sub} user={user} />}</RequireAuth>}>
        <Route path="/" element={<mainPage.Component />} />
        <Route path="/integrations" element={<integrationsPage.Component />} />
        <Route path="/settings" element={<settingsPage.Component />} />
        <Route path="/profile" element={<settingsPage.Component />} />
        <Route path="/files" element={<filesPage.Component />} />
        <Route path="/projects/:projectId" element={<projectPage.Component />} />
        <Route path="/admin/*" element={<adminPage.Component />} />
      </Route>
      {[oauthCallbackPath, documentCallbackPath, `${serverCallbackPath}/:server`].map((path) => (
        <Route key={path} path={path} element={<oauthCallbackPage.Component />} />
      ))}
      <Route path={sharedPath} element={<sharedPage.Component />} />
      <Route path="/auth" element={<authPage.Component />} />
      <Route path="*" element={<notFoundPage.Component />} />
    </Routes>
  )
}
