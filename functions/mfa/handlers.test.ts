import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { anonymousCodesPerMinute } from '../platform/limits.ts'
import { type AccountFunctions, startAccountFunctions } from '../../test/support/account-functions.ts'
import { wrongAppCode } from '../../test/support/two-factor.ts'
import { hashEmail } from './enrolment.ts'
import { generateCode, toTimeStep } from './totp.ts'
import { attemptsRepository } from './attempts-repository.ts'

let functions: AccountFunctions
beforeAll(async () => {
  functions = await startAccountFunctions()
})
afterAll(() => functions.close())

/** The end of a second, so that a set-up does not wait for the next one; each test has minutes of its own. */
let start = Date.parse('2026-11-20T08:00:00.995Z')
beforeEach(() => {
  start += 3_600_000
  vi.useFakeTimers({ toFake: ['Date'], now: start })
})
afterEach(() => vi.useRealTimers())
const setSecondsAfterStart = (seconds: number) => vi.setSystemTime(start + seconds * 1_000)

const buildRefusal = (statusCode: number, code: string, error?: string) => ({
  statusCode,
  body: { success: false, code, ...(error !== undefined && { error }) },
})
const invalidCode = buildRefusal(400, 'invalid_code', 'Invalid verification code. Please try again.')
const codeMissing = buildRefusal(400, 'code_missing', 'Please enter a verification code.')
const proofRequired = buildRefusal(
  403,
  'proof_required',
  'Please enter a current code, or sign in again, to change this.',
)
const ok = { statusCode: 200, body: { success: true } }
const statusOff = { enabled: false, federated: false, backupCodesLeft: 0 }
const redeem = (body: object) => functions.call('mfa.verify', { body: { isBackupCode: true, ...body } })

describe('a set-up', () => {
  it('returns a secret and ten codes, which are valid after the app’s first code', async () => {
    const user = await functions.newUser()
    expect(await user.status()).toEqual(statusOff)
    const { body } = await user.setUp({ action: 'generate' })
    const backupCodes = body['backupCodes'] as string[]
    const uri = new URL(String(body['qrCodeUrl']))
    expect(decodeURIComponent(uri.pathname)).toContain(`Juno:${user.email}`)
    expect(Object.keys(body)).toEqual(['success', 'qrCodeUrl', 'backupCodes'])
    expect(new Set(backupCodes).size).toBe(10)
    expect(await user.status()).toEqual(statusOff)

    const secret = uri.searchParams.get('secret') ?? ''
    expect(await user.setUp({ action: 'verify', token: wrongAppCode(secret) })).toMatchObject(invalidCode)
    const token = generateCode(secret, toTimeStep(Date.now()))
    expect(await user.setUp({ action: 'verify', token })).toMatchObject({ ...ok, body: { success: true } })
    expect(await user.status()).toEqual({ enabled: true, federated: false, backupCodesLeft: 10 })
    const redemption = await redeem({ email: user.email, token: backupCodes[9] })
    expect(redemption.body).toEqual({
      success: true,
      codes: [token, generateCode(secret, toTimeStep(Date.now()) + 1)],
    })
    expect(await user.status()).toMatchObject({ backupCodesLeft: 9 })
  })

  it('ends the other sign-ins of the account, but no later ones', async () => {
    const user = await functions.newUser()
    const other = await user.signInAgain()
    const sameSignIn = await user.signedInSecondsAgo(600)
    await user.enrol()
    expect(await other.call('mfa.status')).toMatchObject(buildRefusal(401, 'session_ended'))
    expect(await sameSignIn.call('mfa.status')).toMatchObject({ statusCode: 200 })
    setSecondsAfterStart(1)
    expect(await (await user.signedInSecondsAgo(0)).call('mfa.status')).toMatchObject({ statusCode: 200 })
  })

  it('is refused while the factor is on', async () => {
    const user = await functions.newUser()
    const { code } = await user.enrol()
    const alreadyOn = buildRefusal(
      409,
      'two_factor_already_on',
      'Two-factor authentication is already on. Disable it before you set it up again.',
    )
    expect(await user.setUp({ action: 'generate' })).toMatchObject(alreadyOn)
    expect(await user.setUp({ action: 'verify', token: code(1) })).toMatchObject(alreadyOn)
  })

  it('needs to be started first, and a code of six digits', async () => {
    const user = await functions.newUser()
    const enrolmentMissing = buildRefusal(
      409,
      'enrolment_missing',
      'This set-up is no longer open. Please start it again.',
    )
    expect(await user.setUp({ action: 'verify', token: '123456' })).toMatchObject(enrolmentMissing)
    expect(await user.setUp({ action: 'verify', token: ' ' })).toMatchObject(codeMissing)
    expect(await user.setUp({ action: 'verify' })).toMatchObject(codeMissing)
    expect(await user.setUp({ action: 'verify', token: '12345' })).toMatchObject(invalidCode)
  })
})

