import { QueryClientProvider } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useEffect } from 'react'
import { lazyComponent } from '../components/lazy-component.tsx'
import { useUserQueryClient } from '../lib/actions/user-resources.ts'
import { callApi } from '../lib/api/call-api.ts'
import { setModels, useConfig } from '../lib/api/config.ts'
import type { SignedInUser } from '../lib/api/signed-in-user.ts'
import { useIdle } from '../lib/browser/when-idle.ts'
import { useStartNewChat } from '../lib/navigation/new-chat.ts'
import { useLocation } from '../lib/navigation/router.tsx'
import { AppFrame } from './app-frame.tsx'
import { setCurrentDialog, useCurrentDialog } from './current-dialog.ts'
import { useShortcuts } from './use-shortcuts.ts'

/** Loads the models where the configuration has none: their server lists them, and only users may ask for them. */
function useServerModels(): void {
  const config = useConfig()
  const isMissing = config !== undefined && config.models === undefined
  useEffect(() => {
    if (!isMissing) return
    const leaving = new AbortController()
    callApi('models.list', {}, { signal: leaving.signal }).then(
      ({ models }) => setModels(models),
      // without a menu the default model replies; the next page load asks again
      () => undefined,
    )
    return () => leaving.abort()
  }, [isMissing])
}

const GlobalDialogs = lazyComponent(() => import('./global-dialogs.tsx'), 'GlobalDialogs', null)

const Maintenance = lazyComponent(() => import('./maintenance.tsx'), 'Maintenance', null, { silent: true })

/** Pages that have the conversations beside them. */
const isFramed = (pathname: string) =>
  /^\/($|projects\/|assistants\/|(?:scheduled|waiting)(?:$|\/))/.test(pathname)

/** The layout of all pages for signed-in users, with one query client per user. */
export function AuthenticatedLayout({ user, children }: { user: SignedInUser; children: ReactNode }) {
  useServerModels()
  const isIdle = useIdle()
  useShortcuts(useStartNewChat())
  const currentDialog = useCurrentDialog()
  const { pathname } = useLocation()
  // closed when the user leaves the page
  useEffect(() => () => setCurrentDialog(null), [pathname])
  const queryClient = useUserQueryClient()
  return (
    <QueryClientProvider client={queryClient}>
      <UserContext value={user}>
        {isFramed(pathname) ? <AppFrame user={user}>{children}</AppFrame> : children}
      </UserContext>
      {currentDialog !== null && currentDialog !== 'history' && <GlobalDialogs />}
      {isIdle && <Maintenance user={user} />}
    </QueryClientProvider>
  )
}

const UserContext = createContext<SignedInUser | null>(null)

/** The signed-in user, for the pages inside. */
export function useSignedInUser(): SignedInUser {
  const user = use(UserContext)
  if (!user) throw new Error('nobody is signed in here')
  return user
}
