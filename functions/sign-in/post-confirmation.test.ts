import {
  AdminAddUserToGroupCommand,
  AdminSetUserPasswordCommand,
  AdminUserGlobalSignOutCommand,
  CognitoIdentityProviderClient,
  TooManyRequestsException,
} from '@aws-sdk/client-cognito-identity-provider'
import { DeleteCommand, DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import type { PostConfirmationTriggerEvent } from 'aws-lambda'
import { beforeEach, expect, it, vi } from 'vitest'
import { replacePasswordKey } from '#shared/user-pool.ts'
import { mockClient } from '../../test/support/mock-client.ts'

const cognito = mockClient(CognitoIdentityProviderClient)
const table = mockClient(DynamoDBDocumentClient)
let handler: (event: PostConfirmationTriggerEvent) => Promise<PostConfirmationTriggerEvent>
beforeEach(async () => {
  cognito.reset()
  table.reset()
  cognito.resolves({})
  table.resolves({})
  const invitation = { email: 'ann@example.com', groups: ['admins'], sent_at: null, ttl: 4e9 }
  table.on(GetCommand).resolves({ Item: invitation })
  table.on(DeleteCommand).resolves({ Attributes: invitation })
  vi.stubEnv('TABLE_NAME', 'table')
  vi.resetModules()
  handler = (await import('./post-confirmation.ts')).handler
})

const confirm = (verified: string, clientMetadata: Record<string, string> = {}) =>
  handler({
    version: '1',
    region: 'eu-central-1',
    userPoolId: 'eu-central-1_abc',
    userName: 'ann',
    callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId: 'abc' },
    triggerSource: 'PostConfirmation_ConfirmSignUp',
    request: {
      userAttributes: { sub: 'ann', email: 'ann@example.com', email_verified: verified },
      clientMetadata,
    },
    response: {},
  } as PostConfirmationTriggerEvent)

const sent = () => cognito.commandCalls(AdminAddUserToGroupCommand).length

it('DEC-188 the groups of an invitation are for whoever has proved the address', async () => {
  await confirm('true')
  expect(sent()).toBe(1)
  expect(table.commandCalls(DeleteCommand).length).toBeGreaterThan(0)
})

it('DEC-188 an account with an address that nobody has proved gets no groups, and the invitation stays', async () => {
  await confirm('false')
  expect(sent()).toBe(0)
  expect(table.commandCalls(DeleteCommand)).toEqual([])
})

it('the password of somebody else is gone before the groups are given, also when they cannot be', async () => {
  cognito
    .on(AdminAddUserToGroupCommand)
    .rejects(new TooManyRequestsException({ message: 'slow down', $metadata: {} }))
  await expect(confirm('true', { [replacePasswordKey]: 'true' })).rejects.toThrow('slow down')
  expect(cognito.commandCalls(AdminSetUserPasswordCommand)).toHaveLength(1)
  expect(cognito.commandCalls(AdminUserGlobalSignOutCommand)).toHaveLength(1)
})
