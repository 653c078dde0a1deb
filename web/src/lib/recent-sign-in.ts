import { createContext, use, useCallback } from 'react'
import { ApiError } from './api-errors.ts'

/** Asks the user to sign in again, in place. Resolves to false when they decline, or cannot. */
type RequestSignIn = () => Promise<boolean>

/** Provided by `RecentSignInProvider`; without it the user cannot be asked. */
export const RecentSignInContext = createContext<RequestSignIn>(async () => false)

/** Error codes of calls that need a more recent sign-in. */
const recentSignInCodes = new Set(['recent_sign_in_required', 'sign_in_again'])

/**
 * For calls that need a recent sign-in.
 * @returns runs a call; if it is refused for an old sign-in, asks for a new one and runs it again
 */
export function useRecentSignIn(): <Result>(call: () => Promise<Result>) => Promise<Result> {
  const requestSignIn = use(RecentSignInContext)
  return useCallback(
    async (call) => {
      try {
        return await call()
      } catch (error) {
        if (!(error instanceof ApiError && recentSignInCodes.has(error.code)) || !(await requestSignIn()))
          throw error
        return call()
      }
    },
    [requestSignIn],
  )
}
