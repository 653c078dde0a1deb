import {
  CognitoIdentityProviderClient,
  InternalErrorException,
  ListUsersCommand,
  type UserStatusType,
} from '@aws-sdk/client-cognito-identity-provider'
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { PreSignUpTriggerEvent } from 'aws-lambda'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { formatProviderConfigs, identityProviderList } from '#shared/identity-providers.ts'
import { invitationSecretKey } from '#shared/user-pool.ts'
import { siteSettingsKey } from '../platform/site-settings.ts'
import { invitationKey } from './invitations.ts'

type Handler = (event: PreSignUpTriggerEvent) => Promise<PreSignUpTriggerEvent>

const cognito = mockClient(CognitoIdentityProviderClient)
const table = mockClient(DynamoDBDocumentClient)
let handler: Handler
beforeEach(async () => {
  cognito.reset()
  table.reset()
  cognito.on(ListUsersCommand).resolves({})
  table.on(GetCommand).resolves({})
  handler = await importHandler('open')
})

/** The trigger as a deployment with this policy runs it. */
async function importHandler(signUp: string, passwordSignIn: 'on' | 'off' = 'on'): Promise<Handler> {
  vi.stubEnv('SIGN_UP', signUp)
  vi.stubEnv('PASSWORD_SIGN_IN', passwordSignIn)
  if (process.env['IDENTITY_PROVIDERS'] === undefined)
    vi.stubEnv('IDENTITY_PROVIDERS', formatProviderConfigs([], { hasGoogle: true }))
  vi.stubEnv('TABLE_NAME', 'table')
  vi.resetModules()
  return (await import('./pre-sign-up.ts')).handler
}

/** The reads of invitations; the settings of the site are read beside them. */
const readInvitations = () =>
  table.commandCalls(GetCommand).filter((call) => call.args[0].input.Key?.['PK'] !== siteSettingsKey.PK)

const mockAccounts = (verified: string | undefined, ...statuses: UserStatusType[]) =>
  cognito
    .on(ListUsersCommand, { UserPoolId: 'eu-central-1_abc', Filter: 'email = "ann@example.com"' })
    .resolves({
      Users: statuses.map((UserStatus) => ({
        UserStatus,
        Attributes: verified === undefined ? [] : [{ Name: 'email_verified', Value: verified }],
      })),
    })

const buildEvent = (triggerSource: string, userAttributes: Record<string, string>) =>
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

it.each(['A', 'x'.repeat(200)])('AUTH-17 accepts a sign-up with a name unchanged', async (name) => {
  const event = buildEvent('PreSignUp_SignUp', { email: 'ann@example.com', name })
  expect(await handler(structuredClone(event))).toEqual(event)
})

it.each([
  [undefined, 'A name is required'],
  ['  ', 'A name is required'],
  ['x'.repeat(201), 'The name is longer than 200 characters'],
])('AUTH-09 refuses the name %j', async (name, message) => {
  const event = buildEvent('PreSignUp_SignUp', {
    email: 'ann@example.com',
    ...(name !== undefined && { name }),
  })
  await expect(handler(event)).rejects.toThrow(message)
})

const buildGoogleEvent = (email = 'Ann@example.com', verified: string | undefined = 'true') =>
  buildEvent('PreSignUp_ExternalProvider', { email, ...(verified !== '' && { email_verified: verified }) })
const buildSignUpEvent = (email = 'Ann@example.com') => buildEvent('PreSignUp_SignUp', { email, name: 'Ann' })
const accountExists = 'An account with this email already exists'

it.each(['CONFIRMED', 'RESET_REQUIRED', 'FORCE_CHANGE_PASSWORD'] as const)(
  'AUTH-24 DEC-118 refuses Google for the e-mail of an account with a password that is %s',
  async (status) => {
    mockAccounts('true', 'UNCONFIRMED', status)
    await expect(handler(buildGoogleEvent())).rejects.toThrow(accountExists)
  },
)

it('DEC-118 refuses a sign-up with the e-mail of a Google account', async () => {
  mockAccounts('true', 'EXTERNAL_PROVIDER')
  await expect(handler(buildSignUpEvent())).rejects.toThrow(accountExists)
})

