import {
  AdminGetUserCommand,
  type CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider'
import { foldEmail } from '#shared/user-pool.ts'
import { InvalidToken, RecentSignInRequired, TooManyCalls } from '../platform/errors.ts'
import { InvalidCode, TwoFactorUnavailable } from './errors.ts'

/** An account at Cognito. */
export interface Account {
  /** empty while the address is unverified */
  readonly email: string
  /** whether Cognito asks for a code at sign-in */
  readonly hasFactor: boolean
  readonly isFederated: boolean
}

const totpFactor = 'SOFTWARE_TOKEN_MFA'

/** Looks accounts up with the function's role: a refreshed token may not read even its own account. */
export const cognitoAccount = (UserPoolId: string, client: Pick<CognitoIdentityProviderClient, 'send'>) => ({
  async findAccount(Username: string): Promise<Account> {
    const { UserAttributes = [], UserMFASettingList = [] } = await client
      .send(new AdminGetUserCommand({ UserPoolId, Username }))
      .catch(throwMfaError)
    const attribute = (name: string) => UserAttributes.find(({ Name }) => Name === name)?.Value
    return {
      email: attribute('email_verified') === 'true' ? (attribute('email') ?? '') : '',
      hasFactor: UserMFASettingList.includes(totpFactor),
      isFederated: attribute('identities') !== undefined,
    }
  },

  /** Whether the account exists, has a password, and has verified this address. @param sub names the account */
  async hasEmail(sub: string, email: string): Promise<boolean> {
    try {
      const account = await this.findAccount(sub)
      return foldEmail(account.email) === foldEmail(email)
    } catch (error) {
      if (error instanceof InvalidToken) return false
      throw error
    }
  },
})

const codeErrors = new Set([
  'CodeMismatchException',
  'EnableSoftwareTokenMFAException',
  'ExpiredCodeException',
])
const tokenErrors = new Set(['NotAuthorizedException', 'UserNotFoundException'])
const throttlingErrors = new Set(['LimitExceededException', 'TooManyRequestsException'])
const busySeconds = 30

/** Maps Cognito's errors to ours. */
export function throwMfaError(error: unknown): never {
  const name = error instanceof Error ? error.name : ''
  const options = { cause: error }
  if (name === 'NotAuthorizedException' && error instanceof Error && /scope/i.test(error.message))
    throw new RecentSignInRequired('Cognito misses the scope', options)
  if (codeErrors.has(name)) throw new InvalidCode('Cognito refused the code', options)
  if (tokenErrors.has(name)) throw new InvalidToken('Cognito refused the token', options)
  if (throttlingErrors.has(name)) throw new TooManyCalls('Cognito counts too many calls', busySeconds)
  throw new TwoFactorUnavailable('Cognito failed', options)
}
