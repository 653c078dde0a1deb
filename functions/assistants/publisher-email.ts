import {
  AdminGetUserCommand,
  type CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider'
import { readAttribute, throwPoolError } from '../platform/auth/pool-accounts.ts'

/** The address of who publishes or withdraws: the only thing that the role of this function may ask the user pool. @throws AccountNotFound, UserPoolUnavailable */
export async function findPublisherEmail(
  client: CognitoIdentityProviderClient,
  UserPoolId: string,
  Username: string,
): Promise<string> {
  const { UserAttributes } = await client
    .send(new AdminGetUserCommand({ UserPoolId, Username }))
    .catch(throwPoolError)
  return readAttribute(UserAttributes, 'email')
}
