import { sayPlatform } from '#shared/sentences/platform.ts'
import {
  AdminAddUserToGroupCommand,
  AdminDisableUserCommand,
  AdminEnableUserCommand,
  AdminRemoveUserFromGroupCommand,
  AdminUserGlobalSignOutCommand,
  ListUsersCommand,
  ListUsersInGroupCommand,
  type CognitoIdentityProviderClient,
  type UserType,
} from '@aws-sdk/client-cognito-identity-provider'
import type { AdminUser, GroupChange } from '#shared/contracts/admin.ts'
import { toPoolGroupName } from '#shared/group-names.ts'
import { foldEmail } from '#shared/user-pool.ts'
import { parseProviderName } from '../platform/auth/provider-name.ts'
import {
  buildEmailFilter,
  poolAccounts,
  readAttribute,
  readDisplayName,
  throwPoolError,
} from '../platform/auth/pool-accounts.ts'
import { poolGroups } from '../platform/auth/pool-groups.ts'
import { BadRequest } from '../platform/errors.ts'
import { toTriggerAttributes } from '../sign-in/provider-accounts.ts'
import { userHash } from '../platform/telemetry/logger.ts'
import { GroupNotFound } from './errors.ts'

/** Users of one page. They are looked up one by one, and the pool allows about 50 such requests per second. */
const usersPerPage = 20
/** The limit of the pool for one page of a list. */
const maxListedUsers = 60

/** An account with its user name in the pool. */
export type DirectoryUser = AdminUser & { username: string }

/** What the list operations of the pool return of an account. */
type ListedUser = Pick<
  DirectoryUser,
  'id' | 'username' | 'email' | 'name' | 'status' | 'sign_in' | 'provider_groups' | 'created_at'
>

/** Finds the groups that an account's identity provider names. @param attributes as triggers get them */
export type FindProviderGroups = (attributes: Record<string, string>) => Promise<string[]>

/**
 * The accounts of the user pool, as administrators see and change them. Each change can be repeated.
 * @throws AccountNotFound, GroupNotFound, UserPoolUnavailable
 */
