import {
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminSetUserPasswordCommand,
  type CognitoIdentityProviderClient,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider'
import { ConsoleLogger } from '@aws-amplify/core'
import { Amplify } from 'aws-amplify'
import { fetchAuthSession, signIn } from 'aws-amplify/auth'
import { cognitoUserPoolsTokenProvider } from 'aws-amplify/auth/cognito'
import { randomBytes } from 'node:crypto'

/** What an operator looks for should a test ever leave one behind: docs/operations.md names it. */
const mark = 'smoke-test'

export interface TemporaryUser {
  readonly email: string
  readonly password: string
}

/** A name that shows what it is, at a host that takes no mail (RFC 2606), and a password that is long enough for every pool. */
export const newTemporaryUser = (): TemporaryUser => ({
  email: `${mark}-${randomBytes(8).toString('hex')}@example.com`,
  password: randomBytes(90).toString('base64url'),
})

/** Makes the user in the pool, confirmed, without a mail. */
export async function createUser(
  client: CognitoIdentityProviderClient,
  UserPoolId: string,
  { email, password }: TemporaryUser,
  abortSignal: AbortSignal,
): Promise<void> {
  const attributes = { email, email_verified: 'true', name: 'Smoke test, may be deleted' }
  await client.send(
    new AdminCreateUserCommand({
      UserPoolId,
      Username: email,
      MessageAction: 'SUPPRESS',
      UserAttributes: Object.entries(attributes).map(([Name, Value]) => ({ Name, Value })),
    }),
    { abortSignal },
  )
  await client.send(
    new AdminSetUserPasswordCommand({ UserPoolId, Username: email, Password: password, Permanent: true }),
    { abortSignal },
  )
}

/** Removes the user; one that is gone already, or was never made, is as good. */
export async function deleteUser(
  client: CognitoIdentityProviderClient,
  UserPoolId: string,
  { email }: TemporaryUser,
): Promise<void> {
  try {
    await client.send(new AdminDeleteUserCommand({ UserPoolId, Username: email }))
  } catch (error) {
    if (!(error instanceof UserNotFoundException)) throw error
  }
}

interface PoolOfPage {
  readonly userPoolId: string
  readonly userPoolClientId: string
  readonly userPoolEndpoint?: string | undefined
}

/** Signs in as the page does, by SRP through Amplify. @returns the access token */
export async function signInBySrp(
  { userPoolId, userPoolClientId, userPoolEndpoint }: PoolOfPage,
  { email, password }: TemporaryUser,
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
  if (!isSignedIn) throw new Error(`the sign-in wants ${nextStep.signInStep}`)
  const { tokens } = await fetchAuthSession()
  if (!tokens) throw new Error('the sign-in gave no tokens')
  return tokens.accessToken.toString()
}
