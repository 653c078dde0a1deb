import { randomUUID } from 'node:crypto'
import type { PostConfirmationTriggerEvent, PreSignUpTriggerEvent } from 'aws-lambda'
import * as z from 'zod'
import { isEmail, hashNewPassword, parseWritableAttributes } from './attributes.ts'
import { codeMatches, deliverCode, newCode, pretendDelivery, SIGN_UP_CODE_MS } from './delivery.ts'
import { CognitoError, expiredCode, wrongCode } from './errors.ts'
import { attributeList, clientMetadata, mailedCode, openOperation, password, userName } from './operation.ts'
import { attemptsKey, requireClient, type Pool } from './pool.ts'
import type { PoolUser } from './pool-store.ts'
import { callTrigger, eventFields, triggerAttributes } from './triggers.ts'

export const emailTaken = (): CognitoError =>
  new CognitoError('UsernameExistsException', 'An account with the given email already exists.')

export const signUp = openOperation(
  z.object({
    ClientId: z.string(),
    Username: userName,
    Password: password,
    UserAttributes: attributeList.default([]),
    ValidationData: attributeList.nullish(),
    ClientMetadata: clientMetadata,
  }),
  async (pool, request) => {
    requireClient(pool, request.ClientId)
    const user = newUser(pool, request)
    const { Password: chosenPassword, ClientMetadata: metadata, ValidationData: validationData } = request
    user.password = hashNewPassword(pool, user.sub, chosenPassword)
    // the service calls the trigger before it checks whether the name is taken
    const { autoConfirmUser, autoVerifyEmail } = await beforeSignUp(pool, user, {
      source: 'PreSignUp_SignUp',
      metadata,
      validationData: validationData ?? undefined,
    })
    if (pool.store.findUser(request.Username)) throw emailTaken()
    if (autoConfirmUser) user.status = 'CONFIRMED'
    if (autoVerifyEmail) user.attributes['email_verified'] = 'true'
    const code = newCode(SIGN_UP_CODE_MS)
    if (!autoConfirmUser) user.confirmationCode = code
    if (!pool.store.addUser(user)) throw emailTaken()
    if (autoConfirmUser) {
      const source = 'PostConfirmation_ConfirmSignUp'
      await afterConfirmation(pool, user, { source, metadata })
      return { UserConfirmed: true, UserSub: user.sub }
    }
    const CodeDeliveryDetails = await deliverCode(pool, {
      source: 'CustomMessage_SignUp',
      user,
      to: request.Username,
      code: code.code,
      clientMetadata: metadata,
    })
    return { UserConfirmed: false, UserSub: user.sub, CodeDeliveryDetails }
  },
)

export const confirmSignUp = openOperation(
  z.object({
    ClientId: z.string(),
    Username: userName,
    ConfirmationCode: mailedCode,
    ClientMetadata: clientMetadata,
  }),
  async (pool, { ClientId, Username, ConfirmationCode, ClientMetadata }) => {
    requireClient(pool, ClientId)
    const user = pool.store.findUser(Username)
    pool.attempts.count('ConfirmSignUp', attemptsKey(Username, user))
    if (!user) throw expiredCode()
    if (user.status === 'CONFIRMED')
      throw new CognitoError(
        'NotAuthorizedException',
        'User cannot be confirmed. Current status is CONFIRMED',
      )
    const { confirmationCode, ...rest } = user
    if (!confirmationCode || confirmationCode.expiresAt <= Date.now()) throw expiredCode()
    if (!codeMatches(confirmationCode, ConfirmationCode)) throw wrongCode()
    const attributes = { ...user.attributes, email_verified: 'true' }
    const confirmed: PoolUser = { ...rest, status: 'CONFIRMED', attributes }
    pool.store.saveUser(confirmed)
    await afterConfirmation(pool, confirmed, {
      source: 'PostConfirmation_ConfirmSignUp',
      metadata: ClientMetadata,
    })
    return {}
  },
)

