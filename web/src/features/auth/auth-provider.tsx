import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { dismissAllToasts } from '../../components/ui/toast.ts'
import { emitAuthEvent, onAuthEvent } from '../../lib/api/auth-events.ts'
import { removeStoredImport } from '../../lib/browser/import-database.ts'
import { removeInputs } from '../../lib/input/inputs.ts'
import { forgetLastChat } from '../../lib/navigation/last-chat.ts'
import { clearTokens } from '../../lib/sign-in/store-tokens.ts'
import { startTokenRefresh } from '../../lib/sign-in/token-refresh.ts'
import {
  AuthContext,
  type Auth,
  type AuthState,
  type EndReason,
  type SignOutOptions,
} from './auth-context.ts'
import { showPendingToast } from './hosted-ui.ts'
import { storeSessionEnd } from './session-end.ts'
import { signOutUser } from './sign-out.ts'
import { serverNow } from '../../lib/browser/server-clock.ts'
import { claimPage, loadSignedInUser } from '../../lib/api/auth-tokens.ts'
import type { SignedInUser } from '../../lib/api/signed-in-user.ts'
import { createSignedOutState, removeOthersInput } from './auth-state.ts'

/** Whether a state has this very user already, so that nothing needs to render again. */
const hasUser = (state: AuthState, user: SignedInUser) =>
  state.status === 'signed-in' && !state.ended && JSON.stringify(state.user) === JSON.stringify(user)

/**
 * The state of the sign-in, and the functions that change it. They are stable.
 * @returns `isOtherUser`: another user than that of this page has signed in, so that nothing of the page may stay
 */
function useAuthState(initialState: AuthState) {
  const [state, setState] = useState(initialState)
  const [isOtherUser, setIsOtherUser] = useState(false)
  /** the user of `state`, for functions that are called later */
  const signedInUser = useRef<SignedInUser>(undefined)
  useEffect(() => {
    signedInUser.current = state.status === 'signed-in' ? state.user : undefined
  }, [state])

  /** Numbers requests and results, so that a late response does not overwrite a newer state. */
  const lastRequest = useRef(0)
  const lastApplied = useRef(0)
  /** whether the session has ended without the user, who is being told */
  const hasEnded = useRef(initialState.status !== 'loading' && initialState.ended !== undefined)

  const setSignedOut = useCallback(({ isByUser }: { isByUser: boolean }) => {
    lastApplied.current = ++lastRequest.current
    hasEnded.current = false
    setState({ status: 'signed-out', isByUser })
  }, [])

  /** The session is over without the user. The page stays until they have been told; the first reason counts. */
  const endSession = useCallback((reason: EndReason) => {
    const ended = { reason, atMs: serverNow() }
    lastApplied.current = ++lastRequest.current
    hasEnded.current = true
    setState((current) => {
      if (current.status === 'loading') return createSignedOutState(ended)
      return current.status === 'signed-in' && !current.ended ? { ...current, ended } : current
    })
  }, [])

  const applyUser = useCallback((user: SignedInUser | null) => {
    if (!user) {
      if (hasEnded.current) return
      if (signedInUser.current) emitAuthEvent('ended')
      setState(createSignedOutState())
      return
    }
    hasEnded.current = false
    removeOthersInput(user)
    if (claimPage(user.sub))
      setState((current) => (hasUser(current, user) ? current : { status: 'signed-in', user }))
    else {
      emitAuthEvent('ended')
      setIsOtherUser(true)
    }
  }, [])

  /** Reads again who is signed in. */
  const refresh = useCallback(async () => {
    const request = ++lastRequest.current
    const user = await loadSignedInUser()
    if (request < lastApplied.current) return
    lastApplied.current = request
    applyUser(user)
  }, [applyUser])

  return { state, isOtherUser, signedInUser, setSignedOut, endSession, refresh }
}

/** Removes what the user who signs out has entered and sees. */
function removeTraces(): void {
  removeStoredImport()
  forgetLastChat()
  removeInputs()
  dismissAllToasts()
}

/**
 * Provides the sign-in state, in sync with the other tabs, and refreshes the tokens while the page is open.
 * @param initialState from `loadAuthState`, if it is known before the first render
 */
export function AuthProvider({
  initialState = { status: 'loading' },
  children,
}: {
  initialState?: AuthState
  children: ReactNode
}) {
  const { state, isOtherUser, signedInUser, setSignedOut, endSession, refresh } = useAuthState(initialState)
  const { status } = state
  const ended = status === 'signed-in' ? state.ended : undefined
  useEffect(() => {
    if (status !== 'loading') storeSessionEnd(ended)
  }, [status, ended])

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
        removeTraces()
        setSignedOut({ isByUser: true })
      } else if (event === 'expired' || event === 'disabled') endSession(event)
      else if (event === 'revoked') void clearTokens().then(() => endSession(event))
      else if (event !== 'ended') void refresh()
    })
    return () => {
      removeEventListener('pageshow', onPageShow)
      stopListening()
    }
  }, [refresh, setSignedOut, endSession])

  const sub = status === 'signed-in' ? state.user.sub : undefined
  useEffect(() => (sub === undefined ? undefined : startTokenRefresh()), [sub])

  useEffect(() => {
    // leave guards are unmounted by now
    if (isOtherUser) location.replace('/')
  }, [isOtherUser])

  const expireSignIn = useCallback(async () => {
    await clearTokens()
    emitAuthEvent('ended')
    setSignedOut({ isByUser: false })
  }, [setSignedOut])
  const signOut = useCallback(
    // the listener above ends the sign-in of this tab, as those of the other tabs do
    (options?: SignOutOptions) =>
      signOutUser(signedInUser.current, () => emitAuthEvent('signed-out'), options),
    [signedInUser],
  )
  const auth = useMemo<Auth>(
    () => ({ state, refresh, expireSignIn, signOut }),
    [state, refresh, expireSignIn, signOut],
  )
  return <AuthContext value={auth}>{!isOtherUser && children}</AuthContext>
}
