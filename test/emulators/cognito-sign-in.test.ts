import { InitiateAuthCommand, RespondToAuthChallengeCommand } from '@aws-sdk/client-cognito-identity-provider'
import { ConsoleLogger } from '@aws-amplify/core'
import { Amplify } from 'aws-amplify'
import {
  confirmResetPassword,
  confirmSignIn,
  confirmSignUp,
  fetchAuthSession,
  fetchUserAttributes,
  getCurrentUser,
  resetPassword,
  setUpTOTP,
  signIn,
  signOut,
  signUp,
  updateMFAPreference,
  updateUserAttributes,
  verifyTOTPSetup,
} from 'aws-amplify/auth'
import { cognitoUserPoolsTokenProvider } from 'aws-amplify/auth/cognito'
import { generateSync } from 'otplib'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { anEmail, PASSWORD, startTestPool, type TestPool } from '../support/cognito-pool.ts'

let pool: TestPool
const storage = new Map<string, string>()

beforeAll(async () => {
  pool = await startTestPool()
  ConsoleLogger.LOG_LEVEL = 'ERROR'
  Amplify.configure({
    Auth: {
      Cognito: {
        userPoolId: pool.userPoolId,
        userPoolClientId: pool.clientId,
        userPoolEndpoint: pool.url,
      },
    },
  })
  cognitoUserPoolsTokenProvider.setKeyValueStorage({
    getItem: (key) => Promise.resolve(storage.get(key) ?? null),
    setItem: (key, value) => Promise.resolve(void storage.set(key, value)),
    removeItem: (key) => Promise.resolve(void storage.delete(key)),
    clear: () => Promise.resolve(storage.clear()),
  })
})
afterEach(async () => {
  vi.useRealTimers()
  await signOut()
  storage.clear()
})
afterAll(() => pool.remove())