export const resendConfirmationCode = openOperation(
  z.object({ ClientId: z.string(), Username: userName, ClientMetadata: clientMetadata }),
  async (pool, { ClientId, Username, ClientMetadata }) => {
    requireClient(pool, ClientId)
    const user = pool.store.findUser(Username)
    if (user?.status === 'CONFIRMED')
      throw new CognitoError('InvalidParameterException', 'User is already confirmed.')
    pool.attempts.count('ResendConfirmationCode', attemptsKey(Username, user))
    if (!user) return { CodeDeliveryDetails: pretendDelivery(pool, Username) }
    const code = newCode(SIGN_UP_CODE_MS)
    pool.store.saveUser({ ...user, confirmationCode: code })
    const CodeDeliveryDetails = await deliverCode(pool, {
      source: 'CustomMessage_ResendCode',
      user,
      to: user.attributes['email'] ?? '',
      code: code.code,
      clientMetadata: ClientMetadata,
    })
    return { CodeDeliveryDetails }
  },
)

/** @throws InvalidParameterException for a name that is not an e-mail address, and what `parseWritableAttributes` throws */
export function newUser(
  pool: Pool,
  request: {
    Username: string
    UserAttributes: { Name: string; Value: string }[]
  },
): PoolUser {
  if (!isEmail(request.Username))
    throw new CognitoError('InvalidParameterException', 'Username should be an email.')
  const attributes = parseWritableAttributes(pool, request.UserAttributes)
  if (
    attributes['email'] !== undefined &&
    attributes['email'].toLowerCase() !== request.Username.toLowerCase()
  )
    throw new CognitoError('InvalidParameterException', 'Username and email attribute should be the same.')
  const sub = randomUUID()
  const now = Date.now()
  return {
    sub,
    username: sub,
    status: 'UNCONFIRMED',
    attributes: { ...attributes, email: request.Username, email_verified: 'false' },
    password: { salt: '', verifier: '' },
    createdAt: now,
    modifiedAt: now,
    mfa: { enabled: false, preferred: false },
  }
}

/** Calls the trigger, if there is one. @throws as `callTrigger` */
export async function beforeSignUp(
  pool: Pool,
  user: PoolUser,
  {
    source,
    metadata,
    validationData,
  }: {
    source: PreSignUpTriggerEvent['triggerSource']
    metadata?: Record<string, string> | undefined
    validationData?: readonly { Name: string; Value: string }[] | undefined
  },
): Promise<PreSignUpTriggerEvent['response']> {
  const untouched = { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false }
  if (!pool.triggers.preSignUp) return untouched
  const { email_verified: _, ...userAttributes } = user.attributes
  const { response } = await callTrigger('PreSignUp', pool.triggers.preSignUp, {
    ...eventFields(pool, user),
    triggerSource: source,
    request: {
      userAttributes,
      ...(metadata && { clientMetadata: metadata }),
      ...(validationData && {
        validationData: Object.fromEntries(validationData.map(({ Name, Value }) => [Name, Value])),
      }),
    },
    response: untouched,
  })
  return response
}

/**
 * Calls the trigger, if there is one, once the change is stored: its error reaches the caller, but the change stays
 * (https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-post-confirmation.html).
 * @throws as `callTrigger`
 */
export async function afterConfirmation(
  pool: Pool,
  user: PoolUser,
  {
    source,
    metadata,
  }: { source: PostConfirmationTriggerEvent['triggerSource']; metadata: Record<string, string> | undefined },
): Promise<void> {
  if (!pool.triggers.postConfirmation) return
  await callTrigger('PostConfirmation', pool.triggers.postConfirmation, {
    ...eventFields(pool, user),
    triggerSource: source,
    request: { userAttributes: triggerAttributes(user), ...(metadata && { clientMetadata: metadata }) },
    response: {},
  } as PostConfirmationTriggerEvent)
}
