import { ConsoleLogger } from '@aws-amplify/core'
import { Amplify } from 'aws-amplify'
import { fetchAuthSession, signIn } from 'aws-amplify/auth'
import { cognitoUserPoolsTokenProvider } from 'aws-amplify/auth/cognito'
import { randomBytes } from 'node:crypto'
import type * as z from 'zod'
import type { pageConfig } from './page-config.ts'

export interface Credentials {
  readonly email: string
  readonly password: string
}

/** A random password, long enough for every password policy. */
export const newPassword = (): string => randomBytes(90).toString('base64url')

/** Signs in as the page does, by SRP through Amplify. @returns the access token */
export async function signInBySrp(
  {
    userPoolId,
    userPoolClientId,
    userPoolEndpoint,
  }: Pick<z.output<typeof pageConfig>, 'userPoolId' | 'userPoolClientId' | 'userPoolEndpoint'>,
  { email, password }: Credentials,
): Promise<string> {
  ConsoleLogger.LOG_LEVEL = 'ERROR'
  Amplify.configure({
    Auth: {
      Cognito: { userPoolId, userPoolClientId, ...(userPoolEndpoint && { userPoolEndpoint }) },
    },
  })
  const stored = new Map<string, string>()
  cognitoUserPoolsTokenProvider.setKeyValueStorage({
    getItem: async (key) => stored.get(key) ?? null,
    setItem: async (key, value) => void stored.set(key, value),
    removeItem: async (key) => void stored.delete(key),
    clear: async () => stored.clear(),
  })
  const { isSignedIn, nextStep } = await signIn({ username: email, password })
  if (!isSignedIn) throw new Error(`the sign-in requires ${nextStep.signInStep}`)
  const { tokens } = await fetchAuthSession()
  if (!tokens) throw new Error('the sign-in returned no tokens')
  return tokens.accessToken.toString()
}
