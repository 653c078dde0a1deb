import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { dismissAllToasts, showToast } from '../../components/ui/toast.ts'
import { ApiError } from '../../lib/api-errors.ts'
import {
  claimPage,
  configureAuth,
  clearTokens,
  hasStoredTokens,
  loadSignedInUser,
  revokeRefreshToken,
  type SignedInUser,
} from '../../lib/auth-tokens.ts'
import { forgetDrafts } from '../../lib/drafts.ts'
import { emitSignOut, onAuthEvent } from '../../lib/auth-events.ts'
import { startTokenRefresh } from '../../lib/token-refresh.ts'
import { AuthContext, type Auth, type AuthState, type SignOutOptions } from './auth-context.ts'
import {
  hasHostedUi,
  buildHostedSignOutUrl,
  redirectWithToast,
  showPendingToast,
  signedOutMessage,
  type ToastMessage,
} from './hosted-ui.ts'

const revokedMessage = 'Two-factor authentication was switched on for your account. Please sign in again.'
/** several calls may hear of it at once */
const revokedToastId = 'session-revoked'
const unreachable = 'You are signed out in this browser, but the sign-in service could not be reached.'

/** Knows who is signed in, in step with the other tabs, and keeps the session alive while the page is open. */
export function AuthProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<AuthState>({ status: 'loading' })
  /** the page has been another user's: nothing of them may be shown or go on, nor their address be opened */
  const [isOtherUser, setIsOtherUser] = useState(false)
  useEffect(() => {
    // what asks before it is left has gone by now
    if (isOtherUser) location.replace('/')
  }, [isOtherUser])
  const sub = state.status === 'signed-in' ? state.user.sub : undefined
  const signedInUser = useRef<SignedInUser>(undefined)
  useEffect(() => {
    signedInUser.current = state.status === 'signed-in' ? state.user : undefined
  }, [state])

  /** Numbers what is learnt of the session, so that an answer that comes late does not undo what happened after its question. */
  const lastRequest = useRef(0)
  const lastApplied = useRef(0)

  /** @param left the user chose it: nothing of them may stay, in any tab */
  const setSignedOut = useCallback((isByUser: boolean) => {
    lastApplied.current = ++lastRequest.current
    emitSignOut(isByUser ? 'signed-out' : 'ended')
    setState({ status: 'signed-out', isByUser })
  }, [])

  const applyUser = useCallback((user: SignedInUser | null) => {
    if (user) forgetDrafts(user.sub)
    const isPageOwner = !user || claimPage(user.sub)
    if (!isPageOwner || (!user && signedInUser.current)) emitSignOut('ended')
    if (!isPageOwner) setIsOtherUser(true)
    else setState(user ? { status: 'signed-in', user } : { status: 'signed-out', isByUser: false })
  }, [])
  const refresh = useCallback(async () => {
    const request = ++lastRequest.current
    const user = await loadSignedInUser()
    if (request < lastApplied.current) return
    lastApplied.current = request
    applyUser(user)
  }, [applyUser])

  const expireSignIn = useCallback(async () => {
    await clearTokens()
    setSignedOut(false)
  }, [setSignedOut])

  const signOut = useCallback(
    async ({ isRevoked = false, message = signedOutMessage }: SignOutOptions = {}) => {
      const hostedUrl = await getHostedSignOutUrl(signedInUser.current)
      try {
        const refreshToken = await clearTokens().finally(() => setSignedOut(true))
        if (refreshToken !== undefined && !isRevoked) await revokeRefreshToken(refreshToken)
        notify(hostedUrl, message)
      } catch (error) {
        const description = error instanceof ApiError ? error.userMessage : unreachable
        notify(hostedUrl, { kind: 'error', title: 'Error', description })
      }
    },
    [setSignedOut],
  )

  useEffect(() => {
    showPendingToast()
    void refresh()
    // a page that the browser had put aside has heard nothing of other tabs meanwhile
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) void refresh()
    }
    addEventListener('pageshow', onPageShow)
    const stopListening = onAuthEvent((event) => {
      if (event === 'signed-out') {
        forgetDrafts()
        dismissAllToasts()
      }
      if (event === 'signed-out' || event === 'ended') {
        lastApplied.current = ++lastRequest.current
        setState({ status: 'signed-out', isByUser: true })
      }
      // asks the storage only: asking the service again would fail again and come back here
      else if (event === 'revoked')
        void expireSignIn().then(() =>
          showToast('info', 'Signed out', { id: revokedToastId, description: revokedMessage }),
        )
      else if (event === 'refused') void hasStoredTokens().then((has) => has || setSignedOut(false))
      else void refresh()
    })
    return () => {
      removeEventListener('pageshow', onPageShow)
      stopListening()
    }
  }, [refresh, setSignedOut, expireSignIn])

  useEffect(() => (sub === undefined ? undefined : startTokenRefresh()), [sub])

  const auth = useMemo<Auth>(
    () => ({ state, refresh, expireSignIn, signOut }),
    [state, refresh, expireSignIn, signOut],
  )
  return <AuthContext value={auth}>{!isOtherUser && children}</AuthContext>
}

/** Where a Google session is ended as well; undefined for everybody else. */
async function getHostedSignOutUrl(user: SignedInUser | undefined): Promise<string | undefined> {
  if (!user?.federated) return undefined
  const config = await configureAuth().catch(() => undefined)
  return config && hasHostedUi(config) ? buildHostedSignOutUrl(config) : undefined
}

function notify(hostedUrl: string | undefined, message: ToastMessage | null): void {
  if (hostedUrl !== undefined) redirectWithToast(hostedUrl, message)
  else if (message) showToast(message.kind, message.title, { description: message.description })
}
