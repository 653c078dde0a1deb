import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { Outlet, useOutletContext } from 'react-router'
import { deferred } from '../components/lazy-component.tsx'
import type { SignedInUser } from '../lib/auth-tokens.ts'
import { createQueryClient } from '../lib/query-client.ts'
import { closeUserResources } from '../lib/user-resources.ts'
import { useIdle } from '../lib/when-idle.ts'

const { Deferred: IntegrationUpkeep } = deferred(
  () =>
    import('../features/integrations/state/connection-maintenance.tsx').then(
      (module) => module.IntegrationUpkeep,
    ),
  undefined,
  { silent: true },
)

/** What the pages of a signed-in user stand in: what the API answered, for as long as the same person is here. */
export function SignedIn({ user }: { user: SignedInUser }) {
  const idle = useIdle()
  // goes with the user, and so does what still arrives for them (DEC-031)
  const [queryClient] = useState(createQueryClient)
  useEffect(
    () => () => {
      closeUserResources(queryClient)
      queryClient.clear()
    },
    [queryClient],
  )
  return (
    <QueryClientProvider client={queryClient}>
      <Outlet context={user} />
      {idle && (
        <Suspense>
          <IntegrationUpkeep userId={user.sub} />
        </Suspense>
      )}
    </QueryClientProvider>
  )
}

/** Who is signed in, for the pages inside. */
export const useSignedInUser = (): SignedInUser => useOutletContext<SignedInUser>()
