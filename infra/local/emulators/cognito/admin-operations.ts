import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { listAttributes, newPassword } from './attributes.ts'
import { CognitoError } from './errors.ts'
import { attributeList, password, signedOperation, userName } from './operation.ts'
import type { Pool } from './pool.ts'
import type { PoolUser } from './pool-store.ts'
import { beforeSignUp, emailTaken, newUser } from './sign-up-operations.ts'
import { getMfaSettings } from './software-token-operations.ts'

const oneUser = z.object({ UserPoolId: z.string(), Username: userName })

export const adminGetUser = signedOperation(oneUser, (pool, request) => {
  const user = findUser(pool, request)
  return { ...summary(user), UserAttributes: listAttributes(user), ...getMfaSettings(user) }
})

/** Sends no invitation. Nobody knows the random first password, so another one has to be set before the first sign-in. */
export const adminCreateUser = signedOperation(
  oneUser.extend({ UserAttributes: attributeList.default([]), MessageAction: z.literal('SUPPRESS') }),
  async (pool, { UserPoolId, Username, UserAttributes }) => {
    requirePool(pool, UserPoolId)
    const verified = UserAttributes.find(({ Name }) => Name === 'email_verified')?.Value ?? 'false'
    const user = newUser({
      Username,
      UserAttributes: UserAttributes.filter(({ Name }) => Name !== 'email_verified'),
    })
    user.status = 'FORCE_CHANGE_PASSWORD'
    user.attributes['email_verified'] = verified
    user.password = newPassword(pool, user.sub, randomBytes(96).toString('base64url'))
    if (pool.store.findUser(Username)) throw emailTaken()
    await beforeSignUp(pool, user, { source: 'PreSignUp_AdminCreateUser' })
    if (!pool.store.addUser(user)) throw emailTaken()
    return { User: { ...summary(user), Attributes: listAttributes(user) } }
  },
)

/** Only with `Permanent`, which also confirms the account. */
export const adminSetUserPassword = signedOperation(
  oneUser.extend({ Password: password, Permanent: z.literal(true) }),
  (pool, request) => {
    const user = findUser(pool, request)
    const changed = newPassword(pool, user.sub, request.Password)
    pool.store.saveUser({ ...user, status: 'CONFIRMED', password: changed })
    return {}
  },
)

/** Only turns a factor off: its owner alone can turn one on. */
export const adminSetUserMfaPreference = signedOperation(
  oneUser.extend({ SoftwareTokenMfaSettings: z.object({ Enabled: z.literal(false) }) }),
  (pool, request) => {
    pool.store.saveUser({ ...findUser(pool, request), mfa: { enabled: false, preferred: false } })
    return {}
  },
)

/** Revokes all refresh tokens; the pool itself rejects the access tokens from then on. */
export const adminUserGlobalSignOut = signedOperation(oneUser, (pool, request) => {
  pool.store.revokeFamilies(findUser(pool, request).sub)
  return {}
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
      Users: users.map((user) => ({ ...summary(user), Attributes: listAttributes(user) })),
      ...(!Filter && users.length === limit && last && { PaginationToken: last.sub }),
    }
  },
)

/** @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ListUsers.html */
function usersMatching(pool: Pool, filter: string): PoolUser[] {
  const [, name = '', value = ''] = /^\s*"?([a-z]+)"?\s*=\s*"((?:[^"\\]|\\.)*)"\s*$/.exec(filter) ?? []
  if (!['email', 'sub', 'username'].includes(name))
    throw new CognitoError('InvalidParameterException', 'Error while parsing filter.')
  const wanted = value.replaceAll(/\\(.)/g, '$1')
  // the pool's sign-in ignores case
  if (name === 'email') return pool.store.findUsersByEmail(wanted.toLowerCase())
  const user = pool.store.findUser(wanted)
  // "username (case-sensitive)"
  return user?.[name === 'sub' ? 'sub' : 'username'] === wanted ? [user] : []
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
