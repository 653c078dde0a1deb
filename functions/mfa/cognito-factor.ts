import {
  AssociateSoftwareTokenCommand,
  CognitoIdentityProviderClient,
  GetUserCommand,
  SetUserMFAPreferenceCommand,
  VerifySoftwareTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { InvalidToken, TooManyCalls } from '../platform/errors.ts'
import { InvalidCode, TwoFactorUnavailable } from './errors.ts'

/** An account as Cognito knows it. */
export interface Account {
  readonly email: string
  /** whether Cognito asks for a code at sign-in (MFA-05) */
  readonly enabled: boolean
  readonly federated: boolean
}

const factor = 'SOFTWARE_TOKEN_MFA'

/** The factor at Cognito, through the caller's own access token: no permission of ours is involved. */
export const cognitoFactor = (client: Pick<CognitoIdentityProviderClient, 'send'>) => ({
  async account(AccessToken: string): Promise<Account> {
    const { UserAttributes = [], UserMFASettingList = [] } = await client
      .send(new GetUserCommand({ AccessToken }))
      .catch(refuse)
    const attribute = (name: string) => UserAttributes.find(({ Name }) => Name === name)?.Value
    return {
      email: attribute('email') ?? '',
      enabled: UserMFASettingList.includes(factor),
      federated: attribute('identities') !== undefined,
    }
  },

  /** A new secret; it replaces one that was never verified. */
  async newSecret(AccessToken: string): Promise<string> {
    const { SecretCode } = await client.send(new AssociateSoftwareTokenCommand({ AccessToken })).catch(refuse)
    if (!SecretCode) throw new TwoFactorUnavailable('Cognito gave no secret')
    return SecretCode
  },

  /** @throws InvalidCode when the code is not of the newest secret, or was used before */
  async verifySecret(AccessToken: string, code: string): Promise<void> {
    await client.send(new VerifySoftwareTokenCommand({ AccessToken, UserCode: code })).catch(refuse)
  },

  /** From the next sign-in on, Cognito asks for a code, or no longer does. */
  async prefer(AccessToken: string, enabled: boolean): Promise<void> {
    await client
      .send(
        new SetUserMFAPreferenceCommand({
          AccessToken,
          SoftwareTokenMfaSettings: { Enabled: enabled, PreferredMfa: enabled },
        }),
      )
      .catch(refuse)
  },
})

export type CognitoFactor = ReturnType<typeof cognitoFactor>

const wrongCode = new Set([
  'CodeMismatchException',
  'EnableSoftwareTokenMFAException',
  'ExpiredCodeException',
])
const overToken = new Set(['NotAuthorizedException', 'UserNotFoundException'])
const tooMany = new Set(['LimitExceededException', 'TooManyRequestsException'])
const busySeconds = 30

function refuse(error: unknown): never {
  const name = error instanceof Error ? error.name : ''
  const options = { cause: error }
  if (wrongCode.has(name)) throw new InvalidCode('Cognito refused the code', options)
  if (overToken.has(name)) throw new InvalidToken('Cognito refused the token', options)
  if (tooMany.has(name)) throw new TooManyCalls('Cognito counts too many calls', busySeconds)
  throw new TwoFactorUnavailable('Cognito did not answer', options)
}