describe('Amplify against the pool', () => {
  it('signs up, confirms, signs in by SRP, refreshes and signs out', async () => {
    const username = anEmail()
    const signUpResult = await signUp({
      username,
      password: PASSWORD,
      options: { userAttributes: { email: username, name: 'Ann' } },
    })
    expect(signUpResult.nextStep.signUpStep).toBe('CONFIRM_SIGN_UP')
    await confirmSignUp({ username, confirmationCode: pool.codeTo(username) })
    expect(await signIn({ username, password: PASSWORD })).toMatchObject({ isSignedIn: true })
    expect(await getCurrentUser()).toMatchObject({
      userId: signUpResult.userId,
      username: signUpResult.userId,
    })
    await updateUserAttributes({ userAttributes: { name: 'Ann B.' } })
    expect(await fetchUserAttributes()).toEqual({
      sub: signUpResult.userId,
      email: username,
      email_verified: 'true',
      name: 'Ann B.',
    })
    const before = (await fetchAuthSession()).tokens?.accessToken.payload
    const after = (await fetchAuthSession({ forceRefresh: true })).tokens
    expect(after?.accessToken.payload).toMatchObject({ origin_jti: before?.['origin_jti'] })
    expect(after?.accessToken.payload.jti).not.toBe(before?.jti)
    expect(after?.idToken?.payload['name']).toBe('Ann B.')
    await signOut()
    expect((await fetchAuthSession()).tokens).toBeUndefined()
  })

  it.each(['907351', 'Zürich ✓ 東京', 'x'.repeat(256), 'a  b  c'])(
    'verifies the password %j',
    async (password) => {
      const { email } = await pool.signUp({ password })
      const step = await signIn({ username: email, password })
      expect(step.nextStep.signInStep).toBe('CONFIRM_SIGN_UP')
    },
  )

  // the other tests also use new salts and keys each time
  it('signs in with any random salts and keys', async () => {
    const { email } = await pool.newUser()
    for (let round = 0; round < 4; round++) {
      expect(await signIn({ username: email.toUpperCase(), password: PASSWORD })).toMatchObject({
        isSignedIn: true,
      })
      await signOut()
    }
  })

  it('AUTH-23 gives the same response to a wrong password and an unknown e-mail', async () => {
    const { email } = await pool.newUser()
    const rejection = { name: 'NotAuthorizedException', message: 'Incorrect username or password.' }
    await expect(signIn({ username: email, password: 'wrong horse' })).rejects.toMatchObject(rejection)
    await expect(signIn({ username: anEmail(), password: PASSWORD })).rejects.toMatchObject(rejection)
  })

  it('AUTH-26 reveals an unconfirmed account only after the right password', async () => {
    const { email } = await pool.signUp()
    await expect(signIn({ username: email, password: 'wrong horse' })).rejects.toMatchObject({
      name: 'NotAuthorizedException',
    })
    expect((await signIn({ username: email, password: PASSWORD })).nextStep.signInStep).toBe(
      'CONFIRM_SIGN_UP',
    )
  })

  it('AUTH-21 resets a password with the mailed code', async () => {
    const { email } = await pool.newUser()
    await resetPassword({ username: email })
    const confirmationCode = pool.codeTo(email)
    await confirmResetPassword({ username: email, confirmationCode, newPassword: 'battery staple' })
    await expect(signIn({ username: email, password: PASSWORD })).rejects.toThrow('Incorrect')
    expect(await signIn({ username: email, password: 'battery staple' })).toMatchObject({ isSignedIn: true })
  })

  it('asks for the second factor, accepts each code once, and the next step’s code early', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T08:00:10Z') })
    const { email } = await pool.newUser()
    await signIn({ username: email, password: PASSWORD })
    const { sharedSecret } = await setUpTOTP()
    expect(sharedSecret).toMatch(/^[A-Z2-7]{32}$/)
    const generateCode = (seconds: number) =>
      generateSync({ secret: sharedSecret, epoch: Math.floor(Date.now() / 1000) + seconds })
    await expect(updateMFAPreference({ totp: 'PREFERRED' })).rejects.toMatchObject({
      name: 'InvalidParameterException',
      message: 'User does not have delivery config set to turn on SOFTWARE_TOKEN_MFA',
    })
    await expect(verifyTOTPSetup({ code: generateCode(300) })).rejects.toMatchObject({
      name: 'EnableSoftwareTokenMFAException',
    })
    await verifyTOTPSetup({ code: generateCode(0) })
    await updateMFAPreference({ totp: 'PREFERRED' })
    await signOut()

    const challenge = await signIn({ username: email, password: PASSWORD })
    expect(challenge.nextStep.signInStep).toBe('CONFIRM_SIGN_IN_WITH_TOTP_CODE')
    await expect(confirmSignIn({ challengeResponse: generateCode(0) })).rejects.toMatchObject({
      name: 'ExpiredCodeException',
      message: 'Your software token has already been used once.',
    })
    await expect(confirmSignIn({ challengeResponse: generateCode(60) })).rejects.toMatchObject({
      name: 'CodeMismatchException',
    })
    expect(await confirmSignIn({ challengeResponse: generateCode(30) })).toMatchObject({ isSignedIn: true })
  })
})

