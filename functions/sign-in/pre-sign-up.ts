import {
  CognitoIdentityProviderClient,
  ListUsersCommand,
  type UserType,
} from '@aws-sdk/client-cognito-identity-provider'
import type { PreSignUpTriggerEvent } from 'aws-lambda'

const nameLimit = 200

const cognito = new CognitoIdentityProviderClient({})

/**
 * Cognito's PreSignUp trigger. What it throws reaches the page as "PreSignUp failed with error …". Two accounts never become
 * one by e-mail alone, and the second way in is refused, in either order (DEC-118). An account with a password that was never
 * confirmed has not shown that the address is its own, so it keeps nobody out who comes from Google.
 * @throws Error for a sign-up without a name or with one over 200 characters, for a sign-up with the e-mail of a Google
 * account, and for a first sign-in with Google whose e-mail has a confirmed account with a password
 */
export async function handler(event: PreSignUpTriggerEvent): Promise<PreSignUpTriggerEvent> {
  const { name = '', email = '' } = event.request.userAttributes
  if (event.triggerSource === 'PreSignUp_SignUp') {
    requireName(name)
    if ((await usersWith(event.userPoolId, email)).some(isFederated)) throw accountExists('with Google')
  }
  if (event.triggerSource === 'PreSignUp_ExternalProvider') {
    const users = await usersWith(event.userPoolId, email)
    if (users.some((user) => !isFederated(user) && user.UserStatus !== 'UNCONFIRMED'))
      throw accountExists('with your password')
  }
  return event
}

const accountExists = (how: string): Error =>
  new Error(`An account with this email already exists. Please sign in ${how} instead`)

function requireName(name: string): void {
  if (!name.trim()) throw new Error('A name is required')
  if (name.length > nameLimit) throw new Error(`The name is longer than ${nameLimit} characters`)
}

const isFederated = ({ UserStatus }: UserType): boolean => UserStatus === 'EXTERNAL_PROVIDER'

/** Every account with an e-mail address. The address names only accounts with a password, so looking one up by name is not enough. */
async function usersWith(userPoolId: string, email: string): Promise<UserType[]> {
  if (!email) return []
  const value = email.toLowerCase().replaceAll(/["\\]/g, String.raw`\$&`)
  const { Users = [] } = await cognito.send(
    new ListUsersCommand({ UserPoolId: userPoolId, Filter: `email = "${value}"` }),
  )
  return Users
}
