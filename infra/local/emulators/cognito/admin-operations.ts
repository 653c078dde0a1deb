import { randomBytes } from 'node:crypto'
import { foldEmail } from '#shared/user-pool.ts'
import * as z from 'zod'
import { describeAttributeFault, listAttributes, hashNewPassword } from './attributes.ts'
import { CognitoError } from './errors.ts'
import { decodePosition, encodePosition } from './paging.ts'
import { attributeList, password, signedOperation, userName } from './operation.ts'
import type { Pool } from './pool.ts'
import type { PoolUser } from './pool-store.ts'
import { beforeSignUp, emailTaken, newUser } from './sign-up-operations.ts'
import { toMfaFields } from './mfa-operations.ts'

export const oneUser = z.object({ UserPoolId: z.string(), Username: userName })

export const adminGetUser = signedOperation(oneUser, (pool, request) => {
  const user = findPoolUser(pool, request)
  return { ...describeUser(user), UserAttributes: listAttributes(user), ...toMfaFields(user) }
})

/** Sends no invitation. Nobody knows the random first password, so another one has to be set before the first sign-in. */
export const adminCreateUser = signedOperation(
  oneUser.extend({ UserAttributes: attributeList.default([]), MessageAction: z.literal('SUPPRESS') }),
  async (pool, { UserPoolId, Username, UserAttributes }) => {
    requirePool(pool, UserPoolId)
    const verified = UserAttributes.find(({ Name }) => Name === 'email_verified')?.Value ?? 'false'
    const user = newUser(pool, {
      Username,
      UserAttributes: UserAttributes.filter(({ Name }) => Name !== 'email_verified'),
    })
    user.status = 'FORCE_CHANGE_PASSWORD'
    user.attributes['email_verified'] = verified
    user.password = hashNewPassword(pool, user.sub, randomBytes(96).toString('base64url'))
    if (pool.store.findUser(Username)) throw emailTaken()
    await beforeSignUp(pool, user, { source: 'PreSignUp_AdminCreateUser' })
    if (!pool.store.addUser(user)) throw emailTaken()
    return { User: { ...describeUser(user), Attributes: listAttributes(user) } }
  },
)

/** Only with `Permanent`, which also confirms the account. */
export const adminSetUserPassword = signedOperation(
  oneUser.extend({ Password: password, Permanent: z.literal(true) }),
  (pool, request) => {
    const user = findPoolUser(pool, request)
    const changed = hashNewPassword(pool, user.sub, request.Password)
    pool.store.saveUser({ ...user, status: 'CONFIRMED', password: changed })
    return {}
  },
)

/** Only turns a factor off: its owner alone can turn one on. */
export const adminSetUserMfaPreference = signedOperation(
  oneUser.extend({ SoftwareTokenMfaSettings: z.object({ Enabled: z.literal(false) }) }),
  (pool, request) => {
    pool.store.saveUser({ ...findPoolUser(pool, request), mfa: { enabled: false, preferred: false } })
    return {}
  },
)

/** Revokes all refresh tokens; the pool itself rejects the access tokens from then on. */
export const adminUserGlobalSignOut = signedOperation(oneUser, (pool, request) => {
  pool.store.revokeFamilies(findPoolUser(pool, request).sub)
  return {}
})

/** An attribute that the user does not have is no error. */
export const adminDeleteUserAttributes = signedOperation(
  oneUser.extend({ UserAttributeNames: z.array(z.string().min(1).max(32)).min(1) }),
  (pool, request) => {
    const user = findPoolUser(pool, request)
    const names = request.UserAttributeNames
    for (const name of names) {
      const fault = describeAttributeFault({ ...pool, writeAttributes: undefined }, name, '')
      if (fault === 'unknown')
        throw new CognitoError(
          'InvalidParameterException',
          `user.${name}: Attribute does not exist in the schema.`,
        )
      if (requiredAttributes.has(name))
        throw new CognitoError('InvalidParameterException', `user.${name}: Attribute cannot be deleted.`)
    }
    const remaining = Object.entries(user.attributes).filter(([name]) => !names.includes(name))
    pool.store.saveUser({ ...user, attributes: Object.fromEntries(remaining) })
    return {}
  },
)

