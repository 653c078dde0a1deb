import { commonPasswordMessage, isCommonPassword } from '#shared/common-passwords.ts'
import { CognitoError } from './errors.ts'
import type { Pool } from './pool.ts'
import type { PoolUser } from './pool-store.ts'
import { createVerifier, type PasswordVerifier } from './srp.ts'

interface Attribute {
  Name: string
  Value: string
}

/** Attributes of the OpenID standard: clients read and write them unless their settings say otherwise. */
const STANDARD = new Set([
  'address',
  'birthdate',
  'email',
  'family_name',
  'gender',
  'given_name',
  'locale',
  'middle_name',
  'name',
  'nickname',
  'phone_number',
  'picture',
  'preferred_username',
  'profile',
  'website',
  'zoneinfo',
])
const READ_ONLY = new Set(['sub', 'email_verified', 'phone_number_verified', 'identities', 'updated_at'])
const VALUE_LIMIT = 2048

/** The pool's own attributes, text that can change, and what the client may do with attributes. */
export interface AttributeSettings {
  /** with the prefix `custom:` */
  customAttributes: readonly string[]
  /**
   * `WriteAttributes` of the client; undefined: the standard ones, and no custom one, by
   * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_CreateUserPoolClient.html
   */
  writeAttributes: readonly string[] | undefined
  /** `ReadAttributes` of the client, likewise */
  readAttributes: readonly string[] | undefined
}

/** Why a client may not write a value. */
export function describeAttributeFault(
  { customAttributes, writeAttributes }: AttributeSettings,
  name: string,
  value: string,
): 'unauthorized' | 'unknown' | `String must be${string}` | undefined {
  if (READ_ONLY.has(name)) return 'unauthorized'
  if (!STANDARD.has(name) && !customAttributes.includes(name)) return 'unknown'
  if (!(writeAttributes?.includes(name) ?? STANDARD.has(name))) return 'unauthorized'
  return value.length > VALUE_LIMIT ? `String must be no longer than ${VALUE_LIMIT} characters` : undefined
}

/**
 * The attributes a client wants to write.
 * @throws NotAuthorizedException for one that only the service writes or that the client may not write, InvalidParameterException for an
 * unknown one, a value over 2048 characters or an invalid e-mail address
 */
export function parseWritableAttributes(pool: AttributeSettings, list: Attribute[]): Record<string, string> {
  for (const { Name, Value } of list) {
    const fault = describeAttributeFault(pool, Name, Value)
    if (fault === 'unauthorized')
      throw new CognitoError('NotAuthorizedException', 'A client attempted to write unauthorized attribute')
    if (fault === 'unknown') throw schemaError(`Type for attribute {${Name}} could not be determined`)
    if (fault !== undefined) throw schemaError(`${Name}: ${fault}`)
    if (Name === 'email' && !isEmail(Value))
      throw new CognitoError('InvalidParameterException', 'Invalid email address format.')
  }
  return Object.fromEntries(list.map(({ Name, Value }) => [Name, Value]))
}

/** A user's attributes without those that the client may not read. */
export const selectReadableAttributes = (
  { readAttributes }: Pick<AttributeSettings, 'readAttributes'>,
  attributes: Record<string, string>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes).filter(
      ([name]) => READ_ONLY.has(name) || (readAttributes?.includes(name) ?? STANDARD.has(name)),
    ),
  )

/** A user's attributes as the service lists them, `sub` first. */
export const listAttributes = (user: PoolUser): Attribute[] =>
  Object.entries({ sub: user.sub, ...user.attributes }).map(([Name, Value]) => ({ Name, Value }))

export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text)

/**
 * The hash of a new password.
 * @throws InvalidPasswordException for one that is too short or common, which a pool of Amazon's only finds out with its threat
 * protection; InvalidParameterException for white space at either end, which the service's request format does not allow
 */
export function hashNewPassword(pool: Pool, sub: string, password: string): PasswordVerifier {
  if (password.length < pool.minPasswordCharacters)
    throw new CognitoError(
      'InvalidPasswordException',
      'Password did not conform with policy: Password not long enough',
    )
  if (password !== password.trim())
    throw new CognitoError(
      'InvalidParameterException',
      "1 validation error detected: Value at 'password' failed to satisfy constraint: " +
        'Member must satisfy regular expression pattern: ^[\\S]+.*[\\S]+$',
    )
  if (isCommonPassword(password)) throw new CognitoError('InvalidPasswordException', commonPasswordMessage)
  return createVerifier(pool.name, sub, password)
}

const schemaError = (what: string): CognitoError =>
  new CognitoError('InvalidParameterException', `Attributes did not conform to the schema: ${what}`)
