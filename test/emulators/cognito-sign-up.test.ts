import {
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminGetUserCommand,
  AdminSetUserPasswordCommand,
  ConfirmSignUpCommand,
  ForgotPasswordCommand,
  ListUsersCommand,
  ResendConfirmationCodeCommand,
  SignUpCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import type { CustomMessageTriggerEvent, PreSignUpTriggerEvent } from 'aws-lambda'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { credentialVariables } from '../../infra/local/credentials.ts'
import { testCredentials } from '../support/credentials.ts'
import { anEmail, PASSWORD, startTestPool, type TestPool } from '../support/cognito-pool.ts'

vi.mock('../../functions/platform/site-config.ts', () => ({
  loadSiteConfig: () => Promise.resolve({ origin: 'http://127.0.0.1:4000', clientId: 'unused' }),
}))

// no administrator has set anything
vi.mock('../../functions/platform/site-settings.ts', () => ({ siteSettingsReader: () => async () => ({}) }))

let pool: TestPool
let preSignUp: (event: PreSignUpTriggerEvent) => Promise<PreSignUpTriggerEvent>
let customMessage: (event: CustomMessageTriggerEvent) => Promise<CustomMessageTriggerEvent>

const triggerVariables = () => ({
  AWS_REGION: 'eu-central-1',
  ...credentialVariables(testCredentials),
  AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: pool.url,
})

beforeAll(async () => {
  vi.stubEnv('BRAND_NAME', 'Juno')
  vi.stubEnv('SIGN_UP', 'open')
  vi.stubEnv('PASSWORD_SIGN_IN', 'on')
  vi.stubEnv('IDENTITY_PROVIDERS', '[]')
  vi.stubEnv('TABLE_NAME', 'unused')
  preSignUp = (await import('../../functions/sign-in/pre-sign-up.ts')).handler
  vi.stubEnv('MAIL_TEXTS', 'own')
  customMessage = (await import('../../functions/sign-in/custom-message.ts')).handler
  pool = await startTestPool({
    emailSendingAccount: 'DEVELOPER',
    triggers: {
      preSignUp: (event) => {
        // the trigger calls the pool that called it
        for (const [name, value] of Object.entries(triggerVariables())) vi.stubEnv(name, value)
        return preSignUp(event)
      },
      customMessage: (event) => customMessage(event),
    },
  })
})
afterAll(() => pool.remove())
afterEach(() => vi.useRealTimers())

const confirm = (email: string, code: string) =>
  pool.client.send(
    new ConfirmSignUpCommand({ ClientId: pool.clientId, Username: email, ConfirmationCode: code }),
  )
const resend = (email: string) =>
  pool.client.send(new ResendConfirmationCodeCommand({ ClientId: pool.clientId, Username: email }))
const linkTo = (email: string) =>
  new URL(/http:\S+/.exec(pool.mailsTo(email)[0]?.text ?? '')?.[0] ?? 'no:link')

describe('sign-up', () => {
  it('AUTH-18 mails a link that confirms without an earlier session', async () => {
    const { email, sub } = await pool.signUp({ email: anEmail().replace('ann', 'Ann+x') })
    const link = linkTo(email)
    expect(link.origin + link.pathname).toBe('http://127.0.0.1:4000/auth')
    expect(Object.fromEntries(link.searchParams)).toEqual({
      type: 'signup',
      email,
      code: expect.stringMatching(/^\d{6}$/),
    })
    expect(pool.mailsTo(email)[0]).toMatchObject({ subject: 'Confirm your Juno account' })
    await confirm(link.searchParams.get('email') ?? '', link.searchParams.get('code') ?? '')
    const user = await pool.client.send(
      new AdminGetUserCommand({ UserPoolId: pool.userPoolId, Username: email }),
    )
    expect(user).toMatchObject({ Username: sub, UserStatus: 'CONFIRMED', Enabled: true })
    expect(user.UserAttributes).toEqual([
      { Name: 'sub', Value: sub },
      { Name: 'email', Value: email },
      { Name: 'name', Value: 'Ann' },
      { Name: 'email_verified', Value: 'true' },
    ])
  })

  it('returns the masked destination of the code', async () => {
    const { email } = await pool.signUp()
    expect((await resend(email)).CodeDeliveryDetails).toEqual({
      Destination: 'a***@e***',
      DeliveryMedium: 'EMAIL',
      AttributeName: 'email',
    })
  })

  it('AUTH-24 refuses an e-mail that has an account, ignoring case', async () => {
    const { email } = await pool.signUp()
    await expect(pool.signUp({ email: email.toUpperCase() })).rejects.toMatchObject({
      name: 'UsernameExistsException',
      message: 'An account with the given email already exists.',
    })
  })

  it('calls PreSignUp before it checks for an existing account, so that a refusal does not reveal who has one (H6)', async () => {
    let refusal: string | undefined
    const closedPool = await startTestPool({
      triggers: {
        preSignUp: async (event) => {
          if (refusal) throw new Error(refusal)
          return event
        },
      },
    })
    const existingUser = await closedPool.newUser()
    refusal = 'Sign-up is by invitation'
    for (const email of [existingUser.email, anEmail()])
      await expect(closedPool.signUp({ email })).rejects.toMatchObject({
        name: 'UserLambdaValidationException',
        message: 'PreSignUp failed with error Sign-up is by invitation.',
      })
    expect((await closedPool.signIn(existingUser)).tokens.access).not.toBe('')
    await closedPool.remove()
  })

  it('gives one of two parallel sign-ups the e-mail', async () => {
    const bothTriggersCalled = Promise.withResolvers<void>()
    let triggerCalls = 0
    const racingPool = await startTestPool({
      triggers: {
        preSignUp: async (event) => {
          triggerCalls += 1
          if (triggerCalls === 2) bothTriggersCalled.resolve()
          await bothTriggersCalled.promise
          return event
        },
      },
    })
    const email = anEmail()
    const results = await Promise.allSettled([racingPool.signUp({ email }), racingPool.signUp({ email })])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(racingPool.mailsTo(email)).toHaveLength(1)
    await racingPool.remove()
  })

  it('AUTH-11 accepts any password of 6 characters and none of 5', async () => {
    await expect(pool.signUp({ password: '12345' })).rejects.toMatchObject({
      name: 'InvalidPasswordException',
      message: 'Password did not conform with policy: Password not long enough',
    })
    await pool.signUp({ password: 'aaaaaa' })
  })

  it('refuses a common password as the service does where it checks that', async () => {
    await expect(pool.signUp({ password: 'PassWord' })).rejects.toMatchObject({
      name: 'InvalidPasswordException',
      message: 'Provided password cannot be used for security reasons.',
    })
  })

  it('AUTH-09 refuses an empty name with the trigger’s text and stores nothing', async () => {
    const email = anEmail()
    await expect(pool.signUp({ email, name: ' ' })).rejects.toMatchObject({
      name: 'UserLambdaValidationException',
      message: 'PreSignUp failed with error A name is required [code=name_required].',
    })
    await pool.signUp({ email })
  })

  it.each([
    [{ Username: 'no e-mail' }, 'InvalidParameterException'],
    [{ Username: 'ann' }, 'InvalidParameterException'],
    [{ UserAttributes: [{ Name: 'sub', Value: 'x' }] }, 'NotAuthorizedException'],
    [{ UserAttributes: [{ Name: 'email_verified', Value: 'true' }] }, 'NotAuthorizedException'],
    [{ UserAttributes: [{ Name: 'custom:role', Value: 'x' }] }, 'InvalidParameterException'],
    [{ UserAttributes: [{ Name: 'email', Value: 'ben@example.com' }] }, 'InvalidParameterException'],
    [{ ClientId: 'other' }, 'ResourceNotFoundException'],
  ])('refuses %j with %s', async (change, name) => {
    const command = { ClientId: pool.clientId, Username: anEmail(), Password: PASSWORD, ...change }
    await expect(pool.client.send(new SignUpCommand(command))).rejects.toMatchObject({ name })
  })
})

describe('confirmation', () => {
  it('refuses a wrong code and accepts the right one once', async () => {
    const { email } = await pool.signUp()
    const code = pool.codeTo(email)
    await expect(confirm(email, code === '000000' ? '000001' : '000000')).rejects.toMatchObject({
      name: 'CodeMismatchException',
      message: 'Invalid verification code provided, please try again.',
    })
    await confirm(email, code)
    await expect(confirm(email, code)).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'User cannot be confirmed. Current status is CONFIRMED',
    })
    await expect(resend(email)).rejects.toMatchObject({
      name: 'InvalidParameterException',
      message: 'User is already confirmed.',
    })
  })

  it('accepts only the newest code', async () => {
    const { email } = await pool.signUp()
    const first = pool.codeTo(email)
    do await resend(email)
    while (pool.codeTo(email) === first)
    await expect(confirm(email, first)).rejects.toThrow('Invalid verification code')
    await expect(confirm(email, pool.codeTo(email))).resolves.toBeDefined()
  })

  it('accepts a code for 24 hours', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T08:00:00Z') })
    const [earlyUser, lateUser] = [await pool.signUp(), await pool.signUp()]
    vi.setSystemTime(new Date('2026-11-21T07:59:59Z'))
    await confirm(earlyUser.email, pool.codeTo(earlyUser.email))
    vi.setSystemTime(new Date('2026-11-21T08:00:00Z'))
    await expect(confirm(lateUser.email, pool.codeTo(lateUser.email))).rejects.toMatchObject({
      name: 'ExpiredCodeException',
    })
  })

  it('allows 5 resends and 15 attempts an hour', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T08:00:00Z') })
    const { email } = await pool.signUp()
    for (let sent = 0; sent < 5; sent++) await resend(email)
    await expect(resend(email)).rejects.toMatchObject({
      name: 'LimitExceededException',
      message: 'Attempt limit exceeded, please try after some time.',
    })
    const wrong = pool.codeTo(email) === '000000' ? '000001' : '000000'
    for (let tried = 0; tried < 15; tried++) await expect(confirm(email, wrong)).rejects.toThrow('Invalid')
    await expect(confirm(email, wrong)).rejects.toMatchObject({ name: 'LimitExceededException' })
    vi.setSystemTime(new Date('2026-11-20T09:00:01Z'))
    await resend(email)
    await confirm(email, pool.codeTo(email))
  })

  it('does not reveal that an account does not exist', async () => {
    const email = anEmail()
    expect((await resend(email)).CodeDeliveryDetails?.Destination).toBe('a***@e***')
    expect(pool.mailsTo(email)).toEqual([])
    await expect(confirm(email, '123456')).rejects.toMatchObject({ name: 'ExpiredCodeException' })
  })
})

