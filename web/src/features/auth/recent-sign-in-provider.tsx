import { Suspense, useCallback, useState, type ReactNode } from 'react'
import { deferred } from '../../components/lazy-component.tsx'
import type { SignedInUser } from '../../lib/auth-tokens.ts'
import { RecentSignInContext } from '../../lib/recent-sign-in.ts'

const { Deferred: SignInAgainDialog } = deferred(() =>
  import('./sign-in-again-dialog.tsx').then((module) => module.SignInAgainDialog),
)

/** Lets what is inside ask for a new sign-in without leaving the page. Who comes from Google would have to leave it, and is not asked. */
export function RecentSignInProvider({ user, children }: { user: SignedInUser; children: ReactNode }) {
  const [asked, setAsked] = useState<{ answer: (signedIn: boolean) => void }>()
  const { federated = false } = user
  const ask = useCallback(
    () =>
      federated
        ? Promise.resolve(false)
        : new Promise<boolean>((resolve) =>
            setAsked({
              answer: (signedIn) => {
                setAsked(undefined)
                resolve(signedIn)
              },
            }),
          ),
    [federated],
  )
  return (
    <RecentSignInContext value={ask}>
      {children}
      {asked && (
        <Suspense>
          <SignInAgainDialog
            user={user}
            onDone={() => asked.answer(true)}
            onCancel={() => asked.answer(false)}
          />
        </Suspense>
      )}
    </RecentSignInContext>
  )
}
