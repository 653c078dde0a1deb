import {
  AdminGetUserCommand,
  type CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider'
import { foldEmail } from '#shared/user-pool.ts'
import { InvalidToken, RecentSignInRequired, TooManyCalls } from '../platform/errors.ts'
import { InvalidCode, TwoFactorUnavailable } from './errors.ts'

/** An account as Cognito knows it. */
export interface Account {
  /** empty while nobody has shown that the address is theirs */
  readonly email: string
  /** whether Cognito asks for a code at sign-in (MFA-05) */
  readonly enabled: boolean
  readonly federated: boolean
}

const totpFactor = 'SOFTWARE_TOKEN_MFA'

/** Accounts at Cognito, looked up in the function's own right: a token that was refreshed may not even read its own. */
export const cognitoAccount = (UserPoolId: string, client: Pick<CognitoIdentityProviderClient, 'send'>) => ({
  async account(Username: string): Promise<Account> {
    const { UserAttributes = [], UserMFASettingList = [] } = await client
      .send(new AdminGetUserCommand({ UserPoolId, Username }))
      .catch(refuse)
    const attribute = (name: string) => UserAttributes.find(({ Name }) => Name === name)?.Value
    return {
      email: attribute('email_verified') === 'true' ? (attribute('email') ?? '') : '',
      enabled: UserMFASettingList.includes(totpFactor),
      federated: attribute('identities') !== undefined,
    }
  },

  /** Whether an account with a password is there and this verified address is its own. @param sub names the account */
  async hasEmail(sub: string, email: string): Promise<boolean> {
    try {
      const account = await this.account(sub)
      return foldEmail(account.email) === foldEmail(email)
    } catch (error) {
      if (error instanceof InvalidToken) return false
      throw error
    }
  },
})

const wrongCode = new Set([
  'CodeMismatchException',
  'EnableSoftwareTokenMFAException',
  'ExpiredCodeException',
])
const overToken = new Set(['NotAuthorizedException', 'UserNotFoundException'])
const tooMany = new Set(['LimitExceededException', 'TooManyRequestsException'])
const busySeconds = 30

/** Cognito's refusals in the product's words. */
export function refuse(error: unknown): never {
  const name = error instanceof Error ? error.name : ''
  const options = { cause: error }
  if (name === 'NotAuthorizedException' && error instanceof Error && /scope/i.test(error.message))
    throw new RecentSignInRequired('Cognito misses the scope', options)
  if (wrongCode.has(name)) throw new InvalidCode('Cognito refused the code', options)
  if (overToken.has(name)) throw new InvalidToken('Cognito refused the token', options)
  if (tooMany.has(name)) throw new TooManyCalls('Cognito counts too many calls', busySeconds)
  throw new TwoFactorUnavailable('Cognito did not answer', options)
}
