import {
  CognitoIdentityProviderClient,
  InternalErrorException,
  ListUsersCommand,
  type UserStatusType,
} from '@aws-sdk/client-cognito-identity-provider'
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import type { PreSignUpTriggerEvent } from 'aws-lambda'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { formatProviderRules, identityProviderList } from '#shared/identity-providers.ts'
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
  handler = await handlerWith('open')
})

/** The trigger as a deployment with this policy runs it. */
async function handlerWith(signUp: string, passwordSignIn: 'on' | 'off' = 'on'): Promise<Handler> {
  vi.stubEnv('SIGN_UP', signUp)
  vi.stubEnv('PASSWORD_SIGN_IN', passwordSignIn)
  if (process.env['IDENTITY_PROVIDERS'] === undefined)
    vi.stubEnv('IDENTITY_PROVIDERS', formatProviderRules([], { hasGoogle: true }))
  vi.stubEnv('TABLE_NAME', 'table')
  vi.resetModules()
  return (await import('./pre-sign-up.ts')).handler
}

const accountsWith = (verified: string | undefined, ...statuses: UserStatusType[]) =>
  cognito
    .on(ListUsersCommand, { UserPoolId: 'eu-central-1_abc', Filter: 'email = "ann@example.com"' })
    .resolves({
      Users: statuses.map((UserStatus) => ({
        UserStatus,
        Attributes: verified === undefined ? [] : [{ Name: 'email_verified', Value: verified }],
      })),
    })

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

const google = (email = 'Ann@example.com', verified: string | undefined = 'true') =>
  anEvent('PreSignUp_ExternalProvider', { email, ...(verified !== '' && { email_verified: verified }) })
const signUp = (email = 'Ann@example.com') => anEvent('PreSignUp_SignUp', { email, name: 'Ann' })
const exists = 'An account with this email already exists'

it.each(['CONFIRMED', 'RESET_REQUIRED', 'FORCE_CHANGE_PASSWORD'] as const)(
  'AUTH-24 DEC-118 refuses Google for the e-mail of an account with a password that is %s',
  async (status) => {
    accountsWith('true', 'UNCONFIRMED', status)
    await expect(handler(google())).rejects.toThrow(exists)
  },
)

it('DEC-118 refuses a sign-up with the e-mail of a Google account', async () => {
  accountsWith('true', 'EXTERNAL_PROVIDER')
  await expect(handler(signUp())).rejects.toThrow(exists)
})

it.each([[], ['EXTERNAL_PROVIDER'], ['UNCONFIRMED']] as UserStatusType[][])(
  'DEC-118 lets Google pass for an e-mail that nobody has confirmed here: %j',
  async (...statuses) => {
    accountsWith('true', ...statuses)
    await expect(handler(google())).resolves.toEqual(google())
  },
)

