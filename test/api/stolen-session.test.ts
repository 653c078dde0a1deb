/** @module-tag long */
import {
  AssociateSoftwareTokenCommand,
  ChangePasswordCommand,
  ConfirmForgotPasswordCommand,
  ConfirmSignUpCommand,
  DeleteUserCommand,
  ForgotPasswordCommand,
  GetTokensFromRefreshTokenCommand,
  GetUserAttributeVerificationCodeCommand,
  GetUserCommand,
  InitiateAuthCommand,
  SetUserMFAPreferenceCommand,
  SignUpCommand,
  UpdateUserAttributesCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { decodeJwt } from 'jose'
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { replacePasswordKey } from '#shared/user-pool.ts'
import { caller } from '../support/caller.ts'
import { grantAdmin } from '../support/grant-admin.ts'
import { demoStack } from '../support/shared-stack.ts'
import type { StackUser } from '../support/stack-user.ts'
import { createReceiver } from '../../infra/local/push-crypto.ts'
import { enrol, passwordStep, openStackUserPool } from '../support/two-factor.ts'

const stack = await demoStack()
const pool = await openStackUserPool(stack)

interface Session {
  accessToken: string
  refreshToken: string
}
type Person = Pick<StackUser, 'email' | 'password'>

/** A sign-in with the password, and its refresh token. */
async function signIn({ email, password }: Person): Promise<Session> {
  const { AuthenticationResult: tokens } = await pool.client.send(
    new InitiateAuthCommand({
      ClientId: pool.ClientId,
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: email, PASSWORD: password },
    }),
  )
  return { accessToken: tokens?.AccessToken ?? '', refreshToken: tokens?.RefreshToken ?? '' }
}

async function refresh({ refreshToken }: Session): Promise<Session> {
  const { AuthenticationResult: tokens } = await pool.client.send(
    new GetTokensFromRefreshTokenCommand({ ClientId: pool.ClientId, RefreshToken: refreshToken }),
  )
  return { accessToken: tokens?.AccessToken ?? '', refreshToken: tokens?.RefreshToken ?? '' }
}

const callAs = ({ accessToken }: Pick<Session, 'accessToken'>) => caller(stack.origin, accessToken)
const fetchHttpStatus = async (session: Pick<Session, 'accessToken'>) =>
  (await callAs(session).send('mfa.status')).status
const refusal = (status: number, code: string) => ({ status, body: { success: false, code } })

async function readMailedCode(email: string): Promise<string> {
  return /code=(\d{6})/.exec((await stack.mail(email))[0]?.text ?? '')?.[1] ?? 'no code mailed'
}

async function resetPassword(email: string, Password: string): Promise<void> {
  const account = { ClientId: pool.ClientId, Username: email }
  await pool.client.send(new ForgotPasswordCommand(account))
  const ConfirmationCode = await readMailedCode(email)
  await pool.client.send(new ConfirmForgotPasswordCommand({ ...account, ConfirmationCode, Password }))
}

