import { createContext, use, useCallback } from 'react'
import { ApiError } from '../api/api-errors.ts'
import { createStore, useStore } from '../browser/create-store.ts'

/** Asks the user to sign in again, in place. Resolves to false when they decline. */
type RequestSignIn = () => Promise<boolean>

/** Actions that ask at the same time share one dialog (`SignInAgain`). */
const requestStore = createStore<PromiseWithResolvers<boolean> | null>(null)

const requestSignIn: RequestSignIn = () => {
  const request = requestStore.getState() ?? Promise.withResolvers<boolean>()
  requestStore.setState(request)
  return request.promise
}

export const useIsSignInRequested = (): boolean => useStore(requestStore) !== null

/** Ends the request. @param hasSignedIn false if the user declines */
export function settleSignIn(hasSignedIn: boolean): void {
  requestStore.getState()?.resolve(hasSignedIn)
  requestStore.setState(null)
}

/** How the user is asked. */
export const RecentSignInContext = createContext<RequestSignIn>(requestSignIn)

/** Error codes of calls that need a more recent sign-in. */
const recentSignInCodes = new Set(['recent_sign_in_required', 'sign_in_again'])

/** Runs a call; if it is refused for an old sign-in, asks for a new one and runs it again. @throws what the call throws */
export async function withRecentSignIn<Result>(
  call: () => Promise<Result>,
  request = requestSignIn,
): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ApiError && recentSignInCodes.has(error.code)) || !(await request())) throw error
    return call()
  }
}

/** As `withRecentSignIn`, for components. */
export function useRecentSignIn(): <Result>(call: () => Promise<Result>) => Promise<Result> {
  const request = use(RecentSignInContext)
  return useCallback((call) => withRecentSignIn(call, request), [request])
}
