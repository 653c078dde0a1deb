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
import { removeDrafts } from '../../lib/drafts.ts'
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
import * as texts from './texts.ts'
import * as commonTexts from '../../components/texts.ts'

/** One id, because several calls may fail at once. */
const revokedToastId = 'session-revoked'

/** Provides the sign-in state, in sync with the other tabs, and refreshes the tokens while the page is open. */
export function AuthProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<AuthState>({ status: 'loading' })
  /** the page was used by another user: none of their data may stay on it, nor their URL */
  const [isOtherUser, setIsOtherUser] = useState(false)
  useEffect(() => {
    // leave guards are unmounted by now
    if (isOtherUser) location.replace('/')
  }, [isOtherUser])
  const sub = state.status === 'signed-in' ? state.user.sub : undefined
  const signedInUser = useRef<SignedInUser>(undefined)
  useEffect(() => {
    signedInUser.current = state.status === 'signed-in' ? state.user : undefined
  }, [state])

  /** Numbers requests and results, so that a late response does not overwrite a newer state. */
  const lastRequest = useRef(0)
  const lastApplied = useRef(0)

  /** @param isByUser the user signed out: none of their data may stay, in any tab */
  const setSignedOut = useCallback((isByUser: boolean) => {
    lastApplied.current = ++lastRequest.current
    emitSignOut(isByUser ? 'signed-out' : 'ended')
    setState({ status: 'signed-out', isByUser })
  }, [])

  const applyUser = useCallback((user: SignedInUser | null) => {
    if (user) removeDrafts({ exceptUserId: user.sub })
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
    async ({ isRevoked = false, toast = signedOutMessage }: SignOutOptions = {}) => {
      const hostedUrl = await getHostedSignOutUrl(signedInUser.current)
      try {
        const refreshToken = await clearTokens().finally(() => setSignedOut(true))
        if (refreshToken !== undefined && !isRevoked) await revokeRefreshToken(refreshToken)
        notify(hostedUrl, toast)
      } catch (error) {
        const description = error instanceof ApiError ? error.userMessage : texts.signOutUnreachable
        notify(hostedUrl, { kind: 'error', title: commonTexts.error, description })
      }
    },
    [setSignedOut],
  )

  useEffect(() => {
    showPendingToast()
    void refresh()
    // a page from the back/forward cache has missed events of other tabs
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) void refresh()
    }
    addEventListener('pageshow', onPageShow)
    const stopListening = onAuthEvent((event) => {
      if (event === 'signed-out') {
        removeDrafts()
        dismissAllToasts()
      }
      if (event === 'signed-out' || event === 'ended') {
        lastApplied.current = ++lastRequest.current
        setState({ status: 'signed-out', isByUser: true })
      }
      // checks only the storage: calling the service would fail again and end up here
      else if (event === 'revoked')
        void expireSignIn().then(() =>
          showToast('info', texts.signedOut, { id: revokedToastId, description: texts.sessionRevoked }),
        )
      else if (event === 'refresh-failed')
        void hasStoredTokens().then((hasTokens) => hasTokens || setSignedOut(false))
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

/** The hosted sign-out page, for users who signed in with an identity provider. */
async function getHostedSignOutUrl(user: SignedInUser | undefined): Promise<string | undefined> {
  if (user?.provider === undefined) return undefined
  const config = await configureAuth().catch(() => undefined)
  return config && hasHostedUi(config) ? buildHostedSignOutUrl(config) : undefined
}

function notify(hostedUrl: string | undefined, toast: ToastMessage | null): void {
  if (hostedUrl !== undefined) redirectWithToast(hostedUrl, toast)
  else if (toast) showToast(toast.kind, toast.title, { description: toast.description })
}
