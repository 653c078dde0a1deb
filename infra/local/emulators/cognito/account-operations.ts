import * as z from 'zod'
import {
  listAttributes,
  hashNewPassword,
  selectReadableAttributes,
  parseWritableAttributes,
} from './attributes.ts'
import { codeMatches } from './codes.ts'
import { deliverCode, newCode, SIGN_UP_CODE_MS } from './delivery.ts'
import { CognitoError, expiredCode, wrongCode, wrongCredentials } from './errors.ts'
import {
  attributeList,
  clientMetadata,
  mailedCode,
  password,
  userOperation,
  accessTokenInput,
} from './operation.ts'
import { toMfaFields } from './mfa-operations.ts'
import { verifyPassword } from './srp.ts'

export const getUser = userOperation(accessTokenInput, (pool, user) => ({
  Username: user.username,
  UserAttributes: listAttributes({ ...user, attributes: selectReadableAttributes(pool, user.attributes) }),
  ...toMfaFields(user),
}))

export const updateUserAttributes = userOperation(
  accessTokenInput.extend({ UserAttributes: attributeList, ClientMetadata: clientMetadata }),
  async (pool, user, { UserAttributes, ClientMetadata }) => {
    const { email, ...others } = parseWritableAttributes(pool, UserAttributes)
    const changed = { ...user, attributes: { ...user.attributes, ...others } }
    if (email === undefined || email.toLowerCase() === user.attributes['email']?.toLowerCase()) {
      pool.store.saveUser(changed)
      return {}
    }
    if (pool.store.findUser(email)) throw emailTaken()
    const code = newCode(SIGN_UP_CODE_MS)
    // https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_UserAttributeUpdateSettingsType.html: without the
    // setting the address changes at once, unverified; the code is mailed either way
    if (!pool.keepOriginalEmail)
      changed.attributes = { ...changed.attributes, email, email_verified: 'false' }
    if (!pool.store.saveUser({ ...changed, newEmail: { ...code, email } })) throw emailTaken()
    const delivery = await deliverCode(pool, {
      source: 'CustomMessage_UpdateUserAttribute',
      user: changed,
      to: email,
      code: code.code,
      clientMetadata: ClientMetadata,
    })
    return { CodeDeliveryDetailsList: [delivery] }
  },
)

export const getUserAttributeVerificationCode = userOperation(
  accessTokenInput.extend({ AttributeName: z.literal('email'), ClientMetadata: clientMetadata }),
  async (pool, user, { ClientMetadata }) => {
    const email = user.newEmail?.email ?? user.attributes['email'] ?? ''
    const code = newCode(SIGN_UP_CODE_MS)
    pool.store.saveUser({ ...user, newEmail: { ...code, email } })
    const CodeDeliveryDetails = await deliverCode(pool, {
      source: 'CustomMessage_VerifyUserAttribute',
      user,
      to: email,
      code: code.code,
      clientMetadata: ClientMetadata,
    })
    return { CodeDeliveryDetails }
  },
)

export const verifyUserAttribute = userOperation(
  accessTokenInput.extend({ AttributeName: z.literal('email'), Code: mailedCode }),
  (pool, user, { Code }) => {
    pool.attempts.count('VerifyUserAttribute', user.sub)
    const { newEmail, ...rest } = user
    if (!newEmail || newEmail.expiresAt <= Date.now()) throw expiredCode()
    if (!codeMatches(newEmail, Code)) throw wrongCode()
    const attributes = { ...user.attributes, email: newEmail.email, email_verified: 'true' }
    if (!pool.store.saveUser({ ...rest, attributes })) throw emailTaken()
    return {}
  },
)

export const changePassword = userOperation(
  accessTokenInput.extend({ PreviousPassword: password.optional(), ProposedPassword: password }),
  (pool, user, { PreviousPassword, ProposedPassword }) => {
    if (user.status === 'EXTERNAL_PROVIDER')
      throw new CognitoError('NotAuthorizedException', 'User is not authorized to change password.')
    pool.attempts.count('ChangePassword', user.sub)
    if (!PreviousPassword || !verifyPassword(pool.name, user.sub, PreviousPassword, user.password))
      throw wrongCredentials()
    pool.store.saveUser({ ...user, password: hashNewPassword(pool, user.sub, ProposedPassword) })
    return {}
  },
)

export const globalSignOut = userOperation(accessTokenInput, (pool, user) => {
  pool.store.revokeFamilies(user.sub)
  return {}
})

export const deleteUser = userOperation(accessTokenInput, (pool, user) => {
  pool.store.deleteUser(user.sub)
  return {}
})

const emailTaken = (): CognitoError =>
  new CognitoError('AliasExistsException', 'An account with the email already exists.')
