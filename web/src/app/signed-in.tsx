import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Outlet, useOutletContext } from 'react-router'
import type { SignedInUser } from '../lib/auth-session.ts'
import { queryClient } from '../lib/query-client.ts'

/** What every page of a signed-in user stands on: one cache, gone with the user (DEC-031). */
export function SignedIn({ user }: { user: SignedInUser }) {
  // nothing of one account is left for the next
  useEffect(() => () => queryClient.clear(), [])
  return (
    <QueryClientProvider client={queryClient}>
      <Outlet context={user} />
    </QueryClientProvider>
  )
}

/** Whose page this is; below `SignedIn` only. */
export const useSignedInUser = () => useOutletContext<SignedInUser>()
