import { Suspense, useCallback, useRef, useState, type ReactNode } from 'react'
import { lazyComponent } from '../../components/lazy-component.tsx'
import type { SignedInUser } from '../../lib/signed-in-user.ts'
import { RecentSignInContext } from '../../lib/recent-sign-in.ts'

const SignInAgainDialog = lazyComponent(() => import('./sign-in-again-dialog.tsx'), 'SignInAgainDialog')

/**
 * Lets its children ask for a new sign-in without leaving the page; actions that ask at the same time share one dialog. Users of an identity
 * provider have to leave the page, if they agree.
 */
export function RecentSignInProvider({ user, children }: { user: SignedInUser; children: ReactNode }) {
  const request = useRef<PromiseWithResolvers<boolean>>(undefined)
  const [isAsking, setIsAsking] = useState(false)
  const ask = useCallback(() => {
    request.current ??= Promise.withResolvers()
    setIsAsking(true)
    return request.current.promise
  }, [])
  const settle = (hasSignedIn: boolean) => {
    request.current?.resolve(hasSignedIn)
    request.current = undefined
    setIsAsking(false)
  }
  return (
    <RecentSignInContext value={ask}>
      {children}
      {isAsking && (
        <Suspense>
          <SignInAgainDialog user={user} onDone={() => settle(true)} onCancel={() => settle(false)} />
        </Suspense>
      )}
    </RecentSignInContext>
  )
}
