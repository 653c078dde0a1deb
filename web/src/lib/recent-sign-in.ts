import { createContext, use, useCallback } from 'react'
import { ApiError } from './api-errors.ts'

/** Asks the person to sign in again, in place. Resolves to false when they would rather not, or cannot here. */
type RequestSignIn = () => Promise<boolean>

export const RecentSignInContext = createContext<RequestSignIn>(async () => false)

/** What the API answers where the session is too old for what is asked. */
const recentSignInCodes = new Set(['recent_sign_in_required', 'sign_in_again'])

/**
 * For calls that want a recent sign-in.
 * @returns runs a call; refused for an old sign-in, it asks for a new one and runs the call once more
 */
export function useRecentSignIn(): <Result>(call: () => Promise<Result>) => Promise<Result> {
  const requestSignIn = use(RecentSignInContext)
  return useCallback(
    async (call) => {
      try {
        return await call()
      } catch (error) {
        if (!(error instanceof ApiError && recentSignInCodes.has(error.code)) || !(await requestSignIn())) throw error
        return call()
      }
    },
    [requestSignIn],
  )
}