it.each([[], ['EXTERNAL_PROVIDER'], ['UNCONFIRMED']] as UserStatusType[][])(
  'DEC-118 accepts Google for an e-mail that nobody has confirmed here: %j',
  async (...statuses) => {
    mockAccounts('true', ...statuses)
    await expect(handler(buildGoogleEvent())).resolves.toEqual(buildGoogleEvent())
  },
)

it('an identity provider’s account uses no secret of an invitation up, and is confirmed by nothing of ours', async () => {
  const event = buildGoogleEvent()
  event.request.clientMetadata = { [invitationSecretKey]: 'secret' }
  expect((await handler(structuredClone(event))).response).toEqual(event.response)
  expect(table.commandCalls(UpdateCommand)).toEqual([])
})

it('accepts a sign-up that only the pool itself may refuse', async () => {
  mockAccounts('true', 'CONFIRMED')
  await expect(handler(buildSignUpEvent())).resolves.toEqual(buildSignUpEvent())
})

it('looks the address up unchanged, including quotation marks', async () => {
  await handler(buildEvent('PreSignUp_ExternalProvider', { email: String.raw`"a\b"@example.com` }))
  expect(cognito.commandCalls(ListUsersCommand)[0]?.args[0].input.Filter).toBe(
    String.raw`email = "\"a\\b\"@example.com"`,
  )
})

it('refuses everybody when the pool cannot be asked', async () => {
  cognito.on(ListUsersCommand).rejects(new InternalErrorException({ message: 'down', $metadata: {} }))
  await expect(handler(buildGoogleEvent())).rejects.toThrow('down')
  await expect(handler(buildSignUpEvent())).rejects.toThrow('down')
})

it.each(['false', undefined])(
  'an account with a person’s unverified e-mail (%s) does not keep that person out, with Google or a password (M9)',
  async (verified) => {
    mockAccounts(verified, 'CONFIRMED', 'EXTERNAL_PROVIDER')
    await expect(handler(buildGoogleEvent())).resolves.toEqual(buildGoogleEvent())
    await expect(handler(buildSignUpEvent())).resolves.toEqual(buildSignUpEvent())
  },
)

describe('a closed site (H6)', () => {
  const refusal = 'Sign-up is by invitation'
  const mockInvitation = (email: string, ttl: number) =>
    table
      .on(GetCommand, { TableName: 'table', Key: invitationKey(email) })
      .resolves({ Item: { ...invitationKey(email), email, ttl } })
  const nowSeconds = () => Date.now() / 1000
  beforeEach(async () => {
    handler = await importHandler('closed')
  })

  it('refuses an uninvited person, with a password or with Google', async () => {
    await expect(handler(buildSignUpEvent())).rejects.toThrow(refusal)
    await expect(handler(buildGoogleEvent())).rejects.toThrow(refusal)
    await expect(handler(buildEvent('PreSignUp_SignUp', { name: 'Ann' }))).rejects.toThrow(refusal)
  })

  it('does not tell an uninvited person who has an account: none is looked up', async () => {
    mockAccounts('true', 'EXTERNAL_PROVIDER')
    await expect(handler(buildSignUpEvent())).rejects.toThrow(refusal)
    expect(cognito.commandCalls(ListUsersCommand)).toEqual([])
  })

  it('tells a Google user with the address of an account how to sign in', async () => {
    mockAccounts('true', 'CONFIRMED')
    await expect(handler(buildGoogleEvent())).rejects.toThrow(accountExists)
  })

  it('admits an invited person either way, however the address is spelled', async () => {
    mockInvitation('ann@example.com', nowSeconds() + 60)
    for (const event of [buildSignUpEvent('ANN@example.com'), buildGoogleEvent('Ann@Example.com')])
      await expect(handler(structuredClone(event))).resolves.toEqual(event)
  })

  it('refuses an invited person a second account beside the one with Google', async () => {
    mockInvitation('ann@example.com', nowSeconds() + 60)
    mockAccounts('true', 'EXTERNAL_PROVIDER')
    await expect(handler(buildSignUpEvent())).rejects.toThrow(accountExists)
  })

  it('ignores an expired invitation that is still in the table', async () => {
    mockInvitation('ann@example.com', nowSeconds() - 1)
    await expect(handler(buildSignUpEvent())).rejects.toThrow(refusal)
    await expect(handler(buildGoogleEvent())).rejects.toThrow(refusal)
  })

  it.each(['false', ''])(
    'refuses a Google user with an invited but unverified address (%j)',
    async (verified) => {
      mockInvitation('ann@example.com', nowSeconds() + 60)
      await expect(handler(buildGoogleEvent('ann@example.com', verified))).rejects.toThrow(refusal)
    },
  )

  it('does not accept an invitation for an address that differs before lower-casing', async () => {
    mockInvitation('kate@example.com', nowSeconds() + 60)
    await expect(handler(buildSignUpEvent('\u212Aate@example.com'))).rejects.toThrow(refusal)
  })

  it('refuses everybody when the table cannot be read', async () => {
    table.on(GetCommand).rejects(new Error('down'))
    await expect(handler(buildSignUpEvent())).rejects.toThrow('down')
  })

  it('still lets an operator create accounts', async () => {
    const event = buildEvent('PreSignUp_AdminCreateUser', { email: 'ann@example.com' })
    expect(await handler(structuredClone(event))).toEqual(event)
  })
})

