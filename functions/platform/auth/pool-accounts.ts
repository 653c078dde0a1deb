import {
  AdminGetUserCommand,
  ListUsersCommand,
  type AttributeType,
  type CognitoIdentityProviderClient,
  type UserType,
} from '@aws-sdk/client-cognito-identity-provider'
import { foldEmail } from '#shared/user-pool.ts'
import { AccountNotFound, UserPoolUnavailable } from '../errors.ts'
import { sanitizeDisplayName } from '../sanitize-line.ts'

type Client = Pick<CognitoIdentityProviderClient, 'send'>

/** The value of an attribute; empty if there is none. */
export const readAttribute = (attributes: readonly AttributeType[] | undefined, name: string): string =>
  attributes?.find(({ Name }) => Name === name)?.Value ?? ''

/** The name of an account as others may see it: whoever signs up at the user pool writes any text there. */
export const readDisplayName = (attributes: readonly AttributeType[] | undefined): string =>
  sanitizeDisplayName(readAttribute(attributes, 'name'))

/** The filter that lists accounts by e-mail address, or by how it begins. */
export const buildEmailFilter = (email: string, operator: '=' | '^=' = '='): string =>
  `email ${operator} "${foldEmail(email).replaceAll(/["\\]/g, String.raw`\$&`)}"`

/** Finds accounts by `sub`, which only is the user name of accounts with a password. */
export const poolAccounts = (UserPoolId: string, client: Client) => {
  return {
    /**
     * @param id the `sub`, letters, digits and hyphens only
     * @throws AccountNotFound, UserPoolUnavailable
     */
    async find(id: string): Promise<UserType & { Username: string }> {
      const { Users: [user] = [] } = await client
        .send(new ListUsersCommand({ UserPoolId, Filter: `sub = "${id}"`, Limit: 1 }))
        .catch(throwPoolError)
      if (!user?.Username) throw new AccountNotFound(`no account ${id}`)
      return { ...user, Username: user.Username }
    },

    /** The e-mail address of an account. @throws AccountNotFound, UserPoolUnavailable */
    async findEmail(Username: string): Promise<string> {
      const { UserAttributes } = await client
        .send(new AdminGetUserCommand({ UserPoolId, Username }))
        .catch(throwPoolError)
      return readAttribute(UserAttributes, 'email')
    },

    /** Whether the pool asks the account for a second factor. @throws AccountNotFound, UserPoolUnavailable */
    async hasSecondFactor(Username: string): Promise<boolean> {
      const { UserMFASettingList = [] } = await client
        .send(new AdminGetUserCommand({ UserPoolId, Username }))
        .catch(throwPoolError)
      return UserMFASettingList.length > 0
    },
  }
}

/** Maps errors of the user pool to ours. */
export function throwPoolError(error: unknown): never {
  const name = error instanceof Error ? error.name : ''
  if (name === 'UserNotFoundException') throw new AccountNotFound('the account is gone', { cause: error })
  throw new UserPoolUnavailable('the user pool failed', { cause: error })
}