describe('changes that weaken the factor', () => {
  it.each(['disable', 'regenerate'])(
    '%s: an old sign-in needs a code, a recent one does not',
    async (action) => {
      const user = await functions.newUser()
      const { backup, code } = await user.enrol()
      const oldSignIn = await user.signedInSecondsAgo(301)
      expect(await oldSignIn.setUp({ action })).toMatchObject(proofRequired)
      expect(await oldSignIn.setUp({ action, token: '  ' })).toMatchObject(proofRequired)
      expect(await oldSignIn.setUp({ action, token: code(0) })).toMatchObject(invalidCode)
      // twenty minutes from now
      expect(await oldSignIn.setUp({ action, token: code(40) })).toMatchObject(invalidCode)
      expect(await oldSignIn.setUp({ action, token: backup })).toMatchObject(invalidCode)
      // an entered code must be correct, however recent the sign-in is
      expect(await user.setUp({ action, token: code(0) })).toMatchObject(invalidCode)
      expect(await user.setUp({ action, token: '1' })).toMatchObject(invalidCode)
      expect(await user.status()).toMatchObject({ enabled: true, backupCodesLeft: 1 })
      expect(await oldSignIn.setUp({ action, token: code(1) })).toMatchObject(ok)
    },
  )

  it('switching it off deletes everything, can be repeated, and allows a new set-up', async () => {
    const user = await functions.newUser()
    const { backup } = await user.enrol()
    expect((await user.setUp({ action: 'disable' })).body).toEqual({ success: true })
    expect((await user.setUp({ action: 'disable' })).body).toEqual({ success: true })
    expect(await user.status()).toEqual(statusOff)
    expect(await functions.factors.find(user.sub)).toBeUndefined()
    expect(await redeem({ email: user.email, token: backup })).toMatchObject(invalidCode)
    await user.enrol()
    expect(await user.status()).toMatchObject({ enabled: true, backupCodesLeft: 1 })
  })

  it('new backup codes replace the old ones', async () => {
    const user = await functions.newUser()
    const { backup } = await user.enrol()
    const oldSignIn = await user.signedInSecondsAgo(301)
    const { body } = await oldSignIn.setUp({
      action: 'regenerate',
      token: ` ${backup.toLowerCase()}`,
      isBackupCode: true,
    })
    expect(Object.keys(body)).toEqual(['success', 'backupCodes'])
    const [first] = body['backupCodes'] as string[]
    expect(await redeem({ email: user.email, token: backup })).toMatchObject(invalidCode)
    expect(await redeem({ email: user.email, token: first })).toMatchObject(ok)
    expect(await user.status()).toMatchObject({ backupCodesLeft: 9 })
  })

  it('there are no backup codes to replace without a factor', async () => {
    const user = await functions.newUser()
    expect(await user.setUp({ action: 'regenerate' })).toMatchObject(
      buildRefusal(
        409,
        'not_set_up_here',
        'Two-factor authentication is not set up here. Please set it up again.',
      ),
    )
  })

  it('a verified code is valid for five minutes, for that sign-in only', async () => {
    const user = await functions.newUser()
    const { code } = await user.enrol()
    const [oldSignIn, olderSignIn] = [await user.signedInSecondsAgo(301), await user.signedInSecondsAgo(400)]
    const verify = (token: string) => oldSignIn.call('mfa.verify', { body: { token } })
    expect(await verify('')).toMatchObject(codeMissing)
    expect(await verify(code(0))).toMatchObject(invalidCode)
    expect((await verify(code(1))).body).toEqual({ success: true })
    expect(await verify(code(1))).toMatchObject(invalidCode)
    expect(await olderSignIn.setUp({ action: 'disable' })).toMatchObject(proofRequired)
    setSecondsAfterStart(300)
    expect(await oldSignIn.setUp({ action: 'disable' })).toMatchObject(proofRequired)
    setSecondsAfterStart(299)
    expect(await oldSignIn.setUp({ action: 'disable' })).toMatchObject(ok)
  })

  it('a backup code is a proof once', async () => {
    const user = await functions.newUser()
    const { backup } = await user.enrol()
    const oldSignIn = await user.signedInSecondsAgo(301)
    const verify = () => oldSignIn.call('mfa.verify', { body: { token: backup, isBackupCode: true } })
    expect((await verify()).body).toEqual({ success: true })
    expect(await verify()).toMatchObject(invalidCode)
    expect(await oldSignIn.setUp({ action: 'disable' })).toMatchObject(ok)
  })

  it('ten wrong codes lock the factor, even for the correct one; malformed codes do not count', async () => {
    const user = await functions.newUser()
    const { code } = await user.enrol()
    for (let tries = 0; tries < 11; tries += 1) await user.setUp({ action: 'disable', token: '12345' })
    const tryCode = (token: string) => user.setUp({ action: 'disable', token })
    for (let tries = 0; tries < 10; tries += 1) expect(await tryCode(code(0))).toMatchObject(invalidCode)
    const refusal = await tryCode(code(1))
    expect(refusal).toMatchObject(
      buildRefusal(429, 'two_factor_locked', 'Too many attempts. Please wait 15 minutes and try again.'),
    )
    expect(refusal.headers['retry-after']).toBe('900')
    expect(await user.status()).toMatchObject({ enabled: true })
  })

  it('a correct code resets the count of wrong codes', async () => {
    const user = await functions.newUser()
    const { code } = await user.enrol()
    const oldSignIn = await user.signedInSecondsAgo(301)
    const verify = (token: string) => oldSignIn.call('mfa.verify', { body: { token } })
    for (let tries = 0; tries < 9; tries += 1) await verify(code(0))
    expect(await verify(code(1))).toMatchObject(ok)
    for (let tries = 0; tries < 9; tries += 1) expect(await verify(code(1))).toMatchObject(invalidCode)
    setSecondsAfterStart(60)
    expect(await verify(code(2))).toMatchObject(ok)
  })

  it('without a factor no code is correct', async () => {
    const user = await functions.newUser()
    expect(await user.call('mfa.verify', { body: { token: '123456' } })).toMatchObject(invalidCode)
  })
})

