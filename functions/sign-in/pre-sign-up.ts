import {
  AdminGetUserCommand,
  CognitoIdentityProviderClient,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider'
import type { PreSignUpTriggerEvent } from 'aws-lambda'

const nameLimit = 200

const cognito = new CognitoIdentityProviderClient({})

/**
 * Cognito's PreSignUp trigger. What it throws reaches the page as "PreSignUp failed with error …".
 * @throws Error for a sign-up without a name or with one over 200 characters, and for a first sign-in with Google
 * whose e-mail has an account with a password: two accounts never become one by e-mail alone
 */
export async function handler(event: PreSignUpTriggerEvent): Promise<PreSignUpTriggerEvent> {
  const { name = '', email = '' } = event.request.userAttributes
  if (event.triggerSource === 'PreSignUp_SignUp') requireName(name)
  if (
    event.triggerSource === 'PreSignUp_ExternalProvider' &&
    (await hasPasswordAccount(event.userPoolId, email))
  )
    throw new Error('An account with this email already exists. Please sign in with your password instead')
  return event
}

function requireName(name: string): void {
  if (!name.trim()) throw new Error('A name is required')
  if (name.length > nameLimit) throw new Error(`The name is longer than ${nameLimit} characters`)
}

async function hasPasswordAccount(userPoolId: string, email: string): Promise<boolean> {
  if (!email) return false
  try {
    const user = await cognito.send(new AdminGetUserCommand({ UserPoolId: userPoolId, Username: email }))
    return user.UserStatus !== 'EXTERNAL_PROVIDER'
  } catch (error) {
    if (error instanceof UserNotFoundException) return false
    throw error
  }
}
