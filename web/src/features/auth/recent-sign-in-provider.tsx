import { Suspense, useCallback, useState, type ReactNode } from 'react'
import { lazyComponent } from '../../components/lazy-component.tsx'
import type { SignedInUser } from '../../lib/auth-tokens.ts'
import { RecentSignInContext } from '../../lib/recent-sign-in.ts'

const { Component: SignInAgainDialog } = lazyComponent(() =>
  import('./sign-in-again-dialog.tsx').then((module) => module.SignInAgainDialog),
)

/**
 * Lets its children ask for a new sign-in without leaving the page. Users of an identity provider have to leave it, if they agree.
 */
export function RecentSignInProvider({ user, children }: { user: SignedInUser; children: ReactNode }) {
  const [pending, setPending] = useState<{ settle: (signedIn: boolean) => void }>()
  const ask = useCallback(
    () =>
      new Promise<boolean>((resolve) =>
        setPending({
          settle: (signedIn) => {
            setPending(undefined)
            resolve(signedIn)
          },
        }),
      ),
    [],
  )
  return (
    <RecentSignInContext value={ask}>
      {children}
      {pending && (
        <Suspense>
          <SignInAgainDialog
            user={user}
            onDone={() => pending.settle(true)}
            onCancel={() => pending.settle(false)}
          />
        </Suspense>
      )}
    </RecentSignInContext>
  )
}
