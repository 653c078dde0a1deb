import { Suspense, useCallback, useState, type ReactNode } from 'react'
import { deferred } from '../../components/lazy-component.tsx'
import type { SignedInUser } from '../../lib/auth-tokens.ts'
import { RecentSignInContext } from '../../lib/recent-sign-in.ts'

const { Deferred: SignInAgainDialog } = deferred(() =>
  import('./sign-in-again-dialog.tsx').then((module) => module.SignInAgainDialog),
)

/** Lets what is inside ask for a new sign-in without leaving the page. Who comes from Google would have to leave it, and is not asked. */
export function RecentSignInProvider({ user, children }: { user: SignedInUser; children: ReactNode }) {
  const [pending, setPending] = useState<{ settle: (signedIn: boolean) => void }>()
  const { federated = false } = user
  const ask = useCallback(
    () =>
      federated
        ? Promise.resolve(false)
        : new Promise<boolean>((resolve) =>
            setPending({
              settle: (signedIn) => {
                setPending(undefined)
                resolve(signedIn)
              },
            }),
          ),
    [federated],
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
