import { AdminGetUserCommand, CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import type { PreTokenGenerationV2TriggerEvent } from 'aws-lambda'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import type { GroupLimits } from '#shared/contracts/admin.ts'
import { groupsKey } from '../platform/groups-row.ts'
import { handler } from './pre-token-generation.ts'

beforeEach(() => {
  vi.stubEnv('TABLE_NAME', 'table')
})

const event = (triggerSource: PreTokenGenerationV2TriggerEvent['triggerSource']) =>
  ({
    triggerSource,
    request: { userAttributes: {}, groupConfiguration: {}, scopes: ['aws.cognito.signin.user.admin'] },
    response: { claimsAndScopeOverrideDetails: null },
  }) as unknown as PreTokenGenerationV2TriggerEvent

const accessToken = async (source: PreTokenGenerationV2TriggerEvent['triggerSource']) =>
  (await handler(event(source))).response.claimsAndScopeOverrideDetails.accessTokenGeneration

it.each([
  'TokenGeneration_Authentication',
  'TokenGeneration_HostedAuth',
  'TokenGeneration_NewPasswordChallenge',
  'TokenGeneration_AuthenticateDevice',
] as const)('a sign-in opens the product and keeps Cognito’s self-service: %s', async (source) => {
  expect(await accessToken(source)).toEqual({ scopesToAdd: ['juno/api'] })
})

it('a refreshed token opens the product, and none of Cognito’s self-service operations (H5)', async () => {
  expect(await accessToken('TokenGeneration_RefreshTokens')).toEqual({
    scopesToAdd: ['juno/api'],
    scopesToSuppress: ['aws.cognito.signin.user.admin'],
  })
})

describe('DEC-190 a required second factor', () => {
  const table = mockClient(DynamoDBDocumentClient)
  const cognito = mockClient(CognitoIdentityProviderClient)
  beforeEach(() => {
    vi.resetModules()
    table.reset()
    const group = (limits: GroupLimits) => ({ description: '', limits, version: 1 })
    const groups = { staff: group({ require_two_factor: true }), guests: group({}) }
    table.on(GetCommand, { Key: groupsKey }).resolves({ Item: { ...groupsKey, version: 1, groups } })
    cognito.reset()
    cognito.on(AdminGetUserCommand).resolves({})
  })

  async function claims(
    { groups = [], status = 'CONFIRMED' }: { groups?: string[]; status?: string } = {},
    required?: 'on',
  ) {
    vi.stubEnv('REQUIRE_TWO_FACTOR', required)
    const { handler: fresh } = await import('./pre-token-generation.ts')
    const asked = event('TokenGeneration_RefreshTokens')
    Object.assign(asked, { userPoolId: 'pool', userName: 'ann' })
    asked.request.userAttributes = { 'cognito:user_status': status }
    asked.request.groupConfiguration = { groupsToOverride: groups }
    const { response } = await fresh(asked)
    return response.claimsAndScopeOverrideDetails.accessTokenGeneration?.claimsToAddOrOverride
  }

  it('marks the tokens of users without one, where the deployment or a group requires it', async () => {
    expect(await claims({}, 'on')).toEqual({ two_factor: 'required' })
    expect(await claims({ groups: ['guests', 'staff'] })).toEqual({ two_factor: 'required' })
    expect(cognito.commandCalls(AdminGetUserCommand)[0]?.args[0].input).toEqual({
      UserPoolId: 'pool',
      Username: 'ann',
    })
  })

  it('marks none of users who have one, and looks nobody up where none is required', async () => {
    expect(await claims({ groups: ['guests'] })).toBeUndefined()
    expect(cognito.commandCalls(AdminGetUserCommand)).toHaveLength(0)
    cognito.on(AdminGetUserCommand).resolves({ UserMFASettingList: ['SOFTWARE_TOKEN_MFA'] })
    expect(await claims({ groups: ['staff'] }, 'on')).toBeUndefined()
  })

  it('exempts accounts of an identity provider, whose factor is the provider’s', async () => {
    expect(await claims({ groups: ['staff'], status: 'EXTERNAL_PROVIDER' }, 'on')).toBeUndefined()
    expect(cognito.commandCalls(AdminGetUserCommand)).toHaveLength(0)
  })

  it('marks the token of an account that cannot be looked up, and issues it', async () => {
    vi.stubEnv('LOG_LEVEL', 'silent')
    cognito.on(AdminGetUserCommand).rejects(new Error('throttled'))
    expect(await claims({}, 'on')).toEqual({ two_factor: 'required' })
  })
})
