import { Suspense } from 'react'
import { lazyComponent } from '../../components/lazy-component.tsx'
import type { SignedInUser } from '../../lib/api/signed-in-user.ts'
import { settleSignIn, useIsSignInRequested } from '../../lib/sign-in/recent-sign-in.ts'

const SignInAgainDialog = lazyComponent(() => import('./sign-in-again-dialog.tsx'), 'SignInAgainDialog')

/** Asks for a new sign-in where an action needs one, without leaving the page. Users of an identity provider have to leave it, if they agree. */
export const SignInAgain = ({ user }: { user: SignedInUser }) =>
  useIsSignInRequested() && (
    <Suspense>
      <SignInAgainDialog user={user} onDone={() => settleSignIn(true)} onCancel={() => settleSignIn(false)} />
    </Suspense>
  )