describe('a site for some e-mail domains (H6)', () => {
  const refusal = 'Sign-up is limited to certain e-mail domains'
  beforeEach(async () => {
    handler = await importHandler('example.com,example.org')
  })

  it('admits the domains without reading an invitation', async () => {
    for (const event of [buildSignUpEvent(), buildGoogleEvent('ann+x@EXAMPLE.org')])
      await expect(handler(structuredClone(event))).resolves.toEqual(event)
    expect(readInvitations()).toEqual([])
  })

  it.each([
    'ann@evil-example.com',
    'ann@mail.example.com',
    'ann@example.com.evil.example',
    '"ann@evil.example"@example.com',
    'ann@evil.example@example.com',
    '=?utf-8?q?ann=40evil.example=3e=20?=x@example.com',
    'ann@example.com.',
    '',
  ])('refuses the look-alike %s, with a password or with Google', async (email) => {
    await expect(handler(buildSignUpEvent(email))).rejects.toThrow(refusal)
    await expect(handler(buildGoogleEvent(email))).rejects.toThrow(refusal)
  })

  it.each(['false', ''])(
    'refuses an address of the domain that Google has not verified (%j)',
    async (verified) => {
      await expect(handler(buildGoogleEvent('ann@example.com', verified))).rejects.toThrow(refusal)
    },
  )

  it('admits an invited person from elsewhere', async () => {
    const Key = invitationKey('ann@elsewhere.example')
    const Item = { ...Key, email: 'ann@elsewhere.example', ttl: Date.now() / 1000 + 60 }
    table.on(GetCommand, { TableName: 'table', Key }).resolves({ Item })
    await expect(handler(buildSignUpEvent('ann@elsewhere.example'))).resolves.toBeDefined()
  })
})

it.each(['', 'everybody'])('does not start with an invalid policy: %j', async (signUp) => {
  await expect(importHandler(signUp)).rejects.toThrow('SIGN_UP')
})