it('lets a sign-up pass that only the pool itself may refuse', async () => {
  accountsWith('true', 'CONFIRMED')
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

it.each(['false', undefined])(
  'an account that has set its e-mail to an uninvited person’s, unverified (%s), keeps the uninvited person out neither with Google nor with a password (M9)',
  async (verified) => {
    accountsWith(verified, 'CONFIRMED', 'EXTERNAL_PROVIDER')
    await expect(handler(google())).resolves.toEqual(google())
    await expect(handler(signUp())).resolves.toEqual(signUp())
  },
)

describe('a closed site (H6)', () => {
  const refusal = 'Sign-up is by invitation'
  const invite = (email: string, ttl: number) =>
    table
      .on(GetCommand, { TableName: 'table', Key: invitationKey(email) })
      .resolves({ Item: { ...invitationKey(email), email, ttl } })
  const nowSeconds = () => Date.now() / 1000
  beforeEach(async () => {
    handler = await handlerWith('closed')
  })

  it('an uninvited person cannot sign up, with a password or with Google', async () => {
    await expect(handler(signUp())).rejects.toThrow(refusal)
    await expect(handler(google())).rejects.toThrow(refusal)
    await expect(handler(anEvent('PreSignUp_SignUp', { name: 'Ann' }))).rejects.toThrow(refusal)
  })

  it('an uninvited person does not learn who has an account: no account is looked up', async () => {
    accountsWith('true', 'EXTERNAL_PROVIDER')
    await expect(handler(signUp())).rejects.toThrow(refusal)
    expect(cognito.commandCalls(ListUsersCommand)).toEqual([])
  })

  it('somebody from Google with the address of an account learns how to sign in', async () => {
    accountsWith('true', 'CONFIRMED')
    await expect(handler(google())).rejects.toThrow(exists)
  })

  it('an invited person gets in either way, however the address is spelled', async () => {
    invite('ann@example.com', nowSeconds() + 60)
    for (const event of [signUp('ANN@example.com'), google('Ann@Example.com')])
      await expect(handler(structuredClone(event))).resolves.toEqual(event)
  })

  it('an invitation gives no second account beside the one with Google', async () => {
    invite('ann@example.com', nowSeconds() + 60)
    accountsWith('true', 'EXTERNAL_PROVIDER')
    await expect(handler(signUp())).rejects.toThrow(exists)
  })

  it('an invitation that has expired admits nobody, though the table still has it', async () => {
    invite('ann@example.com', nowSeconds() - 1)
    await expect(handler(signUp())).rejects.toThrow(refusal)
    await expect(handler(google())).rejects.toThrow(refusal)
  })

  it.each(['false', ''])(
    'somebody who calls themselves an invited person at Google, unverified (%j), does not get in',
    async (verified) => {
      invite('ann@example.com', nowSeconds() + 60)
      await expect(handler(google('ann@example.com', verified))).rejects.toThrow(refusal)
    },
  )

  it('a letter that lower case makes another does not open another user’s invitation', async () => {
    invite('kate@example.com', nowSeconds() + 60)
    await expect(handler(signUp('\u212Aate@example.com'))).rejects.toThrow(refusal)
  })

  it('nobody gets in when the table cannot be asked', async () => {
    table.on(GetCommand).rejects(new Error('down'))
    await expect(handler(signUp())).rejects.toThrow('down')
  })

  it('an operator makes accounts all the same', async () => {
    const event = anEvent('PreSignUp_AdminCreateUser', { email: 'ann@example.com' })
    expect(await handler(structuredClone(event))).toEqual(event)
  })
})

describe('a site for some e-mail domains (H6)', () => {
  const refusal = 'Sign-up is limited to certain e-mail domains'
  beforeEach(async () => {
    handler = await handlerWith('example.com,example.org')
  })

  it('lets the domains in, and asks the table for nobody of them', async () => {
    for (const event of [signUp(), google('ann+x@EXAMPLE.org')])
      await expect(handler(structuredClone(event))).resolves.toEqual(event)
    expect(table.commandCalls(GetCommand)).toEqual([])
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
  ])('a look-alike %s does not get in, with a password or with Google', async (email) => {
    await expect(handler(signUp(email))).rejects.toThrow(refusal)
    await expect(handler(google(email))).rejects.toThrow(refusal)
  })

  it.each(['false', ''])(
    'an address of the domain that Google has not verified (%j) does not get in',
    async (verified) => {
      await expect(handler(google('ann@example.com', verified))).rejects.toThrow(refusal)
    },
  )

  it('an invited person from elsewhere gets in', async () => {
    const Key = invitationKey('ann@elsewhere.example')
    const Item = { ...Key, email: 'ann@elsewhere.example', ttl: Date.now() / 1000 + 60 }
    table.on(GetCommand, { TableName: 'table', Key }).resolves({ Item })
    await expect(handler(signUp('ann@elsewhere.example'))).resolves.toBeDefined()
  })
})

it.each(['', 'everybody'])('does not start without a policy that it can read: %j', async (signUp) => {
  await expect(handlerWith(signUp)).rejects.toThrow('SIGN_UP')
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
      formatProviderRules(identityProviderList.parse(providers), { hasGoogle: true }),
    )
    handler = await handlerWith('closed')
  })

  const federated = (userName: string, email: string, verified?: string) => ({
    ...anEvent('PreSignUp_ExternalProvider', {
      'cognito:email_alias': '',
      'cognito:phone_number_alias': '',
      email,
      ...(verified !== undefined && { email_verified: verified }),
    }),
    userName,
  })
  const okta = (email: string, verified?: string) => federated('okta_00u1', email, verified)

  /** An account of the pool, as a list of users shows it. */
  const account = (email: string, provider?: string, verified?: string) => ({
    UserStatus: provider === undefined ? ('CONFIRMED' as const) : ('EXTERNAL_PROVIDER' as const),
    Attributes: [
      { Name: 'email', Value: email },
      ...(verified === undefined ? [] : [{ Name: 'email_verified', Value: verified }]),
      ...(provider === undefined
        ? []
        : [{ Name: 'identities', Value: JSON.stringify([{ userId: '1', providerName: provider }]) }]),
    ],
  })
  const accounts = (...Users: ReturnType<typeof account>[]) =>
    cognito.on(ListUsersCommand).resolves({ Users })

  it.each([undefined, 'false', 'true'])(
    'the provider of a domain proves and admits its users on a closed site, whatever it says of the address (%s)',
    async (verified) => {
      for (const userName of ['okta_00u1', 'Okta_00u1', 'okta_00u_1'])
        await expect(handler(federated(userName, 'Ann@CORP.example', verified))).resolves.toBeDefined()
      expect(table.commandCalls(GetCommand)).toEqual([])
    },
  )

  it('a user of a provider with an address elsewhere needs a verified one and an invitation', async () => {
    await expect(handler(okta('ann@example.com', 'true'))).rejects.toThrow('Sign-up is by invitation')
    const Key = invitationKey('ann@example.com')
    table
      .on(GetCommand, { TableName: 'table', Key })
      .resolves({ Item: { ...Key, email: 'ann@example.com', ttl: 4e9 } })
    await expect(handler(okta('ann@example.com'))).rejects.toThrow('Sign-up is by invitation')
    await expect(handler(okta('ann@example.com', 'true'))).resolves.toBeDefined()
  })

  it.each([
    '"ann@evil.example"@corp.example',
    '=?utf-8?q?ann=40evil.example=3e=20?=x@corp.example',
    'ann@corp.example.',
  ])('no provider vouches for an address that mail programs read differently: %s', async (email) => {
    await expect(handler(okta(email))).rejects.toThrow('Sign-up is by invitation')
  })

  it.each([
    'ann@corp.example',
    'ANN@Corp.Example',
    'ann@corp.example.',
    '"ann"@corp.example',
    'ann@evil.example@corp.example',
  ])(
    'nobody gets a password for an address of a provider’s domain, invited or not, on an open site either: %s',
    async (email) => {
      const message = 'Please sign in with Okta instead'
      await expect(handler(signUp(email))).rejects.toThrow(message)
      handler = await handlerWith('open')
      await expect(handler(signUp(email))).rejects.toThrow(message)
      expect(cognito.commandCalls(ListUsersCommand)).toEqual([])
    },
  )

  it('neither another provider nor Google may claim the address of a provider’s domain', async () => {
    handler = await handlerWith('open')
    const message = 'Please sign in with Work account instead'
    await expect(handler(okta('ann@other.example', 'true'))).rejects.toThrow(message)
    await expect(handler(google('ann@other.example'))).rejects.toThrow(message)
  })

  it('an account with a password keeps its address, and a provider says so', async () => {
    accounts(account('ann@corp.example', undefined, 'true'))
    const exists = 'An account with this email already exists.'
    await expect(handler(okta('ann@corp.example'))).rejects.toThrow(
      `${exists} Please sign in with your password instead`,
    )
    handler = await handlerWith('closed', 'off')
    await expect(handler(okta('ann@corp.example'))).rejects.toThrow(`${exists} Please ask the administrator`)
  })

  it.each([
    ['Entra', 'Work account'],
    ['Google', 'Google'],
    ['Former', 'Former'],
  ])('an account of %s keeps its address, and another provider says so', async (name, label) => {
    handler = await handlerWith('open')
    accounts(account('ann@example.com', name, 'true'))
    const message = `already exists. Please sign in with ${label} instead`
    await expect(handler(okta('ann@example.com', 'true'))).rejects.toThrow(message)
    await expect(handler(signUp('ann@example.com'))).rejects.toThrow(message)
  })

  it('an account that took an address of another provider’s domain does not keep its owner out', async () => {
    accounts(
      account('ann@corp.example', 'Entra', 'true'),
      account('ann@corp.example', 'Google', 'true'),
      account('ann@corp.example', 'Former', 'true'),
    )
    await expect(handler(okta('ann@corp.example'))).resolves.toBeDefined()
  })

  it('an address that only its domain’s provider has proved keeps others out, one that nobody has proved does not', async () => {
    handler = await handlerWith('open')
    accounts(account('ann@corp.example', 'Okta'))
    await expect(handler(okta('ann@corp.example'))).resolves.toBeDefined()
    accounts(account('ann@example.com', 'Okta', 'false'))
    await expect(handler(signUp('ann@example.com'))).resolves.toBeDefined()
    await expect(handler(google('ann@example.com'))).resolves.toBeDefined()
  })

  it('a provider that is not configured (any more) makes no accounts', async () => {
    handler = await handlerWith('open')
    for (const userName of ['former_1', 'okta', 'oktax_1', '5f2f6c2e-0d2c-4a5e-9a53-0f7a5f3f1b1a'])
      await expect(handler(federated(userName, 'ann@example.com', 'true'))).rejects.toThrow('not configured')
  })

  it('nobody gets a password where password sign-in is off, and no account is looked up', async () => {
    handler = await handlerWith('open', 'off')
    await expect(handler(signUp())).rejects.toThrow('Sign-in with a password is switched off')
    await expect(handler(google())).resolves.toBeDefined()
    const created = anEvent('PreSignUp_AdminCreateUser', { email: 'ann@example.com' })
    await expect(handler(created)).resolves.toBeDefined()
  })

  it('a password user whose e-mail address looks like the user name of a provider’s account is none', async () => {
    handler = await handlerWith('open')
    const event = { ...signUp('okta_00u1@example.com'), userName: 'okta_00u1@example.com' }
    await expect(handler(event)).resolves.toBeDefined()
    await expect(handler(signUp('okta_00u1@corp.example'))).rejects.toThrow('with Okta')
  })
})
