import {
  AdminGetUserCommand,
  type CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider'
import { readAttribute, readDisplayName, throwPoolError } from '../platform/auth/pool-accounts.ts'

/**
 * Address and name of who publishes or withdraws: the only thing that the role of this function may ask the user pool.
 * @throws AccountNotFound, UserPoolUnavailable
 */
export async function findPublisher(
  client: CognitoIdentityProviderClient,
  UserPoolId: string,
  Username: string,
): Promise<{ email: string; name: string }> {
  const { UserAttributes } = await client
    .send(new AdminGetUserCommand({ UserPoolId, Username }))
    .catch(throwPoolError)
  return { email: readAttribute(UserAttributes, 'email'), name: readDisplayName(UserAttributes) }
}