describe('a stolen access token', () => {
  const newEmail = [{ Name: 'email', Value: 'mallory@example.com' }]
  it.each([
    ['read the account', (AccessToken: string) => new GetUserCommand({ AccessToken })],
    [
      'change the e-mail address',
      (AccessToken: string) => new UpdateUserAttributesCommand({ AccessToken, UserAttributes: newEmail }),
    ],
    [
      'change the password',
      (AccessToken: string) =>
        new ChangePasswordCommand({
          AccessToken,
          PreviousPassword: 'correct horse',
          ProposedPassword: 'mine now',
        }),
    ],
    ['put in a factor', (AccessToken: string) => new AssociateSoftwareTokenCommand({ AccessToken })],
    [
      'switch the factor off',
      (AccessToken: string) =>
        new SetUserMFAPreferenceCommand({ AccessToken, SoftwareTokenMfaSettings: { Enabled: false } }),
    ],
    ['delete the account', (AccessToken: string) => new DeleteUserCommand({ AccessToken })],
  ])('that was refreshed cannot %s at the user pool (H5)', async (_, command) => {
    const user = await stack.newUser()
    const stolenSession = await refresh(await signIn(user))
    expect(await fetchHttpStatus(stolenSession)).toBe(200)
    await expect(
      pool.client.send(command(stolenSession.accessToken) as GetUserCommand),
    ).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'Access Token does not have required scopes',
    })
    await signIn(user)
  })

  it('that was refreshed cannot set up a factor through the product either, and the response says what is missing (H5)', async () => {
    const user = await stack.newUser()
    const thief = callAs(await refresh(await signIn(user)))
    for (const body of [{ action: 'generate' }, { action: 'verify', token: '123456' }])
      expect(await thief.send('mfa.setup', { body })).toMatchObject(refusal(403, 'recent_sign_in_required'))
    // with a recent sign-in it succeeds
    await enrol(user)
  })

  it('of a sign-in that just happened cannot change the e-mail address either (H5)', async () => {
    const user = await stack.newUser()
    const { accessToken: AccessToken } = await signIn(user)
    const triggerError = { name: 'UserLambdaValidationException' }
    await expect(
      pool.client.send(new UpdateUserAttributesCommand({ AccessToken, UserAttributes: newEmail })),
    ).rejects.toMatchObject(triggerError)
    await expect(
      pool.client.send(new GetUserAttributeVerificationCodeCommand({ AccessToken, AttributeName: 'email' })),
    ).rejects.toMatchObject(triggerError)
    const { UserAttributes } = await pool.client.send(new GetUserCommand({ AccessToken }))
    expect(UserAttributes).toEqual(
      expect.arrayContaining([
        { Name: 'email', Value: user.email },
        { Name: 'email_verified', Value: 'true' },
      ]),
    )
    expect(await stack.mail('mallory@example.com')).toEqual([])
    await signIn(user)
  })

  it.each(['the owner', 'an administrator'])(
    'adds a receiver of pushes, a server and a link: they can be seen, and end when %s signs it out everywhere',
    async (who) => {
      const user = await stack.newUser()
      const owner = callAs(await signIn(user))
      const sessionId = randomUUID()
      const messages = [{ role: 'user' as const, content: 'Hello' }]
      await owner.call('chat.send', { body: { sessionId, messageId: randomUUID(), messages } })
      const { share } = await owner.call('shares.create', { params: { sessionId }, body: { days: 7 } })
      const config = { serverUrl: '', apiKey: 'key', customFields: {} }
      await owner.call('customTools.add', { body: { name: 'Spelling', description: '', config } })
      const { keys } = createReceiver()
      await owner.call('push.subscribe', { body: { endpoint: 'https://push.example.org/stolen', keys } })
      const { receivers } = await owner.call('push.key')
      expect(receivers).toMatchObject([{ host: 'push.example.org' }])
      const openLink = async () => {
        const body = JSON.stringify({ secret: share.secret })
        const headers = { 'content-type': 'application/json' }
        return (await fetch(`${stack.origin}/api/shared-conversation`, { method: 'POST', headers, body }))
          .status
      }
      expect(await openLink()).toBe(200)
      if (who === 'the owner') await owner.call('account.signOutEverywhere')
      else {
        const admin = await stack.newUser()
        await grantAdmin(stack, admin.email)
        const { sub: userId = '' } = decodeJwt((await signIn(user)).accessToken)
        await callAs(await signIn(admin)).call('admin.signOutUser', { params: { userId } })
      }
      expect(await openLink()).toBe(404)
      const again = callAs(await signIn(user))
      expect((await again.call('push.key')).receivers).toEqual([])
      expect((await again.call('customTools.list')).tools).toEqual([])
      expect((await again.call('shares.list')).shares).toEqual([])
      // what comes afterwards stays
      await again.call('customTools.add', { body: { name: 'Mine', description: '', config } })
      expect((await again.call('customTools.list')).tools).toMatchObject([{ name: 'Mine' }])
    },
  )

  it('cannot remove a factor without its code; the owner can with one, even from an older session (H5)', async () => {
    const user = await stack.newUser()
    const session = await signIn(user)
    const owner = { ...user, ...callAs(session) }
    const { code } = await enrol(owner)
    const later = callAs(await refresh(session))
    expect(await later.send('mfa.setup', { body: { action: 'disable', token: '000000' } })).toMatchObject(
      refusal(400, 'invalid_code'),
    )
    await later.call('mfa.setup', { body: { action: 'disable', token: code(1) } })
    expect(await later.call('mfa.status')).toMatchObject({ enabled: false })
  })

  it('that was refreshed still works for its owner: profile, export, sign-out everywhere', async () => {
    const user = await stack.newUser({ name: 'Mika Kaas' })
    const session = await refresh(await signIn(user))
    expect((await callAs(session).call('account.read')).profile.display_name).toBe('Mika Kaas')
    expect((await callAs(session).send('account.export')).status).toBe(200)
    await callAs(session).call('account.signOutEverywhere')
    expect(await fetchHttpStatus(session)).toBe(401)
    await expect(refresh(session)).rejects.toThrow('Refresh Token has been revoked')
  })
})