describe('a backup code at sign-in', () => {
  /** Counts wrong codes without the time that hashing them takes. */
  async function countWrongCodes(email: string, count: number) {
    const [mailName] = await hashEmail(functions.seal, email)
    const tries = attemptsRepository(functions.table)
    for (let n = 0; n < count; n += 1) await tries.count({ mailName }, Date.now())
  }

  it('is accepted again for three minutes by the same attempt, with the current app codes', async () => {
    const user = await functions.newUser()
    const { backup, code } = await user.enrol()
    const attempt = { email: ` ${user.email.toUpperCase()} `, token: backup, attemptId: 'attempt-1' }
    expect((await redeem(attempt)).body).toEqual({ success: true, codes: [code(0), code(1)] })
    setSecondsAfterStart(60)
    expect((await redeem(attempt)).body).toEqual({ success: true, codes: [code(2), code(3)] })
    expect(await redeem({ ...attempt, attemptId: 'attempt-2' })).toMatchObject(invalidCode)
    expect(await redeem({ ...attempt, attemptId: undefined })).toMatchObject(invalidCode)
    expect(await redeem({ ...attempt, token: '7QK2M9XWTB' })).toMatchObject(invalidCode)
    setSecondsAfterStart(179)
    expect(await redeem(attempt)).toMatchObject(ok)
    setSecondsAfterStart(180)
    expect(await redeem(attempt)).toMatchObject(invalidCode)
  })

  it('gets the same response for an unknown address, an account without a factor and a wrong code', async () => {
    const [plainUser, enrolledUser] = [await functions.newUser(), await functions.newUser()]
    const { backup } = await enrolledUser.enrol()
    const responses = await Promise.all(
      [
        { email: 'nobody@example.com', token: backup },
        { email: plainUser.email, token: backup },
        { email: enrolledUser.email, token: '7QK2M9XWTB' },
        { email: enrolledUser.email, token: '7QK2M9XW' },
      ].map(redeem),
    )
    for (const response of responses) expect(response).toMatchObject(invalidCode)
    expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(await redeem({ email: enrolledUser.email, token: ' ' })).toMatchObject(codeMissing)
    expect(await redeem({ email: enrolledUser.email })).toMatchObject(codeMissing)
    expect(await enrolledUser.status()).toMatchObject({ backupCodesLeft: 1 })
  })

  it('locks an address after ten wrong codes, whether it has an account or not; malformed codes do not count', async () => {
    const user = await functions.newUser()
    const { backup } = await user.enrol()
    for (const email of [user.email, 'nobody-else@example.com']) {
      await countWrongCodes(email, 9)
      await redeem({ email, token: 'short' })
      expect(await redeem({ email, token: '7QK2M9XWTB' })).toMatchObject(invalidCode)
      expect(await redeem({ email, token: backup })).toMatchObject(buildRefusal(429, 'two_factor_locked'))
    }
  })

  it('resets the count of wrong codes when it is correct', async () => {
    const user = await functions.newUser()
    const { backup } = await user.enrol()
    const attempt = { email: user.email, token: backup, attemptId: 'attempt-1' }
    for (let round = 0; round < 2; round += 1) {
      await countWrongCodes(user.email, 9)
      expect(await redeem(attempt)).toMatchObject(ok)
    }
  })

  it('requires an address; an app code is no proof without a sign-in', async () => {
    expect(await redeem({ token: '7QK2M9XWTA' })).toMatchObject(
      buildRefusal(400, 'bad_request', 'Please enter your e-mail address first.'),
    )
    expect(await functions.call('mfa.verify', { body: { token: '123456' } })).toMatchObject(
      buildRefusal(401, 'not_signed_in'),
    )
    expect(
      await functions.call('mfa.verify', { body: { token: '123456', email: 'ann@example.com' } }),
    ).toMatchObject(buildRefusal(401, 'not_signed_in'))
  })

  it('counts towards a limit of all callers, unless the caller is signed in', async () => {
    const user = await functions.newUser()
    const { backup } = await user.enrol()
    for (let tries = 0; tries < anonymousCodesPerMinute; tries += 1)
      expect((await redeem({ email: 'nobody@example.com', token: 'short' })).statusCode).toBe(400)
    const attempt = { email: user.email, token: backup, isBackupCode: true }
    expect(await redeem(attempt)).toMatchObject({ statusCode: 429, headers: { 'retry-after': '60' } })
    expect(await user.call('mfa.verify', { body: attempt })).toMatchObject(ok)
    setSecondsAfterStart(60)
    expect(await redeem({ email: 'nobody@example.com', token: 'short' })).toMatchObject(invalidCode)
  })
})