export const userDirectory = (
  UserPoolId: string,
  client: Pick<CognitoIdentityProviderClient, 'send'>,
  findProviderGroups: FindProviderGroups = async () => [],
  findLastActivity: (sub: string) => Promise<string | undefined> = async () => undefined,
) => {
  const accounts = poolAccounts(UserPoolId, client)
  const pool = poolGroups(UserPoolId, client)

  async function toListedUser(user: UserType): Promise<ListedUser> {
    const groups = await findProviderGroups(toTriggerAttributes(user))
    return { ...parseUser(user), ...(groups.length > 0 && { provider_groups: groups }) }
  }

  async function loadUser(user: UserType): Promise<DirectoryUser> {
    const Username = user.Username ?? ''
    const [listed, hasFactor, groups, activeAt] = await Promise.all([
      toListedUser(user),
      accounts.hasSecondFactor(Username),
      pool.listGroups(Username),
      findLastActivity(readAttribute(user.Attributes, 'sub')),
    ])
    return {
      ...listed,
      log_id: userHash(listed.id),
      groups,
      two_factor: hasFactor,
      ...(activeAt !== undefined && { last_active_at: activeAt }),
    }
  }

  /** Lists a page of the accounts whose e-mail address begins with `query`. */
  async function listPage(query: string, PaginationToken: string | undefined, Limit: number) {
    const page = await client
      .send(
        new ListUsersCommand({
          UserPoolId,
          Limit,
          PaginationToken,
          ...(foldEmail(query) !== '' && { Filter: buildEmailFilter(query, '^=') }),
        }),
      )
      .catch(throwListError)
    return { users: page.Users ?? [], next: page.PaginationToken }
  }

  return {
    findEmail: (username: string) => accounts.findEmail(username),
    isCreatedByCognito: (name: string) => pool.isCreatedByCognito(name),

    /** @param query how the e-mail address begins; empty for all. @param cursor of the page before */
    async list(
      query: string,
      cursor: string | undefined,
    ): Promise<{ users: DirectoryUser[]; next_cursor: string | null }> {
      const { users, next } = await listPage(query, cursor, usersPerPage)
      // an account may have been deleted since the list was made
      const found = await Promise.allSettled(users.map(loadUser))
      const failed = found.find((one) => one.status === 'rejected' && one.reason.code !== 'user_not_found')
      if (failed?.status === 'rejected') throw failed.reason
      return {
        users: found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
        next_cursor: next ?? null,
      }
    },

    /** Yields all accounts, without their groups in the pool. The next page is read while one is used. */
    async *listAll(): AsyncGenerator<ListedUser[]> {
      let reading: ReturnType<typeof listPage> | undefined = listPage('', undefined, maxListedUsers)
      while (reading) {
        const { users, next }: Awaited<typeof reading> = await reading
        reading = next === undefined ? undefined : listPage('', next, maxListedUsers)
        // it is thrown when its turn comes, which may never be
        reading?.catch(() => undefined)
        yield await Promise.all(users.map(toListedUser))
      }
    },

    find: async (id: string): Promise<DirectoryUser> => loadUser(await accounts.find(id)),

    /** Finds the accounts with an e-mail address, confirmed or not. */
    async findByEmail(email: string): Promise<ListedUser[]> {
      const { Users = [] } = await client
        .send(new ListUsersCommand({ UserPoolId, Filter: buildEmailFilter(email) }))
        .catch(throwPoolError)
      return Users.map(parseUser)
    },

    /** Nobody signs in, and no refresh token works any more. Signed out first: it is not documented whether the pool signs a disabled account out. */
    async disable(Username: string): Promise<void> {
      await client.send(new AdminUserGlobalSignOutCommand({ UserPoolId, Username })).catch(throwPoolError)
      await client.send(new AdminDisableUserCommand({ UserPoolId, Username })).catch(throwPoolError)
    },

    /** Signed out again: a sign-in between the two calls of `disable` has left a refresh token. */
    async enable(Username: string): Promise<void> {
      await client.send(new AdminEnableUserCommand({ UserPoolId, Username })).catch(throwPoolError)
      await client.send(new AdminUserGlobalSignOutCommand({ UserPoolId, Username })).catch(throwPoolError)
    },

    async signOut(Username: string): Promise<void> {
      await client.send(new AdminUserGlobalSignOutCommand({ UserPoolId, Username })).catch(throwPoolError)
    },

    /** Puts an account into groups of the pool, and takes it out of others. @throws GroupNotFound */
    async changeGroups(Username: string, { add, remove }: GroupChange): Promise<void> {
      for (const name of add)
        await client
          .send(new AdminAddUserToGroupCommand({ UserPoolId, Username, GroupName: toPoolGroupName(name) }))
          .catch(throwGroupError)
      for (const name of remove)
        await client
          .send(
            new AdminRemoveUserFromGroupCommand({ UserPoolId, Username, GroupName: toPoolGroupName(name) }),
          )
          .catch(throwGroupError)
    },

    /** Yields the ids of a group's members, a page at a time. @throws GroupNotFound */
    async *listMembers(name: string): AsyncGenerator<string[]> {
      const GroupName = toPoolGroupName(name)
      let NextToken: string | undefined
      do {
        const page = await client
          .send(new ListUsersInGroupCommand({ UserPoolId, GroupName, Limit: maxListedUsers, NextToken }))
          .catch(throwGroupError)
        yield (page.Users ?? []).map((user) => readAttribute(user.Attributes, 'sub'))
        NextToken = page.NextToken
      } while (NextToken !== undefined)
    },
  }
}

export type UserDirectory = ReturnType<typeof userDirectory>

/** @throws BadRequest for an invalid cursor, and as `throwPoolError` */
function throwListError(error: unknown): never {
  if (error instanceof Error && error.name === 'InvalidParameterException')
    throw new BadRequest(sayPlatform('bad_request.list_changed'), { cause: error })
  throwPoolError(error)
}

function throwGroupError(error: unknown): never {
  if (error instanceof Error && error.name === 'ResourceNotFoundException')
    throw new GroupNotFound('the group is gone', { cause: error })
  throwPoolError(error)
}

function parseUser(user: UserType): ListedUser {
  const attribute = (name: string) => readAttribute(user.Attributes, name)
  return {
    id: attribute('sub'),
    username: user.Username ?? '',
    email: attribute('email'),
    name: readDisplayName(user.Attributes),
    status: parseStatus(user),
    sign_in: parseProviderName(attribute('identities')) ?? 'password',
    created_at: (user.UserCreateDate ?? new Date(0)).toISOString(),
  }
}

function parseStatus({ Enabled, UserStatus }: UserType): AdminUser['status'] {
  if (Enabled === false) return 'disabled'
  if (UserStatus === 'UNCONFIRMED') return 'unconfirmed'
  if (UserStatus === 'RESET_REQUIRED' || UserStatus === 'FORCE_CHANGE_PASSWORD') return 'reset_required'
  return 'active'
}
