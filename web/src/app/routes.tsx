import { useState, type ReactNode } from 'react'
import { Route, Routes } from 'react-router'
import { sharedPath } from '#shared/share-link.ts'
import { documentCallbackPath, oauthCallbackPath, serverCallbackPath } from '#shared/oauth-client.ts'
import { lazyComponent } from '../components/lazy-component.tsx'
import type { FallbackProps } from '../components/error-boundary.tsx'
import { PageError } from '../components/error-fallbacks.tsx'
import { LoadingScreen } from '../components/loading-screen.tsx'
import { PageFrame } from '../components/page-frame.tsx'
import {
  adminPath,
  assistantsPath,
  filesPath,
  integrationsPath,
  newSchedulePath,
  projectsPath,
  schedulesPath,
  settingsPath,
  waitingPath,
} from '../lib/paths.ts'
import type { SignedInUser } from '../lib/signed-in-user.ts'
import { RequireAuth } from '../features/auth/require-auth.tsx'

/** The page layout, with its link home, stays when a page throws. */
const renderFailure = (failure: FallbackProps) => (
  <PageFrame>
    <PageError {...failure} />
  </PageFrame>
)

/** A page whose code is a separate chunk. */
const lazyPage = <Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) =>
  lazyComponent(load, name, <LoadingScreen />, { fallback: renderFailure })

const AuthPage = lazyPage(() => import('../features/auth/auth-page.tsx'), 'AuthPage')
const AuthenticatedLayout = lazyPage(() => import('./authenticated-layout.tsx'), 'AuthenticatedLayout')
const RequiredTwoFactorPage = lazyPage(
  () => import('./required-two-factor-screen.tsx'),
  'RequiredTwoFactorScreen',
)
const MainPage = lazyPage(() => import('./main-screen.tsx'), 'MainScreen')
const IntegrationsPage = lazyPage(() => import('./integrations-screen.tsx'), 'IntegrationsScreen')
const OAuthCallbackPage = lazyPage(
  () => import('../features/integrations/oauth/oauth-callback-page.tsx'),
  'OAuthCallbackPage',
)
const SettingsPage = lazyPage(() => import('./settings-screen.tsx'), 'SettingsScreen')
const FilesPage = lazyPage(() => import('../features/files/files-page.tsx'), 'FilesPage')
const ProjectPage = lazyPage(() => import('./project-screen.tsx'), 'ProjectScreen')
const PublishPage = lazyPage(() => import('./publish-screen.tsx'), 'PublishScreen')
const AssistantPage = lazyPage(() => import('./assistant-screen.tsx'), 'AssistantScreen')
const SchedulesPage = lazyPage(() => import('./schedule-screens.tsx'), 'SchedulesScreen')
const SchedulePage = lazyPage(() => import('./schedule-screens.tsx'), 'ScheduleScreen')
const WaitingPage = lazyPage(() => import('../features/chat/waiting/waiting-page.tsx'), 'WaitingPage')
const AdminPage = lazyPage(() => import('./admin-screen.tsx'), 'AdminScreen')
const SharedPage = lazyPage(() => import('./shared-screen.tsx'), 'SharedScreen')
const NotFoundPage = lazyPage(() => import('./not-found-page.tsx'), 'NotFoundPage')

/** What `preloadPage` loads; other paths show the loading screen meanwhile. preload-manifest.ts lists the files. */
const chunksByPath: Readonly<Record<string, readonly { preload: () => Promise<unknown> }[]>> = {
  '/auth': [AuthPage],
  '/': [AuthenticatedLayout, MainPage],
  [integrationsPath]: [AuthenticatedLayout, IntegrationsPage],
  [settingsPath]: [AuthenticatedLayout, SettingsPage],
  '/profile': [AuthenticatedLayout, SettingsPage],
  [filesPath]: [AuthenticatedLayout, FilesPage],
}

/** Resolves when the page of a path has loaded, or failed to: that is reported when it renders. */
export async function preloadPage(pathname: string): Promise<void> {
  await Promise.all((chunksByPath[pathname] ?? []).map(({ preload }) => preload()))
}

/** A page, or the set-up of a second factor, which the user has to see to its end: the backup codes are shown only once. */
function TwoFactorGate({ user, children }: { user: SignedInUser; children: ReactNode }) {
  const [isSettingUp, setIsSettingUp] = useState(false)
  return user.mustSetUpTwoFactor || isSettingUp ? (
    <RequiredTwoFactorPage user={user} onOpenChange={setIsSettingUp} />
  ) : (
    children
  )
}

const renderSignedIn = (user: SignedInUser, page: ReactNode) => (
  <TwoFactorGate key={user.sub} user={user}>
    {page}
  </TwoFactorGate>
)

/** The routes of the app, and which of them require signing in. */
export function AppRoutes() {
  return (
    <Routes>
      <Route
        element={
          <RequireAuth>{(user) => renderSignedIn(user, <AuthenticatedLayout user={user} />)}</RequireAuth>
        }
      >
        <Route path="/" element={<MainPage />} />
        <Route path={integrationsPath} element={<IntegrationsPage />} />
        <Route path={settingsPath} element={<SettingsPage />} />
        <Route path="/profile" element={<SettingsPage />} />
        <Route path={filesPath} element={<FilesPage />} />
        <Route path={`${projectsPath}:projectId`} element={<ProjectPage />} />
        <Route path={`${projectsPath}:projectId/publish`} element={<PublishPage />} />
        <Route path={`${assistantsPath}:assistantId`} element={<AssistantPage />} />
        <Route path={schedulesPath} element={<SchedulesPage />} />
        <Route path={newSchedulePath} element={<SchedulePage />} />
        <Route path={`${schedulesPath}/:scheduleId`} element={<SchedulePage />} />
        <Route path={waitingPath} element={<WaitingPage />} />
        <Route path={`${adminPath}/*`} element={<AdminPage />} />
      </Route>
      {[oauthCallbackPath, documentCallbackPath, `${serverCallbackPath}/:server`].map((path) => (
        <Route key={path} path={path} element={<OAuthCallbackPage />} />
      ))}
      <Route path={sharedPath} element={<SharedPage renderSignedIn={renderSignedIn} />} />
      <Route path="/auth" element={<AuthPage />} />
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  )
}
