import { QueryClientProvider } from '@tanstack/react-query'
import { createContext, use, useEffect, type ReactNode } from 'react'
import { useLocation } from '../lib/router.tsx'
import { lazyComponent } from '../components/lazy-component.tsx'
import type { SignedInUser } from '../lib/signed-in-user.ts'
import { useStartNewChat } from '../lib/new-chat.ts'
import { useServerModels } from '../lib/server-models.ts'
import { useUserQueryClient } from '../lib/user-resources.ts'
import { useIdle } from '../lib/when-idle.ts'
import { AppFrame } from './app-frame.tsx'
import { setCurrentDialog, useCurrentDialog } from './current-dialog.ts'
import { useShortcuts } from './use-shortcuts.ts'

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
