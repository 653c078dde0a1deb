import { createContext, use, useCallback } from 'react'
import { ApiError } from './api-errors.ts'

/** Asks the person to sign in again, in place. Resolves to false when they would rather not, or cannot here. */
type AskSignIn = () => Promise<boolean>

export const RecentSignInContext = createContext<AskSignIn>(async () => false)

/** What the API answers where the session is too old for what is asked. */
const codes = new Set(['recent_sign_in_required', 'sign_in_again'])

/**
 * For calls that want a recent sign-in.
 * @returns runs a call; refused for an old sign-in, it asks for a new one and runs the call once more
 */
export function useRecentSignIn(): <Result>(call: () => Promise<Result>) => Promise<Result> {
  const ask = use(RecentSignInContext)
  return useCallback(
    async (call) => {
      try {
        return await call()
      } catch (error) {
        if (!(error instanceof ApiError && codes.has(error.code)) || !(await ask())) throw error
        return call()
      }
    },
    [ask],
  )
}
