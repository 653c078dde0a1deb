import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { Outlet, useLocation, useOutletContext } from 'react-router'
import { lazyComponent } from '../components/lazy-component.tsx'
import type { SignedInUser } from '../lib/signed-in-user.ts'
import { useStartNewChat } from '../lib/new-chat.ts'
import { createQueryClient } from '../lib/query-client.ts'
import { useServerModels } from '../lib/server-models.ts'
import { closeUserResources } from '../lib/user-resources.ts'
import { useIdle } from '../lib/when-idle.ts'
import { AppFrame } from './app-frame.tsx'
import { setCurrentDialog, useCurrentDialog } from './current-dialog.ts'
import { useShortcuts } from './use-shortcuts.ts'

const GlobalDialogs = lazyComponent(() => import('./global-dialogs.tsx'), 'GlobalDialogs')

const Maintenance = lazyComponent(() => import('./maintenance.tsx'), 'Maintenance', undefined, {
  silent: true,
})

/** Pages that have the conversations beside them. */
const isFramed = (pathname: string) =>
  /^\/($|projects\/|assistants\/|scheduled(?:$|\/)|waiting$)/.test(pathname)

/** The layout of all pages for signed-in users, with one query client per user. */
export function AuthenticatedLayout({ user }: { user: SignedInUser }) {
  useServerModels()
  const isIdle = useIdle()
  useShortcuts(useStartNewChat())
  const currentDialog = useCurrentDialog()
  const { pathname } = useLocation()
  // closed when the user leaves the page
  useEffect(() => () => setCurrentDialog(null), [pathname])
  // one client per user: responses that arrive after signing out are dropped with it
  const [queryClient] = useState(createQueryClient)
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
      // in development React unmounts once for a try
      queueMicrotask(() => {
        if (isMounted.current) return
        closeUserResources(queryClient)
        queryClient.clear()
      })
    }
  }, [queryClient])
  return (
    <QueryClientProvider client={queryClient}>
      {isFramed(pathname) ? (
        <AppFrame user={user}>
          <Outlet context={user} />
        </AppFrame>
      ) : (
        <Outlet context={user} />
      )}
      {currentDialog !== null && currentDialog !== 'history' && (
        <Suspense>
          <GlobalDialogs />
        </Suspense>
      )}
      {isIdle && (
        <Suspense>
          <Maintenance userId={user.sub} />
        </Suspense>
      )}
    </QueryClientProvider>
  )
}

/** The signed-in user, for the pages inside. */
export const useSignedInUser = (): SignedInUser => useOutletContext<SignedInUser>()
