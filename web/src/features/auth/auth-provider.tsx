import { useCallback, useEffect, useMemo, type ReactNode } from 'react'
import { dismissAllToasts } from '../../components/ui/toast.ts'
import { emitAuthEvent, onAuthEvent } from '../../lib/auth-events.ts'
import { removeStoredImport } from '../../lib/import-database.ts'
import { removeInputs } from '../../lib/inputs.ts'
import { forgetLastChat } from '../../lib/last-chat.ts'
import { clearTokens } from '../../lib/store-tokens.ts'
import { startTokenRefresh } from '../../lib/token-refresh.ts'
import { AuthContext, type Auth, type AuthState, type SignOutOptions } from './auth-context.ts'
import { showPendingToast } from './hosted-ui.ts'
import { storeSessionEnd } from './session-end.ts'
import { signOutUser } from './sign-out.ts'
import { useAuthState } from './use-auth-state.ts'

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
