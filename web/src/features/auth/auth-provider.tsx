import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { showToast } from '../../components/ui/toast.ts'
import { ApiError } from '../../lib/api-errors.ts'
import {
  configureSession,
  endLocalSession,
  hasStoredSession,
  readSession,
  revokeSession,
  type SignedInUser,
} from '../../lib/auth-session.ts'
import { forgetDrafts } from '../../lib/drafts.ts'
import { onSessionEvent } from '../../lib/session-events.ts'
import { keepTokenFresh } from '../../lib/token-refresh.ts'
import { AuthContext, type Auth, type AuthState } from './auth-context.ts'
import { hasHostedSignIn, hostedSignOutAddress } from './hosted-pool.ts'
import { leaveWithNotice, sayLeftNotice, signedOutNotice } from './hosted-sign-out.ts'

const notReached = 'You are signed out in this browser, but the sign-in service could not be reached.'

/** Knows who is signed in, in step with the other tabs, and keeps the session alive while the page is open. */
export function AuthProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<AuthState>({ status: 'loading' })
  const sub = state.status === 'signed-in' ? state.user.sub : undefined
  const current = useRef<string>(undefined)
  const signedInUser = useRef<SignedInUser>(undefined)
  useEffect(() => {
    current.current = sub
    signedInUser.current = state.status === 'signed-in' ? state.user : undefined
  }, [sub, state])

  const refresh = useCallback(async () => {
    const user = await readSession()
    // another tab signed in as someone else: nothing on this page may be shown to them
    if (user && current.current !== undefined && user.sub !== current.current) location.reload()
    else setState(user ? { status: 'signed-in', user } : { status: 'signed-out', left: false })
  }, [])

  const endSession = useCallback(async () => {
    await endLocalSession()
    setState({ status: 'signed-out', left: false })
  }, [])

  const signOut = useCallback(async () => {
    forgetDrafts()
    const hosted = await hostedSignOut(signedInUser.current)
    try {
      const refreshToken = await endLocalSession()
      setState({ status: 'signed-out', left: true })
      if (refreshToken !== undefined) await revokeSession(refreshToken)
      say(hosted, signedOutNotice)
    } catch (error) {
      setState({ status: 'signed-out', left: true })
      const description = error instanceof ApiError ? error.sentence : notReached
      say(hosted, { kind: 'error', title: 'Error', description })
    }
  }, [])

  useEffect(() => {
    sayLeftNotice()
    void refresh()
    // a page that the browser had put aside has heard nothing of other tabs meanwhile
    const comeBack = ({ persisted }: PageTransitionEvent) => {
      if (persisted) void refresh()
    }
    addEventListener('pageshow', comeBack)
    const stopListening = onSessionEvent((event) => {
      if (event === 'signed-out') setState({ status: 'signed-out', left: true })
      // asks the storage only: asking the service again would fail again and come back here
      else if (event === 'refused')
        void hasStoredSession().then((has) => has || setState({ status: 'signed-out', left: false }))
      else void refresh()
    })
    return () => {
      removeEventListener('pageshow', comeBack)
      stopListening()
    }
  }, [refresh])

  useEffect(() => (sub === undefined ? undefined : keepTokenFresh()), [sub])

  const auth = useMemo<Auth>(
    () => ({ state, refresh, endSession, signOut }),
    [state, refresh, endSession, signOut],
  )
  return <AuthContext value={auth}>{children}</AuthContext>
}

/** Where a Google session is ended as well; undefined for everybody else. */
async function hostedSignOut(user: SignedInUser | undefined): Promise<string | undefined> {
  if (!user?.federated) return undefined
  const config = await configureSession().catch(() => undefined)
  return config && hasHostedSignIn(config) ? hostedSignOutAddress(config) : undefined
}

function say(leaveFor: string | undefined, notice: typeof signedOutNotice): void {
  if (leaveFor !== undefined) leaveWithNotice(leaveFor, notice)
  else showToast(notice.kind, notice.title, { description: notice.description })
}
