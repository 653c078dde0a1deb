import {
  AdminDeleteUserAttributesCommand,
  CognitoIdentityProviderClient,
  InternalErrorException,
} from '@aws-sdk/client-cognito-identity-provider'
import type { PreAuthenticationTriggerEvent } from 'aws-lambda'
import { beforeEach, expect, it } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { handler } from './pre-authentication.ts'

const cognito = mockClient(CognitoIdentityProviderClient)
beforeEach(() => {
  cognito.reset()
  cognito.resolves({})
})

const signIn = (userAttributes: Record<string, string> | null | undefined, userNotFound = false) =>
  handler({
    version: '1',
    region: 'eu-central-1',
    userPoolId: 'eu-central-1_abc',
    userName: 'okta_00u1',
    callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId: 'abc' },
    triggerSource: 'PreAuthentication_Authentication',
    request: { userAttributes, userNotFound },
    response: {},
  } as PreAuthenticationTriggerEvent)
const listSentInputs = () =>
  cognito.commandCalls(AdminDeleteUserAttributesCommand).map(({ args }) => args[0].input)

const okta = {
  'cognito:user_status': 'EXTERNAL_PROVIDER',
  identities: '[{"userId":"00u1","providerName":"Okta"}]',
  'custom:groups': '[staff,assistant-admins]',
}

it('DEC-191 removes groups of an earlier sign-in that the provider no longer names', async () => {
  await signIn(okta)
  expect(listSentInputs()).toEqual([
    { UserPoolId: 'eu-central-1_abc', Username: 'okta_00u1', UserAttributeNames: ['custom:groups'] },
  ])
})

it.each<[string, Record<string, string>]>([
  ['a password', { 'cognito:user_status': 'CONFIRMED', 'custom:groups': 'x' }],
  ['Google', { ...okta, identities: '[{"userId":"1","providerName":"Google"}]' }],
  ['a provider that names none', { 'cognito:user_status': 'EXTERNAL_PROVIDER', identities: okta.identities }],
])('changes nothing when an account with %s signs in', async (_account, attributes) => {
  await signIn(attributes)
  expect(listSentInputs()).toEqual([])
})

it.each([undefined, null, {}])(
  'leaves an unknown user name, which has no attributes, to Cognito: %j',
  async (attributes) => {
    await expect(signIn(attributes, true)).resolves.toMatchObject({ userName: 'okta_00u1' })
    expect(listSentInputs()).toEqual([])
  },
)

it('DEC-191 refuses the sign-in when the groups could not be cleared', async () => {
  cognito.rejects(new InternalErrorException({ message: 'down', $metadata: {} }))
  await expect(signIn(okta)).rejects.toThrow('down')
})
