import { useState, type ReactNode } from 'react'
import { matchPath, Routes } from '../lib/navigation/router.tsx'
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
} from '../lib/navigation/paths.ts'
import type { SignedInUser } from '../lib/api/signed-in-user.ts'
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
const SharedPage = lazyPage(() => import('../features/chat/shared/shared-page.tsx'), 'SharedPage')
const NotFoundPage = lazyPage(() => import('./not-found-page.tsx'), 'NotFoundPage')

/** The pages of signed-in users, by their paths. preload-manifest.ts lists the files of those that are opened most. */
const signedInPages = {
  '/': MainPage,
  [integrationsPath]: IntegrationsPage,
  [settingsPath]: SettingsPage,
  '/profile': SettingsPage,
  [filesPath]: FilesPage,
  [`${projectsPath}:projectId`]: ProjectPage,
  [`${projectsPath}:projectId/publish`]: PublishPage,
  [`${assistantsPath}:assistantId`]: AssistantPage,
  [schedulesPath]: SchedulesPage,
  [newSchedulePath]: SchedulePage,
  [`${schedulesPath}/:scheduleId`]: SchedulePage,
  [waitingPath]: WaitingPage,
  [`${adminPath}/*`]: AdminPage,
}

/** Resolves when the page of a path has loaded, or failed to: that is reported when it renders. Few people open others by their address. */
export async function preloadPage(pathname: string): Promise<void> {
  const [, page] = Object.entries(signedInPages).find(([path]) => matchPath(path, pathname)) ?? []
  if (page) await Promise.all([AuthenticatedLayout.preload(), page.preload()])
  else if (pathname === '/auth') await AuthPage.preload()
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

const renderSignedIn = (render: (user: SignedInUser) => ReactNode) => (
  <RequireAuth>
    {(user) => (
      <TwoFactorGate key={user.sub} user={user}>
        {render(user)}
      </TwoFactorGate>
    )}
  </RequireAuth>
)

/** The routes of the app, and which of them require signing in. */
export function AppRoutes() {
  const signedInRoutes = Object.entries(signedInPages).map(([path, Page]) => [
    path,
    renderSignedIn((user) => (
      <AuthenticatedLayout user={user}>
        <Page />
      </AuthenticatedLayout>
    )),
  ])
  return (
    <Routes
      pages={{
        ...(Object.fromEntries(signedInRoutes) as Record<string, ReactNode>),
        [oauthCallbackPath]: <OAuthCallbackPage />,
        [documentCallbackPath]: <OAuthCallbackPage />,
        [`${serverCallbackPath}/:server`]: <OAuthCallbackPage />,
        [sharedPath]: <SharedPage renderSignedIn={(page) => renderSignedIn(() => page)} />,
        '/auth': <AuthPage />,
        '*': <NotFoundPage />,
      }}
    />
  )
}
