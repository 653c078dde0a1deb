import {
  AdminAddUserToGroupCommand,
  AdminSetUserPasswordCommand,
  AdminUserGlobalSignOutCommand,
  CognitoIdentityProviderClient,
  ResourceNotFoundException,
  TooManyRequestsException,
} from '@aws-sdk/client-cognito-identity-provider'
import { DeleteCommand, DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import type { PostConfirmationTriggerEvent } from 'aws-lambda'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { replacePasswordKey } from '#shared/user-pool.ts'
import { siteSettingsKey } from '../platform/site-settings.ts'
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
  vi.stubEnv('IDENTITY_PROVIDERS', '[]')
  vi.resetModules()
  handler = (await import('./post-confirmation.ts')).handler
})

const confirm = (verified: string, clientMetadata: Record<string, string> = {}, attributes = {}) =>
  handler({
    version: '1',
    region: 'eu-central-1',
    userPoolId: 'eu-central-1_abc',
    userName: 'ann',
    callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId: 'abc' },
    triggerSource: 'PostConfirmation_ConfirmSignUp',
    request: {
      userAttributes: { sub: 'ann', email: 'ann@example.com', email_verified: verified, ...attributes },
      clientMetadata,
    },
    response: {},
  } as PostConfirmationTriggerEvent)

const countGroupsAdded = () => cognito.commandCalls(AdminAddUserToGroupCommand).length

it('DEC-188 gives the groups of an invitation to a verified address', async () => {
  await confirm('true')
  expect(countGroupsAdded()).toBe(1)
  expect(table.commandCalls(DeleteCommand).length).toBeGreaterThan(0)
})

it('DEC-188 gives an unverified address no groups, and keeps the invitation', async () => {
  await confirm('false')
  expect(countGroupsAdded()).toBe(0)
  expect(table.commandCalls(DeleteCommand)).toEqual([])
})

it('replaces another person’s password before it adds groups, even if that fails', async () => {
  cognito
    .on(AdminAddUserToGroupCommand)
    .rejects(new TooManyRequestsException({ message: 'slow down', $metadata: {} }))
  await expect(confirm('true', { [replacePasswordKey]: 'true' })).rejects.toThrow('slow down')
  expect(cognito.commandCalls(AdminSetUserPasswordCommand)).toHaveLength(1)
  expect(cognito.commandCalls(AdminUserGlobalSignOutCommand)).toHaveLength(1)
})

it.each([
  ['ann@corp.example', 'EXTERNAL_PROVIDER', 'Okta', 1],
  ['ann@example.com', 'EXTERNAL_PROVIDER', 'Okta', 0],
  ['ann@corp.example', 'EXTERNAL_PROVIDER', 'Google', 0],
  ['ann@corp.example', 'EXTERNAL_PROVIDER', 'Former', 0],
  ['ann@corp.example', 'CONFIRMED', 'Okta', 0],
])(
  'DEC-191 gives an invitation’s groups to %s, %s of %s, only if the domain’s own provider verifies the address',
  async (email, status, providerName, groups) => {
    const providers = [
      { type: 'oidc', name: 'Okta', label: 'Okta', domains: ['corp.example'], usesGroups: false },
    ]
    vi.stubEnv('IDENTITY_PROVIDERS', JSON.stringify(providers))
    vi.resetModules()
    handler = (await import('./post-confirmation.ts')).handler
    const identities = JSON.stringify([{ userId: '1', providerName }])
    await confirm('false', {}, { email, 'cognito:user_status': status, identities })
    expect(countGroupsAdded()).toBe(groups)
  },
)

describe('the default group', () => {
  const setDefault = (defaultGroup: string) =>
    table.on(GetCommand, { Key: siteSettingsKey }).resolves({ Item: { defaultGroup } })
  const listGroups = () =>
    cognito.commandCalls(AdminAddUserToGroupCommand).map(({ args }) => args[0].input.GroupName)

  it.each([
    ['true', ['staff', 'admins']],
    ['false', ['staff']],
  ])('is joined beside those of an invitation (address verified: %s)', async (verified, groups) => {
    setDefault('staff')
    await confirm(verified)
    expect(listGroups()).toEqual(groups)
  })

  it('is not joined if it was deleted, nor if it is that of the administrators', async () => {
    setDefault('gone')
    cognito
      .on(AdminAddUserToGroupCommand)
      .rejects(new ResourceNotFoundException({ message: 'gone', $metadata: {} }))
    await expect(confirm('false')).resolves.toBeDefined()
    cognito.resetHistory()
    setDefault('admins')
    await confirm('false')
    expect(listGroups()).not.toContain('admins')
  })
})