describe('mails and triggers', () => {
  it('mails a code only if the trigger sets no text', async () => {
    const trigger = vi.fn<typeof customMessage>(async (event) => event)
    const separatePool = await startTestPool({ triggers: { customMessage: trigger } })
    const { email } = await separatePool.newUser()
    expect(separatePool.mailsTo(email)[0]).toMatchObject({
      subject: 'Your verification code',
      text: expect.stringMatching(/^Your confirmation code is \d{6}$/),
    })
    expect(trigger).toHaveBeenCalledOnce()
    await separatePool.remove()
  })

  // https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-custom-message.html: "only if EmailSendingAccount is DEVELOPER"
  it('DEC-152 refuses the trigger’s texts with the default mailer', async () => {
    const separatePool = await startTestPool({
      emailSendingAccount: 'COGNITO_DEFAULT',
      triggers: { customMessage: (event) => customMessage(event) },
    })
    await expect(separatePool.signUp()).rejects.toMatchObject({ name: 'InvalidLambdaResponseException' })
    await separatePool.remove()
  })

  it.each([
    ['without the code', () => 'Hello', 'InvalidLambdaResponseException'],
    ['over 20,000 characters', () => `{####}${'x'.repeat(20_000)}`, 'InvalidLambdaResponseException'],
    [
      'that the trigger fails to make',
      () => {
        throw new Error('no template')
      },
      'UserLambdaValidationException',
    ],
  ])('returns an error for a message %s', async (_, emailMessage, name) => {
    const brokenPool = await startTestPool({
      emailSendingAccount: 'DEVELOPER',
      triggers: {
        customMessage: async (event) => {
          event.response.emailMessage = emailMessage()
          return event
        },
      },
    })
    await expect(brokenPool.signUp()).rejects.toMatchObject({ name })
    await brokenPool.remove()
  })
})

