import { useCallback, useEffect, useRef, useState } from 'react'
import { emitAuthEvent } from '../../lib/auth-events.ts'
import { claimPage, loadSignedInUser } from '../../lib/auth-tokens.ts'
import { serverNow } from '../../lib/server-clock.ts'
import type { SignedInUser } from '../../lib/signed-in-user.ts'
import type { AuthState, EndReason } from './auth-context.ts'
import { createSignedOutState, removeOthersInput } from './auth-state.ts'

/** Whether a state has this very user already, so that nothing needs to render again. */
const hasUser = (state: AuthState, user: SignedInUser) =>
  state.status === 'signed-in' && !state.ended && JSON.stringify(state.user) === JSON.stringify(user)

/**
 * The state of the sign-in, and the functions that change it. They are stable.
 * @returns `isOtherUser`: another user than that of this page has signed in, so that nothing of the page may stay
 */
export function useAuthState(initialState: AuthState) {
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