describe('DEC-191 identity providers of the operator', () => {
  const oidc = { type: 'oidc', issuer: 'https://idp.example', clientId: 'id', secretName: 'secret' }
  const providers = [
    { ...oidc, name: 'Okta', label: 'Okta', domains: ['corp.example'] },
    { ...oidc, name: 'Entra', label: 'Work account', domains: ['other.example'] },
  ]
  beforeEach(async () => {
    vi.stubEnv(
      'IDENTITY_PROVIDERS',
      formatProviderConfigs(identityProviderList.parse(providers), { hasGoogle: true }),
    )
    handler = await importHandler('closed')
  })

  const buildFederatedEvent = (userName: string, email: string, verified?: string) => ({
    ...buildEvent('PreSignUp_ExternalProvider', {
      'cognito:email_alias': '',
      'cognito:phone_number_alias': '',
      email,
      ...(verified !== undefined && { email_verified: verified }),
    }),
    userName,
  })
  const buildOktaEvent = (email: string, verified?: string) =>
    buildFederatedEvent('okta_00u1', email, verified)

  /** An account of the pool, as a list of users shows it. */
  const buildAccount = (email: string, provider?: string, verified?: string) => ({
    UserStatus: provider === undefined ? ('CONFIRMED' as const) : ('EXTERNAL_PROVIDER' as const),
    Attributes: [
      { Name: 'email', Value: email },
      ...(verified === undefined ? [] : [{ Name: 'email_verified', Value: verified }]),
      ...(provider === undefined
        ? []
        : [{ Name: 'identities', Value: JSON.stringify([{ userId: '1', providerName: provider }]) }]),
    ],
  })
  const mockAccountList = (...Users: ReturnType<typeof buildAccount>[]) =>
    cognito.on(ListUsersCommand).resolves({ Users })

  it.each([undefined, 'false', 'true'])(
    'the provider of a domain verifies and admits its users on a closed site, whatever it says of the address (%s)',
    async (verified) => {
      for (const userName of ['okta_00u1', 'Okta_00u1', 'okta_00u_1'])
        await expect(
          handler(buildFederatedEvent(userName, 'Ann@CORP.example', verified)),
        ).resolves.toBeDefined()
      expect(readInvitations()).toEqual([])
    },
  )

  it('a user of a provider with an address elsewhere needs a verified address and an invitation', async () => {
    await expect(handler(buildOktaEvent('ann@example.com', 'true'))).rejects.toThrow(
      'Sign-up is by invitation',
    )
    const Key = invitationKey('ann@example.com')
    table
      .on(GetCommand, { TableName: 'table', Key })
      .resolves({ Item: { ...Key, email: 'ann@example.com', ttl: 4e9 } })
    await expect(handler(buildOktaEvent('ann@example.com'))).rejects.toThrow('Sign-up is by invitation')
    await expect(handler(buildOktaEvent('ann@example.com', 'true'))).resolves.toBeDefined()
  })

  it.each([
    '"ann@evil.example"@corp.example',
    '=?utf-8?q?ann=40evil.example=3e=20?=x@corp.example',
    'ann@corp.example.',
  ])('no provider verifies an address that mail programs read differently: %s', async (email) => {
    await expect(handler(buildOktaEvent(email))).rejects.toThrow('Sign-up is by invitation')
  })

  it.each([
    'ann@corp.example',
    'ANN@Corp.Example',
    'ann@corp.example.',
    '"ann"@corp.example',
    'ann@evil.example@corp.example',
  ])(
    'refuses a password for an address of a provider’s domain, invited or not, also on an open site: %s',
    async (email) => {
      const message = 'Please sign in with Okta instead'
      await expect(handler(buildSignUpEvent(email))).rejects.toThrow(message)
      handler = await importHandler('open')
      await expect(handler(buildSignUpEvent(email))).rejects.toThrow(message)
      expect(cognito.commandCalls(ListUsersCommand)).toEqual([])
    },
  )

  it('refuses another provider and Google for an address of a provider’s domain', async () => {
    handler = await importHandler('open')
    const message = 'Please sign in with Work account instead'
    await expect(handler(buildOktaEvent('ann@other.example', 'true'))).rejects.toThrow(message)
    await expect(handler(buildGoogleEvent('ann@other.example'))).rejects.toThrow(message)
  })

  it('refuses a provider for the address of an account with a password, and says how to sign in', async () => {
    mockAccountList(buildAccount('ann@corp.example', undefined, 'true'))
    const accountExists = 'An account with this email already exists.'
    await expect(handler(buildOktaEvent('ann@corp.example'))).rejects.toThrow(
      `${accountExists} Please sign in with your password instead`,
    )
    handler = await importHandler('closed', 'off')
    await expect(handler(buildOktaEvent('ann@corp.example'))).rejects.toThrow(
      `${accountExists} Please ask the administrator`,
    )
  })

  it.each([
    ['Entra', 'Work account'],
    ['Google', 'Google'],
    ['Former', 'Former'],
  ])(
    'refuses another provider for the address of an account of %s, and says how to sign in',
    async (name, label) => {
      handler = await importHandler('open')
      mockAccountList(buildAccount('ann@example.com', name, 'true'))
      const message = `already exists. Please sign in with ${label} instead`
      await expect(handler(buildOktaEvent('ann@example.com', 'true'))).rejects.toThrow(message)
      await expect(handler(buildSignUpEvent('ann@example.com'))).rejects.toThrow(message)
    },
  )

  it('an account with an address of another provider’s domain does not keep its owner out', async () => {
    mockAccountList(
      buildAccount('ann@corp.example', 'Entra', 'true'),
      buildAccount('ann@corp.example', 'Google', 'true'),
      buildAccount('ann@corp.example', 'Former', 'true'),
    )
    await expect(handler(buildOktaEvent('ann@corp.example'))).resolves.toBeDefined()
  })

  it('an unverified address of another provider’s account does not keep others out', async () => {
    handler = await importHandler('open')
    mockAccountList(buildAccount('ann@corp.example', 'Okta'))
    await expect(handler(buildOktaEvent('ann@corp.example'))).resolves.toBeDefined()
    mockAccountList(buildAccount('ann@example.com', 'Okta', 'false'))
    await expect(handler(buildSignUpEvent('ann@example.com'))).resolves.toBeDefined()
    await expect(handler(buildGoogleEvent('ann@example.com'))).resolves.toBeDefined()
  })

  it('refuses accounts of a provider that is not configured', async () => {
    handler = await importHandler('open')
    for (const userName of ['former_1', 'okta', 'oktax_1', '5f2f6c2e-0d2c-4a5e-9a53-0f7a5f3f1b1a'])
      await expect(handler(buildFederatedEvent(userName, 'ann@example.com', 'true'))).rejects.toThrow(
        'not configured',
      )
  })

  it('refuses a password when password sign-in is off, and looks no account up', async () => {
    handler = await importHandler('open', 'off')
    await expect(handler(buildSignUpEvent())).rejects.toThrow('Sign-in with a password is switched off')
    await expect(handler(buildGoogleEvent())).resolves.toBeDefined()
    const adminEvent = buildEvent('PreSignUp_AdminCreateUser', { email: 'ann@example.com' })
    await expect(handler(adminEvent)).resolves.toBeDefined()
  })

  it('a password user whose e-mail looks like a provider’s user name is not treated as its account', async () => {
    handler = await importHandler('open')
    const event = { ...buildSignUpEvent('okta_00u1@example.com'), userName: 'okta_00u1@example.com' }
    await expect(handler(event)).resolves.toBeDefined()
    await expect(handler(buildSignUpEvent('okta_00u1@corp.example'))).rejects.toThrow('with Okta')
  })
})

describe('a policy that an administrator has set', () => {
  const set = (signUp: unknown) =>
    table.on(GetCommand, { Key: siteSettingsKey }).resolves({ Item: { ...siteSettingsKey, signUp } })

  it.each(['closed', 'example.org'])(
    '%s counts over an open deployment, for both ways in',
    async (signUp) => {
      set(signUp)
      await expect(handler(buildSignUpEvent())).rejects.toThrow(/^Sign-up is/)
      await expect(handler(buildGoogleEvent('ann@example.com'))).rejects.toThrow(/^Sign-up is/)
    },
  )

  it('opens a deployment that is closed', async () => {
    set('open')
    handler = await importHandler('closed')
    await expect(handler(buildSignUpEvent())).resolves.toBeDefined()
  })

  it.each([undefined, '', 7, 'no domain!'])('that is %j is none', async (signUp) => {
    set(signUp)
    handler = await importHandler('closed')
    await expect(handler(buildSignUpEvent())).rejects.toThrow('Sign-up is')
  })
})
