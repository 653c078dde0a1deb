import {
  AdminGetUserCommand,
  CognitoIdentityProviderClient,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider'
import { beforeEach, expect, it } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { findPublisher } from './find-publisher.ts'

const cognito = mockClient(CognitoIdentityProviderClient)
beforeEach(() => void cognito.reset())
const find = () => findPublisher(new CognitoIdentityProviderClient({}), 'pool', 'pia')

it('tells the address and the name of an account', async () => {
  const UserAttributes = [
    { Name: 'sub', Value: 'x' },
    { Name: 'name', Value: 'Pia' },
    { Name: 'email', Value: 'pia@example.org' },
  ]
  cognito.on(AdminGetUserCommand, { UserPoolId: 'pool', Username: 'pia' }).resolves({ UserAttributes })
  expect(await find()).toEqual({ email: 'pia@example.org', name: 'Pia' })
})

it('distinguishes an account that is gone from a user pool that fails', async () => {
  cognito.on(AdminGetUserCommand).rejects(new UserNotFoundException({ message: 'no', $metadata: {} }))
  await expect(find()).rejects.toMatchObject({ code: 'user_not_found' })
  cognito.on(AdminGetUserCommand).rejects(new Error('down'))
  await expect(find()).rejects.toMatchObject({ code: 'account_service_unavailable' })
})
