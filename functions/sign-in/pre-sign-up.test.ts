import {
  AdminGetUserCommand,
  CognitoIdentityProviderClient,
  InternalErrorException,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider'
import type { PreSignUpTriggerEvent } from 'aws-lambda'
import { mockClient } from 'aws-sdk-client-mock'
import { beforeEach, expect, it } from 'vitest'
import { handler } from './pre-sign-up.ts'

const cognito = mockClient(CognitoIdentityProviderClient)
beforeEach(() => cognito.reset())

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
  expect(cognito.calls()).toHaveLength(0)
})

it.each([
  [undefined, 'A name is required'],
  ['  ', 'A name is required'],
  ['x'.repeat(201), 'The name is longer than 200 characters'],
])('AUTH-09 refuses the name %j', async (name, message) => {
  const event = anEvent('PreSignUp_SignUp', { email: 'ann@example.com', ...(name !== undefined && { name }) })
  await expect(handler(event)).rejects.toThrow(message)
})

const google = () => anEvent('PreSignUp_ExternalProvider', { email: 'ann@example.com' })

it('refuses Google for the e-mail of an account with a password', async () => {
  cognito
    .on(AdminGetUserCommand, { UserPoolId: 'eu-central-1_abc', Username: 'ann@example.com' })
    .resolves({ UserStatus: 'CONFIRMED' })
  await expect(handler(google())).rejects.toThrow('An account with this email already exists')
})

it('lets Google pass for a new e-mail and for one that Google brought', async () => {
  cognito.on(AdminGetUserCommand).rejectsOnce(new UserNotFoundException({ message: '', $metadata: {} }))
  await expect(handler(google())).resolves.toEqual(google())
  cognito.on(AdminGetUserCommand).resolves({ UserStatus: 'EXTERNAL_PROVIDER' })
  await expect(handler(google())).resolves.toEqual(google())
})

it('does not let anybody pass when the pool cannot be asked', async () => {
  cognito.on(AdminGetUserCommand).rejects(new InternalErrorException({ message: 'down', $metadata: {} }))
  await expect(handler(google())).rejects.toThrow('down')
})