describe('a thief’s session', () => {
  it('ends with a password reset, at the pool and at the product, and the owner can continue at once (M1)', async () => {
    const user = await stack.newUser()
    const thief = await signIn(user)
    expect(await fetchHttpStatus(thief)).toBe(200)
    await resetPassword(user.email, 'battery staple')
    expect(await fetchHttpStatus(thief)).toBe(401)
    await expect(refresh(thief)).rejects.toMatchObject({ name: 'NotAuthorizedException' })
    await expect(
      pool.client.send(new GetUserCommand({ AccessToken: thief.accessToken })),
    ).rejects.toMatchObject({ name: 'NotAuthorizedException' })
    expect(await fetchHttpStatus(await signIn({ ...user, password: 'battery staple' }))).toBe(200)
  })

  it('ends when the owner switches two-factor on, with its refreshed tokens, and the owner’s session continues (M1)', async () => {
    const user = await stack.newUser()
    const thief = await signIn(user)
    const ownSession = await signIn(user)
    const { code } = await enrol({ ...user, ...callAs(ownSession) })
    expect(await fetchHttpStatus(thief)).toBe(401)
    expect(await fetchHttpStatus(user)).toBe(401)
    const later = await refresh(thief)
    expect(await callAs(later).send('sessions.list')).toMatchObject(refusal(401, 'session_ended'))
    await expect(
      pool.client.send(new AssociateSoftwareTokenCommand({ AccessToken: later.accessToken })),
    ).rejects.toThrow('required scopes')

    expect(await fetchHttpStatus(ownSession)).toBe(200)
    expect(await fetchHttpStatus(await refresh(ownSession))).toBe(200)
    const { respond } = await passwordStep(stack, user)
    const fresh = await respond(code(1))
    expect(await fetchHttpStatus({ accessToken: fresh })).toBe(200)
  })
})

describe('somebody who signs up with another person’s address', () => {
  async function signUpUnconfirmed() {
    const email = `${randomUUID()}@example.com`
    await pool.client.send(
      new SignUpCommand({
        ClientId: pool.ClientId,
        Username: email,
        Password: 'the attackers own',
        UserAttributes: [
          { Name: 'email', Value: email },
          { Name: 'name', Value: 'Mallory' },
        ],
      }),
    )
    return { email, person: { email, password: 'the attackers own' } }
  }
  const confirm = async (email: string, ClientMetadata?: Record<string, string>) =>
    pool.client.send(
      new ConfirmSignUpCommand({
        ClientId: pool.ClientId,
        Username: email,
        ConfirmationCode: await readMailedCode(email),
        ClientMetadata,
      }),
    )

  it('never gets in: the owner’s confirmation replaces the password, and the owner chooses one (M1)', async () => {
    const { email, person: attacker } = await signUpUnconfirmed()
    await expect(signIn(attacker)).rejects.toMatchObject({ name: 'UserNotConfirmedException' })
    // like the page in a browser that did not sign up
    await confirm(email, { [replacePasswordKey]: 'true' })
    await expect(signIn(attacker)).rejects.toThrow('Incorrect username or password.')
    await resetPassword(email, 'battery staple')
    await expect(signIn(attacker)).rejects.toThrow('Incorrect username or password.')
    expect(await fetchHttpStatus(await signIn({ email, password: 'battery staple' }))).toBe(200)
  })

  it('is signed out by the owner’s reset, in every session and with refreshed tokens (M1)', async () => {
    const { email, person: attacker } = await signUpUnconfirmed()
    await confirm(email)
    const session = await signIn(attacker)
    expect(await fetchHttpStatus(session)).toBe(200)
    await resetPassword(email, 'battery staple')
    expect(await fetchHttpStatus(session)).toBe(401)
    await expect(refresh(session)).rejects.toMatchObject({ name: 'NotAuthorizedException' })
    expect(await fetchHttpStatus(await signIn({ email, password: 'battery staple' }))).toBe(200)
  })

  it('a sign-up by the owner keeps its password, and the code needs no earlier session', async () => {
    const { email, person: owner } = await signUpUnconfirmed()
    await confirm(email)
    const claims = decodeJwt((await signIn(owner)).accessToken)
    expect(String(claims['scope']).split(' ').toSorted()).toEqual([
      'aws.cognito.signin.user.admin',
      'juno/api',
    ])
  })
})
