import * as z from 'zod'
import { listAttributes } from './attributes.ts'
import { describeUser, findPoolUser, oneUser, requirePool } from './admin-operations.ts'
import { CognitoError } from './errors.ts'
import { signedOperation } from './operation.ts'
import { decodePosition, encodePosition } from './paging.ts'
import type { Pool } from './pool.ts'
import type { PoolGroup } from './pool-groups.ts'

/*
 * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_CreateGroup.html and the pages of the other
 * operations: names of 1 to 128 characters of letters, marks, symbols, numbers and punctuation; lists of 60 at most.
 */
const groupName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[\p{L}\p{M}\p{S}\p{N}\p{P}]+$/u)
const inPool = z.object({ UserPoolId: z.string() })
const oneGroup = inPool.extend({ GroupName: groupName })
const pageInput = {
  Limit: z.number().int().min(0).max(60).default(60),
  NextToken: z.string().min(1).optional(),
}

const describeGroup = ({ id }: Pool, group: PoolGroup): object => ({
  GroupName: group.name,
  UserPoolId: id,
  ...(group.description !== undefined && { Description: group.description }),
  ...(group.precedence !== undefined && { Precedence: group.precedence }),
  CreationDate: group.createdAt / 1000,
  LastModifiedDate: group.modifiedAt / 1000,
})

function findGroup(pool: Pool, { UserPoolId, GroupName }: z.output<typeof oneGroup>): PoolGroup {
  requirePool(pool, UserPoolId)
  const group = pool.store.groups.find(GroupName)
  if (!group) throw new CognitoError('ResourceNotFoundException', 'Group not found.')
  return group
}

export const createGroup = signedOperation(
  oneGroup.extend({
    Description: z.string().max(2048).optional(),
    Precedence: z.number().int().min(0).optional(),
  }),
  (pool, { UserPoolId, GroupName, Description, Precedence }) => {
    requirePool(pool, UserPoolId)
    const now = Date.now()
    const group = {
      name: GroupName,
      description: Description,
      precedence: Precedence,
      createdAt: now,
      modifiedAt: now,
    }
    if (!pool.store.groups.add(group))
      throw new CognitoError('GroupExistsException', 'A group with the name already exists.')
    return { Group: describeGroup(pool, group) }
  },
)

export const deleteGroup = signedOperation(oneGroup, (pool, request) => {
  pool.store.groups.delete(findGroup(pool, request).name)
  return {}
})

export const listGroups = signedOperation(
  inPool.extend(pageInput),
  (pool, { UserPoolId, Limit, NextToken = '' }) => {
    requirePool(pool, UserPoolId)
    const limit = Limit || 60
    const groups = pool.store.groups.list(limit, NextToken && decodePosition(NextToken, 'groups'))
    return {
      Groups: groups.map((group) => describeGroup(pool, group)),
      ...nextToken(groups.length === limit, groups.at(-1)?.name, 'groups'),
    }
  },
)

export const adminAddUserToGroup = signedOperation(
  oneUser.extend({ GroupName: groupName }),
  (pool, request) => {
    const { sub } = findPoolUser(pool, request)
    pool.store.groups.addMember(findGroup(pool, request).name, sub)
    return {}
  },
)

export const adminRemoveUserFromGroup = signedOperation(
  oneUser.extend({ GroupName: groupName }),
  (pool, request) => {
    const { sub } = findPoolUser(pool, request)
    pool.store.groups.removeMember(findGroup(pool, request).name, sub)
    return {}
  },
)

export const adminListGroupsForUser = signedOperation(oneUser.extend(pageInput), (pool, request) => {
  const { sub } = findPoolUser(pool, request)
  const limit = request.Limit || 60
  const after = request.NextToken && decodePosition(request.NextToken, sub)
  const groups = pool.store.groups.listForUser(sub, limit, after)
  return {
    Groups: groups.map((group) => describeGroup(pool, group)),
    ...nextToken(groups.length === limit, groups.at(-1)?.name, sub),
  }
})

export const listUsersInGroup = signedOperation(oneGroup.extend(pageInput), (pool, request) => {
  const { name } = findGroup(pool, request)
  const limit = request.Limit || 60
  const after = request.NextToken && decodePosition(request.NextToken, name)
  const users = pool.store.groups.listMembers(name, limit, after)
  return {
    Users: users.map((user) => ({ ...describeUser(user), Attributes: listAttributes(user) })),
    ...nextToken(users.length === limit, users.at(-1)?.sub, name),
  }
})

const nextToken = (hasMore: boolean, last: string | undefined, list: string) =>
  hasMore && last !== undefined && { NextToken: encodePosition(last, list) }
