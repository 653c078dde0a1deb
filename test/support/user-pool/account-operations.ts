import * as z from 'zod'
import {
  listAttributes,
  hashNewPassword,
  selectReadableAttributes,
  parseWritableAttributes,
} from '../../../infra/local/emulators/cognito/attributes.ts'
import {
  codeMatches,
  deliverCode,
  newCode,
  SIGN_UP_CODE_MS,
} from '../../../infra/local/emulators/cognito/delivery.ts'
import {
  CognitoError,
  expiredCode,
  wrongCode,
  wrongCredentials,
} from '../../../infra/local/emulators/cognito/errors.ts'
import {
  attributeList,
  clientMetadata,
  mailedCode,
  password,
  userOperation,
  accessTokenInput,
} from '../../../infra/local/emulators/cognito/operation.ts'
import { toMfaFields } from '../../../infra/local/emulators/cognito/mfa-operations.ts'
import { operations } from '../../../infra/local/emulators/cognito/http-server.ts'
import { verifyPassword } from '../../../infra/local/emulators/cognito/srp.ts'

/*
 * Operations for the holder of an access token that the product never calls, and a thief of a session might. It is loaded before the
 * product, so that each user pool of the tests has them.
 */

const getUser = userOperation(accessTokenInput, (pool, user) => ({
  Username: user.username,
  UserAttributes: listAttributes({ ...user, attributes: selectReadableAttributes(pool, user.attributes) }),
  ...toMfaFields(user),
}))

const updateUserAttributes = userOperation(
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

const getUserAttributeVerificationCode = userOperation(
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

const verifyUserAttribute = userOperation(
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

const changePassword = userOperation(
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

const globalSignOut = userOperation(accessTokenInput, (pool, user) => {
  pool.store.revokeFamilies(user.sub)
  return {}
})

const deleteUser = userOperation(accessTokenInput, (pool, user) => {
  pool.store.deleteUser(user.sub)
  return {}
})

const emailTaken = (): CognitoError =>
  new CognitoError('AliasExistsException', 'An account with the email already exists.')

for (const [name, operation] of Object.entries({
  GetUser: getUser,
  UpdateUserAttributes: updateUserAttributes,
  GetUserAttributeVerificationCode: getUserAttributeVerificationCode,
  VerifyUserAttribute: verifyUserAttribute,
  ChangePassword: changePassword,
  GlobalSignOut: globalSignOut,
  DeleteUser: deleteUser,
}))
  operations.set(name, operation)
