import {
  type CognitoIdentityProviderClient,
  AdminDeleteUserCommand,
  AdminDisableUserCommand,
  AdminGetUserCommand,
  AdminUserGlobalSignOutCommand,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider'
import { readAttribute } from '../platform/auth/pool-accounts.ts'
import { InvalidToken, UserPoolUnavailable } from '../platform/errors.ts'

/** A user's attributes in the user pool. */
export interface PoolUser {
  email: string
  name: string
}

/** The user pool's operations on one user, by username. @throws UserPoolUnavailable */
export function userPool(UserPoolId: string, client: Pick<CognitoIdentityProviderClient, 'send'>) {
  const throwAccountError = (error: unknown): never => {
    if (error instanceof UserNotFoundException)
      throw new InvalidToken('the account is gone', { cause: error })
    throw new UserPoolUnavailable('the user pool failed', { cause: error })
  }
  return {
    /** @throws InvalidToken if there is no such user: the token outlived its account */
    async findUser(Username: string): Promise<PoolUser> {
      const { UserAttributes } = await client
        .send(new AdminGetUserCommand({ UserPoolId, Username }))
        .catch(throwAccountError)
      return { email: readAttribute(UserAttributes, 'email'), name: readAttribute(UserAttributes, 'name') }
    },

    /** Ends every session: no refresh token works any more. Can be repeated. @throws InvalidToken if there is no such user */
    async signOutEverywhere(Username: string): Promise<void> {
      await client.send(new AdminUserGlobalSignOutCommand({ UserPoolId, Username })).catch(throwAccountError)
    },

    /** Nobody signs in or refreshes tokens any more. Can be repeated; succeeds if the account is already deleted. */
    async disableUser(Username: string): Promise<void> {
      await client.send(new AdminDisableUserCommand({ UserPoolId, Username })).catch((error: unknown) => {
        if (!(error instanceof UserNotFoundException)) throwAccountError(error)
      })
    },

    /** Deletes the account; succeeds if it is already deleted. */
    async deleteUser(Username: string): Promise<void> {
      await client.send(new AdminDeleteUserCommand({ UserPoolId, Username })).catch((error: unknown) => {
        if (!(error instanceof UserNotFoundException)) throwAccountError(error)
      })
    },
  }
}

export type UserPool = ReturnType<typeof userPool>