/** Attributes that no user can be without. */
const requiredAttributes = new Set(['sub', 'email', 'email_verified', 'identities'])

export const adminDeleteUser = signedOperation(oneUser, (pool, request) => {
  pool.store.deleteUser(findPoolUser(pool, request).sub)
  return {}
})

export const adminDisableUser = signedOperation(oneUser, (pool, request) => {
  const user = findPoolUser(pool, request)
  pool.store.saveUser({ ...user, disabled: true })
  // "Deactivates a user profile and revokes all access tokens for the user" (API reference); refresh tokens end, too
  pool.store.revokeFamilies(user.sub)
  return {}
})

export const adminEnableUser = signedOperation(oneUser, (pool, request) => {
  const { disabled: _, ...user } = findPoolUser(pool, request)
  pool.store.saveUser(user)
  return {}
})

export const listUsers = signedOperation(
  z.object({
    UserPoolId: z.string(),
    Filter: z.string().max(256).default(''),
    Limit: z.number().int().min(0).max(60).default(60),
    PaginationToken: z.string().min(1).optional(),
  }),
  (pool, { UserPoolId, Filter, Limit, PaginationToken }) => {
    requirePool(pool, UserPoolId)
    const limit = Limit || 60
    const after = PaginationToken && decodePosition(PaginationToken, Filter)
    const users = pool.store.listUsers(limit, after, parseFilter(Filter))
    const last = users.at(-1)
    return {
      Users: users.map((user) => ({ ...describeUser(user), Attributes: listAttributes(user) })),
      ...(users.length === limit && last && { PaginationToken: encodePosition(last.sub, Filter) }),
    }
  },
)

const filterable = new Set([
  'username',
  'email',
  'phone_number',
  'name',
  'given_name',
  'family_name',
  'preferred_username',
  'cognito:user_status',
  'status',
  'sub',
])

/**
 * One comparison, `=` or `^=` (begins with), of one of the attributes that can be searched.
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ListUsers.html
 */
function parseFilter(filter: string): (user: PoolUser) => boolean {
  if (filter === '') return () => true
  const [, name = '', comparison, quoted = ''] =
    /^\s*"?([a-z_:]+)"?\s*(\^?=)\s*"((?:[^"\\]|\\.)*)"\s*$/.exec(filter) ?? []
  if (!filterable.has(name))
    throw new CognitoError('InvalidParameterException', 'Error while parsing filter.')
  // the pool's sign-in ignores case; "username (case-sensitive)"
  const fold = (value: string) => (name === 'email' ? foldEmail(value) : value)
  const pattern = fold(quoted.replaceAll(/\\(.)/g, '$1'))
  return (user) => {
    const value = filterValue(user, name)
    if (value === undefined) return false
    return comparison === '=' ? fold(value) === pattern : fold(value).startsWith(pattern)
  }
}

function filterValue(user: PoolUser, name: string): string | undefined {
  if (name === 'username') return user.username
  if (name === 'sub') return user.sub
  if (name === 'cognito:user_status') return user.status
  if (name === 'status') return user.disabled ? 'Disabled' : 'Enabled'
  return user.attributes[name]
}

/** @throws UserNotFoundException, ResourceNotFoundException */
export function findPoolUser(pool: Pool, { UserPoolId, Username }: z.output<typeof oneUser>): PoolUser {
  requirePool(pool, UserPoolId)
  const user = pool.store.findUser(Username)
  if (!user) throw new CognitoError('UserNotFoundException', 'User does not exist.')
  return user
}

/** @throws ResourceNotFoundException */
export function requirePool(pool: Pool, id: string): void {
  if (id !== pool.id) throw new CognitoError('ResourceNotFoundException', `User pool ${id} does not exist.`)
}

/** The common part of what the service lists of a user. */
export const describeUser = (user: PoolUser): object => ({
  Username: user.username,
  UserCreateDate: user.createdAt / 1000,
  UserLastModifiedDate: user.modifiedAt / 1000,
  Enabled: !user.disabled,
  UserStatus: user.status,
})
