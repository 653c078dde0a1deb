/** Amplify's functions for signing in and up, loaded on demand: most visits need none of them. */

import { cognitoUserPoolsTokenProvider as tokenProvider } from '@aws-amplify/auth/cognito'
import { Amplify, ConsoleLogger, sharedInMemoryStorage, syncSessionStorage } from '@aws-amplify/core'
import * as amplifyAuth from 'aws-amplify/auth'
import type { AppConfig } from '../api/config.ts'
import { storeTokens } from './store-tokens.ts'

export {
  confirmResetPassword,
  confirmSignUp,
  resendSignUpCode,
  resetPassword,
  signUp,
} from 'aws-amplify/auth'

/**
 * Amplify would keep the state of a sign-in, with the session that answers a challenge, in the tab's storage. It stays in memory: a reload
 * goes back to the password.
 */
const challenge = new Map<string, string>()
Object.assign(syncSessionStorage, {
  setItem: (key, value) => void challenge.set(key, value),
  getItem: (key) => challenge.get(key) ?? null,
  removeItem: (key) => void challenge.delete(key),
  clear: () => challenge.clear(),
} satisfies Pick<Storage, 'setItem' | 'getItem' | 'removeItem' | 'clear'>)

/**
 * Configures Amplify. It has tokens only until the page has stored those of a sign-in: it would not sign in anew while it finds any, and
 * would refresh them.
 */
export function configureAmplify({ userPoolId, userPoolClientId, userPoolEndpoint }: AppConfig): void {
  // Amplify warns about a custom user pool endpoint
  ConsoleLogger.LOG_LEVEL = 'ERROR'
  const Auth = {
    Cognito: { userPoolId, userPoolClientId, ...(userPoolEndpoint !== undefined && { userPoolEndpoint }) },
  }
  tokenProvider.setKeyValueStorage(sharedInMemoryStorage)
  tokenProvider.setAuthConfig(Auth)
  Amplify.configure({ Auth }, { Auth: { tokenProvider } })
}

/** Signs in, and stores the tokens when no further step is needed. @throws also what `storeTokens` throws */
export const signIn = (input: amplifyAuth.SignInInput) => storeResult(amplifyAuth.signIn(input))

/** Answers a challenge. Otherwise like `signIn`. */
export const confirmSignIn = (input: amplifyAuth.ConfirmSignInInput) =>
  storeResult(amplifyAuth.confirmSignIn(input))

async function storeResult<Output extends { isSignedIn: boolean }>(
  signingIn: Promise<Output>,
): Promise<Output> {
  try {
    const output = await signingIn
    if (!output.isSignedIn) return output
    const tokens = await tokenProvider.authTokenStore.loadTokens()
    if (!tokens?.idToken || tokens.refreshToken === undefined) throw new Error('there are no tokens')
    await storeTokens({
      accessToken: tokens.accessToken.toString(),
      idToken: tokens.idToken.toString(),
      refreshToken: tokens.refreshToken,
    })
    return output
  } finally {
    await sharedInMemoryStorage.clear()
  }
}