describe('administration', () => {
  it('creates users without a mail, who sign in with the password they are given', async () => {
    const email = anEmail()
    const userInput = { UserPoolId: pool.userPoolId, Username: email }
    const UserAttributes = [
      { Name: 'email', Value: email },
      { Name: 'email_verified', Value: 'true' },
    ]
    const create = new AdminCreateUserCommand({ ...userInput, MessageAction: 'SUPPRESS', UserAttributes })
    expect((await pool.client.send(create)).User).toMatchObject({
      UserStatus: 'FORCE_CHANGE_PASSWORD',
      Attributes: expect.arrayContaining(UserAttributes),
    })
    await expect(pool.client.send(create)).rejects.toMatchObject({ name: 'UsernameExistsException' })
    await expect(
      pool.client.send(new ForgotPasswordCommand({ ClientId: pool.clientId, Username: email })),
    ).rejects.toMatchObject({ name: 'NotAuthorizedException' })
    const setPassword = (Password: string) =>
      pool.client.send(new AdminSetUserPasswordCommand({ ...userInput, Password, Permanent: true }))
    await expect(setPassword('short')).rejects.toMatchObject({ name: 'InvalidPasswordException' })
    await setPassword(PASSWORD)
    expect((await pool.signIn({ email, password: PASSWORD })).tokens.access).not.toBe('')
    expect(pool.mailsTo(email)).toEqual([])
  })

  it('finds users by e-mail and deletes them', async () => {
    const { email, sub } = await pool.signUp()
    const find = (value: string) =>
      pool.client.send(new ListUsersCommand({ UserPoolId: pool.userPoolId, Filter: `email = "${value}"` }))
    expect((await find(email.toUpperCase())).Users).toMatchObject([
      { Username: sub, UserStatus: 'UNCONFIRMED' },
    ])
    await pool.client.send(new AdminDeleteUserCommand({ UserPoolId: pool.userPoolId, Username: sub }))
    expect((await find(email)).Users).toEqual([])
    const getDeletedUser = new AdminGetUserCommand({ UserPoolId: pool.userPoolId, Username: email })
    await expect(pool.client.send(getDeletedUser)).rejects.toMatchObject({ name: 'UserNotFoundException' })
  })

  it('lists users page by page', async () => {
    const separatePool = await startTestPool()
    const subs = [
      (await separatePool.signUp()).sub,
      (await separatePool.signUp()).sub,
      (await separatePool.signUp()).sub,
    ]
    const page = (PaginationToken?: string) =>
      separatePool.client.send(
        new ListUsersCommand({
          UserPoolId: separatePool.userPoolId,
          Limit: 2,
          ...(PaginationToken && { PaginationToken }),
        }),
      )
    const first = await page()
    const second = await page(first.PaginationToken)
    expect([...(first.Users ?? []), ...(second.Users ?? [])].map((user) => user.Username)).toEqual(
      subs.toSorted(),
    )
    expect(second.PaginationToken).toBeUndefined()
    await separatePool.remove()
  })
})
