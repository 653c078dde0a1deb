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
async function handlerWith(signUp: string): Promise<Handler> {
  vi.stubEnv('SIGN_UP', signUp)
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
