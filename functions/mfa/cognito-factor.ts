import {
  AdminSetUserMFAPreferenceCommand,
  AssociateSoftwareTokenCommand,
  CognitoIdentityProviderClient,
  SetUserMFAPreferenceCommand,
  VerifySoftwareTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { cognitoAccount, throwMfaError } from './cognito-account.ts'
import { InvalidCode, TwoFactorUnavailable } from './errors.ts'

/**
 * The factor at Cognito. Setting it up uses the access token of a fresh sign-in, which the pool requires. Disabling it uses an admin
 * permission of the function, because a step-up also works with an older sign-in.
 */
export const cognitoFactor = (userPoolId: string, client: Pick<CognitoIdentityProviderClient, 'send'>) => ({
  ...cognitoAccount(userPoolId, client),

  /** A new secret; it replaces one that was never verified. */
  async createSecret(AccessToken: string): Promise<string> {
    const { SecretCode } = await client
      .send(new AssociateSoftwareTokenCommand({ AccessToken }))
      .catch(throwMfaError)
    if (!SecretCode) throw new TwoFactorUnavailable('Cognito gave no secret')
    return SecretCode
  },

  /** @throws InvalidCode if the code is not of the newest secret, or was used before */
  async verifySecret(AccessToken: string, code: string): Promise<void> {
    const { Status } = await client
      .send(new VerifySoftwareTokenCommand({ AccessToken, UserCode: code }))
      .catch(throwMfaError)
    // a refusal can also be a response without an exception
    if (Status !== 'SUCCESS') throw new InvalidCode('Cognito did not accept the code')
  },

  /** From the next sign-in on, Cognito asks for a code. */
  async enable(AccessToken: string): Promise<void> {
    const SoftwareTokenMfaSettings = { Enabled: true, PreferredMfa: true }
    await client
      .send(new SetUserMFAPreferenceCommand({ AccessToken, SoftwareTokenMfaSettings }))
      .catch(throwMfaError)
  },

  /** From the next sign-in on, Cognito asks for no code. */
  async disable(username: string): Promise<void> {
    const SoftwareTokenMfaSettings = { Enabled: false, PreferredMfa: false }
    await client
      .send(
        new AdminSetUserMFAPreferenceCommand({
          UserPoolId: userPoolId,
          Username: username,
          SoftwareTokenMfaSettings,
        }),
      )
      .catch(throwMfaError)
  },
})

export type CognitoFactor = ReturnType<typeof cognitoFactor>
