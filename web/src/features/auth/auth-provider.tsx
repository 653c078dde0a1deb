import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { dismissAllToasts, showToast } from '../../components/ui/toast.ts'
import { ApiError } from '../../lib/api-errors.ts'
import {
  claimPage,
  configureSession,
  endLocalSession,
  hasStoredSession,
  readSession,
  revokeSession,
  type SignedInUser,
} from '../../lib/auth-tokens.ts'
import { forgetDrafts } from '../../lib/drafts.ts'
import { announceSessionEnd, onSessionEvent } from '../../lib/auth-events.ts'
import { keepTokenFresh } from '../../lib/token-refresh.ts'
import { AuthContext, type Auth, type AuthState, type SignOutOptions } from './auth-context.ts'
import {
  hasHostedSignIn,
  hostedSignOutAddress,
  leaveWithNotice,
  sayLeftNotice,
  signedOutNotice,
  type Notice,
} from './hosted-ui.ts'

const revokedNotice = 'Two-factor authentication was switched on for your account. Please sign in again.'
/** several calls may hear of it at once */
const revokedToast = 'session-revoked'
const notReached = 'You are signed out in this browser, but the sign-in service could not be reached.'

/** Knows who is signed in, in step with the other tabs, and keeps the session alive while the page is open. */
export function AuthProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<AuthState>({ status: 'loading' })
  /** the page has been another user's: nothing of them may be shown or go on, nor their address be opened */
  const [isForeign, setIsForeign] = useState(false)
  useEffect(() => {
    // what asks before it is left has gone by now
    if (isForeign) location.replace('/')
  }, [isForeign])
  const sub = state.status === 'signed-in' ? state.user.sub : undefined
  const signedInUser = useRef<SignedInUser>(undefined)
  useEffect(() => {
    signedInUser.current = state.status === 'signed-in' ? state.user : undefined
  }, [state])

  /** Numbers what is learnt of the session, so that an answer that comes late does not undo what happened after its question. */
  const asked = useRef(0)
  const known = useRef(0)

  /** @param left the user chose it: nothing of them may stay, in any tab */
  const end = useCallback((left: boolean) => {
    known.current = ++asked.current
    announceSessionEnd(left ? 'signed-out' : 'ended')
    setState({ status: 'signed-out', left })
  }, [])

  const showUser = useCallback((user: SignedInUser | null) => {
    if (user) forgetDrafts(user.sub)
    const isOwn = !user || claimPage(user.sub)
    if (!isOwn || (!user && signedInUser.current)) announceSessionEnd('ended')
    if (!isOwn) setIsForeign(true)
    else setState(user ? { status: 'signed-in', user } : { status: 'signed-out', left: false })
  }, [])
  const refresh = useCallback(async () => {
    const own = ++asked.current
    const user = await readSession()
    if (own < known.current) return
    known.current = own
    showUser(user)
  }, [showUser])

  const endSession = useCallback(async () => {
    await endLocalSession()
    end(false)
  }, [end])

  const signOut = useCallback(
    async ({ isRevoked = false, notice = signedOutNotice }: SignOutOptions = {}) => {
      const hosted = await hostedSignOut(signedInUser.current)
      try {
        const refreshToken = await endLocalSession().finally(() => end(true))
        if (refreshToken !== undefined && !isRevoked) await revokeSession(refreshToken)
        say(hosted, notice)
      } catch (error) {
        const description = error instanceof ApiError ? error.sentence : notReached
        say(hosted, { kind: 'error', title: 'Error', description })
      }
    },
    [end],
  )

  useEffect(() => {
    sayLeftNotice()
    void refresh()
    // a page that the browser had put aside has heard nothing of other tabs meanwhile
    const comeBack = ({ persisted }: PageTransitionEvent) => {
      if (persisted) void refresh()
    }
    addEventListener('pageshow', comeBack)
    const stopListening = onSessionEvent((event) => {
      if (event === 'signed-out') {
        forgetDrafts()
        dismissAllToasts()
      }
      if (event === 'signed-out' || event === 'ended') {
        known.current = ++asked.current
        setState({ status: 'signed-out', left: true })
      }
      // asks the storage only: asking the service again would fail again and come back here
      else if (event === 'revoked')
        void endSession().then(() =>
          showToast('info', 'Signed out', { id: revokedToast, description: revokedNotice }),
        )
      else if (event === 'refused') void hasStoredSession().then((has) => has || end(false))
      else void refresh()
    })
    return () => {
      removeEventListener('pageshow', comeBack)
      stopListening()
    }
  }, [refresh, end, endSession])

  useEffect(() => (sub === undefined ? undefined : keepTokenFresh()), [sub])

  const auth = useMemo<Auth>(
    () => ({ state, refresh, endSession, signOut }),
    [state, refresh, endSession, signOut],
  )
  return <AuthContext value={auth}>{!isForeign && children}</AuthContext>
}

/** Where a Google session is ended as well; undefined for everybody else. */
async function hostedSignOut(user: SignedInUser | undefined): Promise<string | undefined> {
  if (!user?.federated) return undefined
  const config = await configureSession().catch(() => undefined)
  return config && hasHostedSignIn(config) ? hostedSignOutAddress(config) : undefined
}

function say(leaveFor: string | undefined, notice: Notice | null): void {
  if (leaveFor !== undefined) leaveWithNotice(leaveFor, notice)
  else if (notice) showToast(notice.kind, notice.title, { description: notice.description })
}
