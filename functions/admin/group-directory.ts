import { isDeepStrictEqual } from 'node:util'
import {
  CreateGroupCommand,
  DeleteGroupCommand,
  ListGroupsCommand,
  type CognitoIdentityProviderClient,
  type GroupType,
} from '@aws-sdk/client-cognito-identity-provider'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import type { Group, GroupLimits } from '#shared/contracts/admin.ts'
import { foldGroupName, fromPoolGroupName, toPoolGroupName } from '#shared/group-names.ts'
import { adminGroup } from '#shared/user-pool.ts'
import { throwPoolError } from '../platform/auth/pool-accounts.ts'
import { readRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { isConditionFailed, wasRetried } from '../platform/dynamodb/update-row.ts'
import {
  groupsKey,
  parseGroupsRow,
  storeGroup,
  type GroupsRow,
  type StoredGroup,
} from '../platform/groups-row.ts'
import { AdminGroupRequired, GroupChanged, GroupExists, GroupNotFound, TooManyGroups } from './errors.ts'
import type { UserDirectory } from './user-directory.ts'

const maxGroups = 100
/** Larger groups have no count (null). */
const maxCountedMembers = 1_000
/** Requests for counts in one list: the user pool answers some 30 of them a second, and the gateway waits 29 seconds. */
const maxCountRequests = 200
const countedAtOnce = 5
/** Several administrators may change the row at the same time. */
const maxAttempts = 10

interface GroupDeps {
  readonly table: Table
  readonly userPoolId: string
  readonly client: Pick<CognitoIdentityProviderClient, 'send'>
  readonly users: Pick<UserDirectory, 'isCreatedByCognito' | 'listMembers'>
}

/**
 * Groups: names and members are the user pool's, descriptions and limits are in one row of the table. A group that was made at the pool
 * itself has none until somebody sets them.
 */
export const groupDirectory = ({ table, userPoolId: UserPoolId, client, users }: GroupDeps) => {
  const loadRow = async (): Promise<GroupsRow> => parseGroupsRow(await readRow(table, groupsKey))

  /** @param change gets the group as it is and returns the new one; undefined: there is none */
  async function changeGroup(
    name: string,
    change: (group: StoredGroup | undefined) => StoredGroup | undefined,
  ): Promise<void> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const { version, groups, stored } = await loadRow()
      const changed = { version: version + 1, groups: storeGroup(stored, name, change(groups[name])) }
      try {
        await table.client.send(
          new PutCommand({
            TableName: table.name,
            Item: { ...groupsKey, ...changed },
            ConditionExpression: version === 0 ? 'attribute_not_exists(PK)' : '#version = :seen',
            ...(version > 0 && {
              ExpressionAttributeNames: { '#version': 'version' },
              ExpressionAttributeValues: { ':seen': version },
            }),
          }),
        )
        return
      } catch (error) {
        if (!isConditionFailed(error)) throw error
        // the response to our own write may have been lost
        if (!wasRetried(error)) continue
        const now = await loadRow()
        if (isDeepStrictEqual({ version: now.version, groups: now.stored }, changed)) return
      }
    }
    throw new Error('too many concurrent changes of the groups')
  }

  const removeEntry = (name: string) => changeGroup(name, () => undefined)

  /** Lists the groups of the pool by the names that people read, except those that Cognito itself created. */
  async function listPoolGroups(): Promise<GroupType[]> {
    const groups: GroupType[] = []
    let NextToken: string | undefined
    do {
      const page = await client
        .send(new ListGroupsCommand({ UserPoolId, Limit: 60, NextToken }))
        .catch(throwPoolError)
      groups.push(...(page.Groups ?? []))
      NextToken = page.NextToken
    } while (NextToken !== undefined)
    return groups
      .filter(({ GroupName = '' }) => !users.isCreatedByCognito(GroupName))
      .map((group) => ({ ...group, GroupName: fromPoolGroupName(group.GroupName ?? '') }))
  }

  /** @param maxPages of members that are read; a group with more has no count */
  async function countMembers(name: string, maxPages: number): Promise<number | null> {
    let [members, pages] = [0, 0]
    for await (const page of users.listMembers(name)) {
      members += page.length
      if (page.length > 0) pages += 1
      if (members > maxCountedMembers || pages > maxPages) return null
    }
    return members
  }

  const describe = (
    { GroupName: name = '', Description = '' }: GroupType,
    stored: StoredGroup | undefined,
  ): Omit<Group, 'members'> => ({
    name,
    description: stored?.description ?? Description,
    limits: stored?.limits ?? {},
    version: stored?.version ?? 0,
  })

  const count = async (group: Omit<Group, 'members'>, maxPages = maxCountRequests): Promise<Group> => ({
    ...group,
    members: await countMembers(group.name, maxPages),
  })

  /** Finds a group without counting its members. @throws GroupNotFound */
  async function find(name: string): Promise<Omit<Group, 'members'>> {
    const [{ groups }, pool] = await Promise.all([loadRow(), listPoolGroups()])
    const found = pool.find(({ GroupName }) => GroupName === name)
    if (!found) throw new GroupNotFound(`no group ${name}`)
    return describe(found, groups[name])
  }

  return {
    find,

    listNames: async (): Promise<string[]> =>
      (await listPoolGroups()).map(({ GroupName = '' }) => GroupName).toSorted(),

    /** In the order of their names. Of many groups only small ones are counted. */
    async list(): Promise<Group[]> {
      const [{ groups }, pool] = await Promise.all([loadRow(), listPoolGroups()])
      const maxPages = Math.max(1, Math.floor(maxCountRequests / pool.length) - 1)
      const found: Group[] = []
      for (let at = 0; at < pool.length; at += countedAtOnce)
        found.push(
          ...(await Promise.all(
            pool
              .slice(at, at + countedAtOnce)
              .map((group) => count(describe(group, groups[group.GroupName ?? '']), maxPages)),
          )),
        )
      return found.toSorted((one, other) => one.name.localeCompare(other.name))
    },

    /** The limits of each group that the table has an entry of, by name. */
    async loadLimits(): Promise<ReadonlyMap<string, GroupLimits>> {
      const { groups } = await loadRow()
      return new Map(Object.entries(groups).map(([name, { limits }]) => [name, limits]))
    },

    /** @throws GroupExists, TooManyGroups */
    async requireNew(name: string): Promise<void> {
      const names = (await listPoolGroups()).map(({ GroupName = '' }) => foldGroupName(GroupName))
      if (names.includes(foldGroupName(name))) throw new GroupExists(`group ${name}`)
      if (names.length >= maxGroups) throw new TooManyGroups(`${names.length} groups`)
    },

    /** Creates the group in the user pool first, so that no limits are stored for a request that the pool rejects. @throws GroupExists */
    async create(
      name: string,
      { description, limits }: Pick<Group, 'description' | 'limits'>,
    ): Promise<Group> {
      const { Group: created = {} } = await client
        .send(new CreateGroupCommand({ UserPoolId, GroupName: toPoolGroupName(name) }))
        .catch((error: unknown) => {
          if (error instanceof Error && error.name === 'GroupExistsException')
            throw new GroupExists(`group ${name}`, { cause: error })
          return throwPoolError(error)
        })
      try {
        await changeGroup(name, () => ({ description, limits, version: 1 }))
      } catch (error) {
        // limits without a group count for users whose identity provider has one of that name
        await removeEntry(name).catch(() => undefined)
        // a group without its limits would allow more than was asked for, and could not be created again
        await client
          .send(new DeleteGroupCommand({ UserPoolId, GroupName: toPoolGroupName(name) }))
          .catch(() => undefined)
        throw error
      }
      return count(describe({ ...created, GroupName: name }, { description, limits, version: 1 }))
    },

    /** @throws GroupNotFound, GroupChanged unless `version` is the group's */
    async update(
      name: string,
      {
        version,
        description,
        limits,
      }: { version: number; description?: string | undefined; limits?: GroupLimits | undefined },
    ): Promise<Group> {
      const before = await find(name)
      await changeGroup(name, (group) => {
        if ((group?.version ?? 0) !== version) throw new GroupChanged(`version ${version} of ${name}`)
        return {
          description: description ?? before.description,
          limits: limits ?? before.limits,
          version: version + 1,
        }
      })
      return count(await find(name))
    },

    /** Members stay users, with the limits of their other groups. Can be repeated. The caller has checked `requireDeletable`. */
    async remove(name: string): Promise<void> {
      const command = new DeleteGroupCommand({ UserPoolId, GroupName: toPoolGroupName(name) })
      await client.send(command).catch((error: unknown) => {
        if (!(error instanceof Error) || error.name !== 'ResourceNotFoundException') throwPoolError(error)
      })
      await removeEntry(name)
    },
  }
}

export type GroupDirectory = ReturnType<typeof groupDirectory>

/** @throws AdminGroupRequired */
export function requireDeletable(name: string): void {
  if (name === adminGroup) throw new AdminGroupRequired('delete')
}
