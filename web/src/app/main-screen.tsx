import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { SignedInUser } from '../lib/auth-session.ts'
import { queryClient } from '../lib/query-client.ts'
import { OfflineBar } from './offline-bar.tsx'
import { TopBar } from './top-bar.tsx'

/** The main screen: top bar, history, the open conversation, which is named by the address (`/?c=<session id>`). */
export function MainScreen({ user }: { user: SignedInUser }) {
  // gone with the user: nothing of one account is left for the next (DEC-031)
  useEffect(() => () => queryClient.clear(), [])
  return (
    <QueryClientProvider client={queryClient}>
      <div className="grid h-dvh grid-rows-[auto_minmax(0,1fr)]">
        <div>
          <TopBar user={user} onOpenHistory={() => undefined} />
          <OfflineBar />
        </div>
      </div>
    </QueryClientProvider>
  )
}
