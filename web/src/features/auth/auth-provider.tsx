import { t } from '@lingui/core/macro'
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { dismissAllToasts, showToast } from '../../components/ui/toast.ts'
import { ApiError } from '../../lib/api-errors.ts'
import { claimPage, loadSignedInUser } from '../../lib/auth-tokens.ts'
import { configureAuth } from '../../lib/configure-auth.ts'
import { clearTokens, revokeRefreshToken } from '../../lib/store-tokens.ts'
import type { SignedInUser } from '../../lib/signed-in-user.ts'
import { forgetLastChat } from '../../lib/last-chat.ts'
import { removeStoredImport } from '../../lib/import-database.ts'
import { removeInputs } from '../../lib/inputs.ts'
import { emitSignOut, onAuthEvent } from '../../lib/auth-events.ts'
import { pushOwnerKey, readStored, removeStored, writeStored } from '../../lib/storage.ts'
import { startTokenRefresh } from '../../lib/token-refresh.ts'
import {
  AuthContext,
  type Auth,
  type AuthState,
  type SessionEnd,
  type SignOutOptions,
} from './auth-context.ts'
import {
  hasHostedUi,
  buildHostedSignOutUrl,
  redirectWithToast,
  showPendingToast,
  signedOutMessage,
  type ToastMessage,
} from './hosted-ui.ts'

/** Stored while the page says why its session has ended, so that it says so again if it is reloaded meanwhile. */
const sessionEndKey = 'juno.session-ended'

const isSessionEnd = (value: string | null): value is SessionEnd =>
  value === 'expired' || value === 'revoked' || value === 'disabled'

function readSessionEnd(): SessionEnd | undefined {
  const ended = readStored('session', sessionEndKey)
  return isSessionEnd(ended) ? ended : undefined
}

/** Ends this browser's push notifications, which needs a token, so before the sign-out. Waits three seconds at most. */
async function endPush(): Promise<void> {
  if (readStored('local', pushOwnerKey) === null) return
  const ending = import('../../lib/push.ts').then(({ disablePush }) => disablePush())
  await Promise.race([ending, new Promise((resolve) => setTimeout(resolve, 3_000))]).catch(() => undefined)
}

/** The state without a signed-in user. @param ended why the session is over without the user */
const createSignedOutState = (ended = readSessionEnd()): AuthState => ({
  status: 'signed-out',
  isByUser: false,
  ended,
})

/** Removes what other users of this browser have entered, before this user sees the page. */
function removeOthersInput({ sub }: SignedInUser): void {
  forgetLastChat({ exceptUserId: sub })
  removeInputs(sub)
}

/** Reads who is signed in, for a page that is not rendered yet. */
export async function loadAuthState(): Promise<AuthState> {
  let ended: SessionEnd | undefined
  const stopListening = onAuthEvent((event) => {
    if (isSessionEnd(event)) ended = event
  })
  const user = await loadSignedInUser().finally(stopListening)
  if (!user) return createSignedOutState(ended)
  removeOthersInput(user)
  claimPage(user.sub)
  return { status: 'signed-in', user }
}

/** Whether a state has this very user already, so that nothing needs to render again. */
const hasUser = (state: AuthState, user: SignedInUser) =>
  state.status === 'signed-in' && !state.ended && JSON.stringify(state.user) === JSON.stringify(user)

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
  const [state, setState] = useState(initialState)
  /** somebody else has signed in than the user of this page: neither their data nor their address may stay */
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

  const { status } = state
  const ended = status === 'signed-in' ? state.ended : undefined
  useEffect(() => {
    if (ended) writeStored('session', sessionEndKey, ended)
    else if (status !== 'loading') removeStored('session', sessionEndKey)
  }, [status, ended])

  /** Numbers requests and results, so that a late response does not overwrite a newer state. */
  const lastRequest = useRef(0)
  const lastApplied = useRef(0)
  /** whether the session has ended without the user, who is being told */
  const hasEnded = useRef(initialState.status !== 'loading' && initialState.ended !== undefined)

  /** @param isByUser the user signed out: none of their data may stay, in any tab */
  const setSignedOut = useCallback(({ isByUser }: { isByUser: boolean }) => {
    lastApplied.current = ++lastRequest.current
    hasEnded.current = false
    emitSignOut(isByUser ? 'signed-out' : 'ended')
    setState({ status: 'signed-out', isByUser })
  }, [])

  /** The tokens are no longer valid. The page stays until the user has been told. */
  const endSession = useCallback((ended: SessionEnd) => {
    lastApplied.current = ++lastRequest.current
    hasEnded.current = true
    setState((current) => {
      if (current.status === 'signed-out' || (current.status === 'signed-in' && current.ended)) return current
      return current.status === 'signed-in'
        ? { ...current, ended }
        : { status: 'signed-out', isByUser: false, ended }
    })
  }, [])

  const applyUser = useCallback((user: SignedInUser | null) => {
    if (!user && hasEnded.current) return
    hasEnded.current = false
    if (user) removeOthersInput(user)
    const isPageOwner = !user || claimPage(user.sub)
    if (!isPageOwner || (!user && signedInUser.current)) emitSignOut('ended')
    if (!isPageOwner) setIsOtherUser(true)
    else if (user) setState((current) => (hasUser(current, user) ? current : { status: 'signed-in', user }))
    else setState(createSignedOutState())
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
    setSignedOut({ isByUser: false })
  }, [setSignedOut])

  const signOut = useCallback(
    async ({ isRevoked = false, toast = signedOutMessage }: SignOutOptions = {}) => {
      const hostedUrl = await getHostedSignOutUrl(signedInUser.current)
      if (!isRevoked) await endPush()
      try {
        const refreshToken = await clearTokens({ isByUser: true }).finally(() =>
          setSignedOut({ isByUser: true }),
        )
        if (refreshToken !== undefined && !isRevoked) await revokeRefreshToken(refreshToken)
        notify(hostedUrl, toast)
      } catch (error) {
        const description =
          error instanceof ApiError
            ? error.userMessage
            : t`You are signed out in this browser, but the sign-in service could not be reached.`
        notify(hostedUrl, { kind: 'error', title: t`Error`, description })
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
        removeStoredImport()
        forgetLastChat()
        removeInputs()
        dismissAllToasts()
        lastApplied.current = ++lastRequest.current
        hasEnded.current = false
        setState({ status: 'signed-out', isByUser: true })
      } else if (event === 'expired' || event === 'disabled') endSession(event)
      else if (event === 'revoked') void clearTokens().then(() => endSession(event))
      else if (event !== 'ended') void refresh()
    })
    return () => {
      removeEventListener('pageshow', onPageShow)
      stopListening()
    }
  }, [refresh, endSession])

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
