import {
  CognitoIdentityProviderClient,
  InternalErrorException,
  ListUsersCommand,
  type UserStatusType,
} from '@aws-sdk/client-cognito-identity-provider'
import type { PreSignUpTriggerEvent } from 'aws-lambda'
import { mockClient } from 'aws-sdk-client-mock'
import { beforeEach, expect, it } from 'vitest'
import { handler } from './pre-sign-up.ts'

const cognito = mockClient(CognitoIdentityProviderClient)
beforeEach(() => {
  cognito.reset()
  cognito.on(ListUsersCommand).resolves({})
})

const accountsWith = (...statuses: UserStatusType[]) =>
  cognito
    .on(ListUsersCommand, { UserPoolId: 'eu-central-1_abc', Filter: 'email = "ann@example.com"' })
    .resolves({ Users: statuses.map((UserStatus) => ({ UserStatus })) })

const anEvent = (triggerSource: string, userAttributes: Record<string, string>) =>
  ({
    version: '1',
    region: 'eu-central-1',
    userPoolId: 'eu-central-1_abc',
    userName: 'google_117',
    callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId: 'abc' },
    triggerSource,
    request: { userAttributes },
    response: { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false },
  }) as PreSignUpTriggerEvent

it.each(['A', 'x'.repeat(200)])('AUTH-17 lets a sign-up with a name pass untouched', async (name) => {
  const event = anEvent('PreSignUp_SignUp', { email: 'ann@example.com', name })
  expect(await handler(structuredClone(event))).toEqual(event)
})

it.each([
  [undefined, 'A name is required'],
  ['  ', 'A name is required'],
  ['x'.repeat(201), 'The name is longer than 200 characters'],
])('AUTH-09 refuses the name %j', async (name, message) => {
  const event = anEvent('PreSignUp_SignUp', { email: 'ann@example.com', ...(name !== undefined && { name }) })
  await expect(handler(event)).rejects.toThrow(message)
})

const google = () => anEvent('PreSignUp_ExternalProvider', { email: 'Ann@example.com' })
const signUp = () => anEvent('PreSignUp_SignUp', { email: 'Ann@example.com', name: 'Ann' })
const exists = 'An account with this email already exists'

it.each(['CONFIRMED', 'RESET_REQUIRED', 'FORCE_CHANGE_PASSWORD'] as const)(
  'AUTH-24 DEC-118 refuses Google for the e-mail of an account with a password that is %s',
  async (status) => {
    accountsWith('UNCONFIRMED', status)
    await expect(handler(google())).rejects.toThrow(exists)
  },
)

it('AUTH-24 DEC-118 refuses a sign-up with the e-mail of a Google account', async () => {
  accountsWith('EXTERNAL_PROVIDER')
  await expect(handler(signUp())).rejects.toThrow(exists)
})

it.each([[], ['EXTERNAL_PROVIDER'], ['UNCONFIRMED']] as UserStatusType[][])(
  'DEC-118 lets Google pass for an e-mail that nobody has confirmed here: %j',
  async (...statuses) => {
    accountsWith(...statuses)
    await expect(handler(google())).resolves.toEqual(google())
  },
)

it('lets a sign-up pass that only the pool itself may refuse', async () => {
  accountsWith('CONFIRMED')
  await expect(handler(signUp())).resolves.toEqual(signUp())
})

it('asks for the address as it is, quotes and all', async () => {
  await handler(anEvent('PreSignUp_ExternalProvider', { email: String.raw`"a\b"@example.com` }))
  expect(cognito.commandCalls(ListUsersCommand)[0]?.args[0].input.Filter).toBe(
    String.raw`email = "\"a\\b\"@example.com"`,
  )
})

it('does not let anybody pass when the pool cannot be asked', async () => {
  cognito.on(ListUsersCommand).rejects(new InternalErrorException({ message: 'down', $metadata: {} }))
  await expect(handler(google())).rejects.toThrow('down')
  await expect(handler(signUp())).rejects.toThrow('down')
})