describe('flows and challenges', () => {
  const initiate = (AuthFlow: 'USER_SRP_AUTH' | 'REFRESH_TOKEN_AUTH', parameters: Record<string, string>) =>
    pool.client.send(
      new InitiateAuthCommand({ ClientId: pool.clientId, AuthFlow, AuthParameters: parameters }),
    )
  const respond = (responses: Record<string, string>) =>
    pool.client.send(
      new RespondToAuthChallengeCommand({
        ClientId: pool.clientId,
        ChallengeName: 'PASSWORD_VERIFIER',
        ChallengeResponses: responses,
      }),
    )

  it('gives an unknown name the same salt and id for each attempt and spelling', async () => {
    const email = anEmail()
    const [first, second] = await Promise.all(
      [email, email.toUpperCase()].map((USERNAME) => initiate('USER_SRP_AUTH', { USERNAME, SRP_A: 'a1' })),
    )
    expect(first?.ChallengeParameters).toMatchObject({
      SALT: second?.ChallengeParameters?.['SALT'],
      USERNAME: second?.ChallengeParameters?.['USERNAME'],
      USER_ID_FOR_SRP: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
    })
    expect(first?.ChallengeParameters?.['SRP_B']).not.toBe(second?.ChallengeParameters?.['SRP_B'])
  })

  it.each(['0', '00', 'xyz', ''])('refuses the public value %j', async (SRP_A) => {
    const { email } = await pool.newUser()
    await expect(initiate('USER_SRP_AUTH', { USERNAME: email, SRP_A })).rejects.toMatchObject({
      name: 'InvalidParameterException',
    })
  })

  it('accepts a challenge response once and within 15 minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T08:00:00Z') })
    const { email } = await pool.newUser()
    const startSrp = async () => {
      const { ChallengeParameters: parameters } = await initiate('USER_SRP_AUTH', {
        USERNAME: email,
        SRP_A: 'a1',
      })
      return {
        USERNAME: parameters?.['USERNAME'] ?? '',
        PASSWORD_CLAIM_SECRET_BLOCK: parameters?.['SECRET_BLOCK'] ?? '',
        PASSWORD_CLAIM_SIGNATURE: 'c2lnbmF0dXJl',
        TIMESTAMP: 'Fri Nov 20 08:00:00 UTC 2026',
      }
    }
    const first = await startSrp()
    await expect(respond(first)).rejects.toThrow('Incorrect username or password.')
    await expect(respond(first)).rejects.toThrow('session can only be used once')
    const lateChallenge = await startSrp()
    vi.setSystemTime(new Date('2026-11-20T08:15:00Z'))
    await expect(respond(lateChallenge)).rejects.toThrow('session is expired')
  })

  it('supports USER_PASSWORD_AUTH for scripts and refuses REFRESH_TOKEN_AUTH', async () => {
    const user = await pool.newUser()
    const { tokens } = await pool.signIn(user)
    await expect(initiate('REFRESH_TOKEN_AUTH', { REFRESH_TOKEN: tokens.refresh })).rejects.toMatchObject({
      name: 'InvalidParameterException',
    })
    await expect(pool.signIn({ ...user, password: 'wrong horse' })).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'Incorrect username or password.',
    })
    await expect(pool.signIn(await pool.signUp())).rejects.toMatchObject({
      name: 'UserNotConfirmedException',
      message: 'User is not confirmed.',
    })
  })

  it.each([
    ['known', 'signed in'],
    ['unknown', 'Incorrect username or password.'],
  ])('locks a %s name for increasing times after 5 wrong passwords', async (kind, outcome) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T08:00:00Z') })
    const email = kind === 'known' ? (await pool.newUser()).email : anEmail()
    const tryWrongPassword = () => pool.signIn({ email, password: 'wrong horse' })
    for (let tried = 0; tried < 5; tried++) await expect(tryWrongPassword()).rejects.toThrow('Incorrect')
    await expect(pool.signIn({ email, password: PASSWORD })).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'Password attempts exceeded',
    })
    vi.setSystemTime(new Date('2026-11-20T08:00:01Z'))
    await expect(tryWrongPassword()).rejects.toThrow('Incorrect')
    vi.setSystemTime(new Date('2026-11-20T08:00:02Z'))
    await expect(tryWrongPassword()).rejects.toThrow('exceeded')
    vi.setSystemTime(new Date('2026-11-20T08:00:03Z'))
    const last = pool.signIn({ email, password: PASSWORD }).then(
      () => 'signed in',
      ({ message }: Error) => message,
    )
    expect(await last).toBe(outcome)
  })
})
