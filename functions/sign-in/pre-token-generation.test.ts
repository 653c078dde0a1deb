import { AdminGetUserCommand, CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { PreTokenGenerationV2TriggerEvent } from 'aws-lambda'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { formatProviderConfigs, identityProviderList } from '#shared/identity-providers.ts'
import type { GroupLimits } from '#shared/contracts/admin.ts'
import { groupsKey } from '../platform/groups-row.ts'
import { handler } from './pre-token-generation.ts'

beforeEach(() => {
  vi.stubEnv('TABLE_NAME', 'table')
  vi.stubEnv('IDENTITY_PROVIDERS', formatProviderConfigs([], { hasGoogle: true }))
  vi.stubEnv('PASSWORD_SIGN_IN', 'on')
})

const buildEvent = (triggerSource: PreTokenGenerationV2TriggerEvent['triggerSource']) =>
  ({
    triggerSource,
    request: { userAttributes: {}, groupConfiguration: {}, scopes: ['aws.cognito.signin.user.admin'] },
    response: { claimsAndScopeOverrideDetails: null },
  }) as unknown as PreTokenGenerationV2TriggerEvent

const generateAccessToken = async (source: PreTokenGenerationV2TriggerEvent['triggerSource']) =>
  (await handler(buildEvent(source))).response.claimsAndScopeOverrideDetails.accessTokenGeneration

it.each([
  'TokenGeneration_Authentication',
  'TokenGeneration_HostedAuth',
  'TokenGeneration_NewPasswordChallenge',
  'TokenGeneration_AuthenticateDevice',
] as const)('gives a sign-in access to the product and Cognito’s self-service: %s', async (source) => {
  expect(await generateAccessToken(source)).toEqual({ scopesToAdd: ['juno/api'] })
})

it('gives a refreshed token access to the product, but no Cognito self-service operations (H5)', async () => {
  expect(await generateAccessToken('TokenGeneration_RefreshTokens')).toEqual({
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
    table.on(UpdateCommand).resolves({})
    const buildGroup = (limits: GroupLimits) => ({ description: '', limits, version: 1 })
    const groups = { staff: buildGroup({ require_two_factor: true }), guests: buildGroup({}) }
    table.on(GetCommand, { Key: groupsKey }).resolves({ Item: { ...groupsKey, version: 1, groups } })
    cognito.reset()
    cognito.on(AdminGetUserCommand).resolves({})
  })

  async function generateClaims(
    { groups = [], status = 'CONFIRMED' }: { groups?: string[]; status?: string } = {},
    required?: 'on',
  ) {
    vi.stubEnv('REQUIRE_TWO_FACTOR', required)
    const { handler: importedHandler } = await import('./pre-token-generation.ts')
    const event = buildEvent('TokenGeneration_RefreshTokens')
    Object.assign(event, { userPoolId: 'pool', userName: 'ann' })
    event.request.userAttributes = { 'cognito:user_status': status }
    event.request.groupConfiguration = { groupsToOverride: groups }
    const { response } = await importedHandler(event)
    return response.claimsAndScopeOverrideDetails.accessTokenGeneration?.claimsToAddOrOverride
  }

  it('marks the tokens of users without one if the deployment or a group requires it', async () => {
    expect(await generateClaims({}, 'on')).toEqual({ two_factor: 'required' })
    expect(await generateClaims({ groups: ['guests', 'staff'] })).toEqual({ two_factor: 'required' })
    expect(cognito.commandCalls(AdminGetUserCommand)[0]?.args[0].input).toEqual({
      UserPoolId: 'pool',
      Username: 'ann',
    })
  })

  it('marks no tokens of users who have one, and looks nobody up if none is required', async () => {
    expect(await generateClaims({ groups: ['guests'] })).toBeUndefined()
    expect(cognito.commandCalls(AdminGetUserCommand)).toHaveLength(0)
    cognito.on(AdminGetUserCommand).resolves({ UserMFASettingList: ['SOFTWARE_TOKEN_MFA'] })
    expect(await generateClaims({ groups: ['staff'] }, 'on')).toBeUndefined()
  })

  it('exempts accounts of an identity provider, whose second factor is the provider’s', async () => {
    expect(await generateClaims({ groups: ['staff'], status: 'EXTERNAL_PROVIDER' }, 'on')).toBeUndefined()
    expect(cognito.commandCalls(AdminGetUserCommand)).toHaveLength(0)
  })

  it('marks and issues the token of an account that cannot be looked up', async () => {
    vi.stubEnv('LOG_LEVEL', 'silent')
    cognito.on(AdminGetUserCommand).rejects(new Error('throttled'))
    expect(await generateClaims({}, 'on')).toEqual({ two_factor: 'required' })
  })
})

describe('DEC-191 accounts of an identity provider', () => {
  const table = mockClient(DynamoDBDocumentClient)
  const group = { description: '', limits: {}, version: 1 }
  const oidc = { type: 'oidc', issuer: 'https://idp.example', clientId: 'id', secretName: 'secret' }
  beforeEach(() => {
    vi.resetModules()
    table.reset()
    table.on(UpdateCommand).resolves({})
    const groups = { staff: group, guests: group, admins: group, 'Sales␣EMEA': group }
    table.on(GetCommand, { Key: groupsKey }).resolves({ Item: { ...groupsKey, version: 1, groups } })
    const providers = identityProviderList.parse([
      { ...oidc, name: 'Okta', label: 'Okta', groupsClaim: 'groups', adminGroup: 'assistant-admins' },
      { ...oidc, name: 'Entra', label: 'Entra ID', domains: ['corp.example'] },
    ])
    vi.stubEnv('IDENTITY_PROVIDERS', formatProviderConfigs(providers, { hasGoogle: true }))
  })

  interface Account {
    provider?: string | undefined
    status?: string
    value?: string
    poolGroups?: string[]
    email?: string
    source?: PreTokenGenerationV2TriggerEvent['triggerSource']
  }
  async function generateDetails({
    provider,
    status = 'EXTERNAL_PROVIDER',
    value = '["staff","assistant-admins","admins","unknown"]',
    poolGroups = ['pool_Okta', 'night-shift'],
    email = 'ann@example.com',
    source = 'TokenGeneration_HostedAuth',
  }: Account) {
    const { handler: importedHandler } = await import('./pre-token-generation.ts')
    const event = buildEvent(source)
    event.request.userAttributes = {
      'cognito:user_status': status,
      'custom:groups': value,
      email,
      email_verified: 'true',
      ...(provider !== undefined && {
        identities: JSON.stringify([{ userId: '00u1', providerName: provider, providerType: 'OIDC' }]),
      }),
    }
    event.request.groupConfiguration = { groupsToOverride: poolGroups, iamRolesToOverride: [] }
    const { response } = await importedHandler(event)
    return response.claimsAndScopeOverrideDetails
  }
  const generateGroups = async (account: Account) =>
    (await generateDetails(account)).groupOverrideDetails?.groupsToOverride

  it('get the groups that the provider names in addition to those of the pool', async () => {
    expect(await generateGroups({ provider: 'Okta' })).toEqual([
      'pool_Okta',
      'night-shift',
      'staff',
      'admins',
    ])
    expect(await generateGroups({ provider: 'Okta', value: '["guests"]', poolGroups: ['guests'] })).toEqual([
      'guests',
    ])
  })

  it('of more groups than a token has room for, get the administrators’, those with the only limit of its kind, and those with an entry before others', async () => {
    vi.stubEnv('LOG_LEVEL', 'silent')
    const names = (letter: string) =>
      Array.from({ length: 33 }, (_, index) => `${letter.repeat(60)}${100 + index}`)
    const [others, entered] = [names('o'), names('é')]
    const last = entered.at(-1) ?? ''
    const groups = {
      ...Object.fromEntries(['staff', 'admins', ...entered].map((name) => [name, group])),
      [last]: { ...group, limits: { tools: 'none' } },
    }
    table.on(GetCommand, { Key: groupsKey }).resolves({ Item: { ...groupsKey, version: 1, groups } })
    for (const account of [
      { status: 'CONFIRMED', poolGroups: [...others, ...entered, 'admins', 'staff'] },
      { provider: 'Okta', value: '["assistant-admins","staff"]', poolGroups: [...others, ...entered] },
    ]) {
      const kept = (await generateGroups(account)) ?? []
      expect(kept).toContain('admins')
      expect(kept).not.toEqual(expect.arrayContaining(others.slice(0, 1)))
      expect(kept.filter((name) => name.startsWith('é'))).toEqual([
        last,
        ...entered.slice(0, kept.length - 2),
      ])
      expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThanOrEqual(3_000)
      expect(Buffer.byteLength(JSON.stringify(kept))).toBeGreaterThan(2_800)
    }
    expect(await generateGroups({ status: 'CONFIRMED', poolGroups: others })).toBeUndefined()
  })

  it('get a group whose name has blanks as the pool writes it, by the name that people read', async () => {
    expect(
      await generateGroups({ provider: 'Okta', value: '["Sales EMEA","Sales␣EMEA","sales EMEA"]' }),
    ).toEqual(['pool_Okta', 'night-shift', 'Sales␣EMEA'])
  })

  it('keep the groups of the pool if the provider names none that counts', async () => {
    for (const value of [
      '',
      '[]',
      'admins',
      '["unknown","Staff"]',
      '[staff,assistant-admins]',
      '["staff",1]',
    ])
      expect(await generateGroups({ provider: 'Okta', value, poolGroups: ['admins'] })).toBeUndefined()
  })

  it.each<[string, Account]>([
    ['a password', { status: 'CONFIRMED' }],
    ['a password, though it claims to be of the provider', { status: 'CONFIRMED', provider: 'Okta' }],
    ['Google', { provider: 'Google' }],
    ['a provider without a claim for groups', { provider: 'Entra' }],
    ['no known provider', {}],
  ])('of %s get no groups from the attribute', async (_account, account) => {
    expect(await generateGroups(account)).toBeUndefined()
  })

  it('never get Cognito’s self-service scope, with which they could write the attribute', async () => {
    for (const provider of ['Okta', 'Entra', undefined])
      expect((await generateDetails({ provider })).accessTokenGeneration?.scopesToSuppress).toEqual([
        'aws.cognito.signin.user.admin',
      ])
    for (const account of [{ provider: 'Google' }, { status: 'CONFIRMED' }])
      expect((await generateDetails(account)).accessTokenGeneration?.scopesToSuppress).toBeUndefined()
  })

  const sources = ['TokenGeneration_HostedAuth', 'TokenGeneration_RefreshTokens'] as const
  it.each(sources)('get no token once their provider was removed, also Google: %s', async (source) => {
    const message =
      'This account cannot sign in here. The identity provider of this account is not configured'
    await expect(generateDetails({ provider: 'Former', source, poolGroups: ['admins'] })).rejects.toThrow(
      message,
    )
    vi.stubEnv('IDENTITY_PROVIDERS', '[]')
    vi.resetModules()
    for (const provider of ['Google', undefined])
      await expect(generateDetails({ provider, source })).rejects.toThrow(message)
    expect(table.commandCalls(GetCommand)).toEqual([])
  })

  it.each(sources)(
    'with an address of another provider’s domain get no token, however they got it: %s',
    async (source) => {
      for (const email of ['ceo@corp.example', 'CEO@Corp.Example', '"ceo"@corp.example'])
        for (const provider of ['Okta', 'Google', undefined])
          await expect(generateDetails({ provider, source, email })).rejects.toThrow(
            'This account cannot sign in here. Please sign in with Entra ID instead',
          )
      await expect(
        generateDetails({ provider: 'Entra', source, email: 'ceo@corp.example' }),
      ).resolves.toBeDefined()
      await expect(
        generateDetails({ status: 'CONFIRMED', source, email: 'old@corp.example' }),
      ).resolves.toBeDefined()
    },
  )

  it.each(sources)(
    'keep working when passwords are switched off, and others get no token: %s',
    async (source) => {
      vi.stubEnv('PASSWORD_SIGN_IN', 'off')
      vi.resetModules()
      for (const status of ['CONFIRMED', 'RESET_REQUIRED', 'FORCE_CHANGE_PASSWORD'])
        await expect(generateDetails({ status, source, poolGroups: ['admins'] })).rejects.toThrow(
          'This account cannot sign in here. Sign-in with a password is switched off',
        )
      for (const provider of ['Okta', 'Google'])
        await expect(generateDetails({ provider, source })).resolves.toBeDefined()
    },
  )

  it('get no token while the valid groups cannot be read', async () => {
    table.on(GetCommand).rejects(new Error('down'))
    await expect(generateDetails({ provider: 'Okta' })).rejects.toThrow('down')
    await expect(generateDetails({ provider: 'Google' })).resolves.toBeDefined()
  })
})
