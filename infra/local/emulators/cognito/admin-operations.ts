import * as z from 'zod'
import { attributesOf } from './attributes.ts'
import { CognitoError } from './errors.ts'
import { signedOperation, userName } from './operation.ts'
import type { Pool } from './pool.ts'
import type { PoolUser } from './pool-store.ts'
import { mfaOf } from './software-token-operations.ts'

const oneUser = z.object({ UserPoolId: z.string(), Username: userName })

export const adminGetUser = signedOperation(oneUser, (pool, request) => {
  const user = findUser(pool, request)
  return { ...summary(user), UserAttributes: attributesOf(user), ...mfaOf(user) }
})

export const adminDeleteUser = signedOperation(oneUser, (pool, request) => {
  pool.store.deleteUser(findUser(pool, request).sub)
  return {}
})

export const listUsers = signedOperation(
  z.object({
    UserPoolId: z.string(),
    Filter: z.string().default(''),
    Limit: z.number().int().min(0).max(60).default(60),
    PaginationToken: z.string().optional(),
  }),
  (pool, { UserPoolId, Filter, Limit, PaginationToken }) => {
    requirePool(pool, UserPoolId)
    const limit = Limit || 60
    const users = Filter ? usersMatching(pool, Filter) : pool.store.listUsers(limit, PaginationToken)
    const last = users.at(-1)
    return {
      Users: users.map((user) => ({ ...summary(user), Attributes: attributesOf(user) })),
      ...(!Filter && users.length === limit && last && { PaginationToken: last.sub }),
    }
  },
)

function usersMatching(pool: Pool, filter: string): PoolUser[] {
  const [, name = '', value = ''] = /^\s*"?([a-z]+)"?\s*=\s*"((?:[^"\\]|\\.)*)"\s*$/.exec(filter) ?? []
  if (!['email', 'sub', 'username'].includes(name))
    throw new CognitoError('InvalidParameterException', 'Error while parsing filter.')
  const wanted = value.replaceAll(/\\(.)/g, '$1').toLowerCase()
  if (name === 'email') return pool.store.findUsersByEmail(wanted)
  const user = pool.store.findUser(wanted)
  const found = user?.[name === 'sub' ? 'sub' : 'username']
  return user && found?.toLowerCase() === wanted ? [user] : []
}

function findUser(pool: Pool, { UserPoolId, Username }: z.output<typeof oneUser>): PoolUser {
  requirePool(pool, UserPoolId)
  const user = pool.store.findUser(Username)
  if (!user) throw new CognitoError('UserNotFoundException', 'User does not exist.')
  return user
}

function requirePool(pool: Pool, id: string): void {
  if (id !== pool.id) throw new CognitoError('ResourceNotFoundException', `User pool ${id} does not exist.`)
}

const summary = (user: PoolUser): object => ({
  Username: user.username,
  UserCreateDate: user.createdAt / 1000,
  UserLastModifiedDate: user.modifiedAt / 1000,
  Enabled: true,
  UserStatus: user.status,
})
