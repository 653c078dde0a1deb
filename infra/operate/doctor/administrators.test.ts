import {
  CognitoIdentityProviderClient,
  ListUsersInGroupCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider'
import { afterEach, expect, it } from 'vitest'
import { mockClient } from '../../../test/support/mock-client.ts'
import { checkAdministrators } from './users.ts'
import type { DoctorInput } from './stacks.ts'

const pools = mockClient(CognitoIdentityProviderClient)
afterEach(() => pools.reset())

const inputWith = (...Outputs: object[]) =>
  ({ region: 'eu-west-1', stacks: Promise.resolve([{ stack: { Outputs } }]) }) as unknown as DoctorInput
const deployedInput = inputWith({ OutputKey: 'UserPoolId', OutputValue: 'eu-west-1_abc' })

it('DEC-188 is silent before the first deployment', async () => {
  expect(await checkAdministrators(inputWith())).toBeUndefined()
})

it('counts the administrators who can sign in', async () => {
  pools
    .on(ListUsersInGroupCommand, { UserPoolId: 'eu-west-1_abc', GroupName: 'admins', Limit: 60 })
    .resolves({ Users: [{ Enabled: true }, { Enabled: false }, {}] })
  expect(await checkAdministrators(deployedInput)).toEqual({ level: 'ok', found: '2.' })
})

it('warns if there is none, also without the group', async () => {
  const noAdministratorWarning = expect.objectContaining({
    level: 'warning',
    next: expect.stringContaining('--admin') as string,
  })
  pools.on(ListUsersInGroupCommand).resolves({ Users: [{ Enabled: false }] })
  expect(await checkAdministrators(deployedInput)).toEqual(noAdministratorWarning)
  pools.reset()
  pools
    .on(ListUsersInGroupCommand)
    .rejects(new ResourceNotFoundException({ message: 'Group not found.', $metadata: {} }))
  expect(await checkAdministrators(deployedInput)).toEqual(noAdministratorWarning)
})
