import { Suspense, useCallback, useState, type ReactNode } from 'react'
import { lazyComponent } from '../../components/lazy-component.tsx'
import type { SignedInUser } from '../../lib/signed-in-user.ts'
import { RecentSignInContext } from '../../lib/recent-sign-in.ts'

const SignInAgainDialog = lazyComponent(() => import('./sign-in-again-dialog.tsx'), 'SignInAgainDialog')

/**
 * Lets its children ask for a new sign-in without leaving the page. Users of an identity provider have to leave it, if they agree.
 */
export function RecentSignInProvider({ user, children }: { user: SignedInUser; children: ReactNode }) {
  const [request, setRequest] = useState<{ settle: (signedIn: boolean) => void }>()
  const ask = useCallback(
    () =>
      new Promise<boolean>((resolve) =>
        setRequest({
          settle: (signedIn) => {
            setRequest(undefined)
            resolve(signedIn)
          },
        }),
      ),
    [],
  )
  return (
    <RecentSignInContext value={ask}>
      {children}
      {request && (
        <Suspense>
          <SignInAgainDialog
            user={user}
            onDone={() => request.settle(true)}
            onCancel={() => request.settle(false)}
          />
        </Suspense>
      )}
    </RecentSignInContext>
  )
}
