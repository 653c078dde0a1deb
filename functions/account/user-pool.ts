import {
  type CognitoIdentityProviderClient,
  AdminDeleteUserCommand,
  GetUserCommand,
  GlobalSignOutCommand,
  NotAuthorizedException,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider'
import { InvalidToken } from '../platform/errors.ts'
import { AccountServiceUnavailable } from './errors.ts'

/** What the user pool knows of a person. */
export interface PoolPerson {
  email: string
  name: string
}

/** The bearer of a call; the route's own check has seen that there is one. */
export const bearerOf = (headers: Readonly<Record<string, string>>) =>
  (headers['authorization'] ?? '').replace(/^Bearer +/i, '')

/** What is done at the user pool in a person's name. @throws InvalidToken, AccountServiceUnavailable */
export function userPool(userPoolId: string, client: Pick<CognitoIdentityProviderClient, 'send'>) {
  const told = (error: unknown): never => {
    if (error instanceof NotAuthorizedException)
      throw new InvalidToken('the user pool refused it', { cause: error })
    throw new AccountServiceUnavailable('the user pool failed', { cause: error })
  }
  return {
    async person(accessToken: string): Promise<PoolPerson> {
      const { UserAttributes = [] } = await client
        .send(new GetUserCommand({ AccessToken: accessToken }))
        .catch(told)
      const value = (name: string) => UserAttributes.find(({ Name }) => Name === name)?.Value ?? ''
      return { email: value('email'), name: value('name') }
    },

    /** Ends every session: no refresh token works any more. Can be repeated with the same token. */
    async signOutEverywhere(accessToken: string): Promise<void> {
      await client.send(new GlobalSignOutCommand({ AccessToken: accessToken })).catch((error: unknown) => {
        // an earlier try has ended them, and its answer was lost or its caller cut
        if (!(error instanceof NotAuthorizedException && /revoked/i.test(error.message))) told(error)
      })
    },

    /** Deletes the account; one that is gone already is as good. */
    async deleteUser(username: string): Promise<void> {
      await client
        .send(new AdminDeleteUserCommand({ UserPoolId: userPoolId, Username: username }))
        .catch((error: unknown) => {
          if (error instanceof UserNotFoundException) return
          told(error)
        })
    },
  }
}

export type UserPool = ReturnType<typeof userPool>
