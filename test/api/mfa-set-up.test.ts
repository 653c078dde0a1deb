import { describe, expect, it } from 'vitest'
import { signOlderToken } from '../support/forged-tokens.ts'
import { demoStack } from '../support/shared-stack.ts'
import { openStackTable } from '../support/stack-table.ts'
import type { StackUser } from '../support/stack-user.ts'
import {
  appCode,
  enrol,
  passwordStep,
  redeem,
  secretIn,
  switchOffAtCognito,
  wrongAppCode,
} from '../support/two-factor.ts'

const stack = await demoStack()

const refusal = (status: number, code: string) => ({ status, body: { success: false, code } })
const status = (user: StackUser) => user.call('mfa.status')

/** The routes, called with a sign-in that is older than five minutes. */
async function withOldSignIn(user: StackUser) {
  const token = await signOlderToken(stack.dataDir, user.accessToken, 301)
  const headers = { authorization: `Bearer ${token}` }
  return {
    setup: (body: object) => user.send('mfa.setup', { body, headers }),
    verify: (body: object) => user.send('mfa.verify', { body, headers }),
  }
}

describe('set-up', () => {
  it('MFA-14 returns a secret and ten codes', { tags: 'long' }, async () => {
    const user = await stack.newUser()
    const { qrCodeUrl = '', backupCodes = [] } = await user.call('mfa.setup', {
      body: { action: 'generate' },
    })
    expect(qrCodeUrl).toMatch(/^otpauth:\/\/totp\/Juno:/)
    expect(decodeURIComponent(qrCodeUrl)).toContain(user.email)
    expect(secretIn(qrCodeUrl)).toMatch(/^[A-Z2-7]{32}$/)
    expect(new Set(backupCodes).size).toBe(10)
    for (const code of backupCodes) expect(code).toMatch(/^[0-9A-Z]{10}$/)
  })

  it('MFA-01 MFA-15 MFA-30 is off until the app’s first code is verified', async () => {
    const user = await stack.newUser()
    expect(await status(user)).toEqual({ enabled: false, federated: false, backupCodesLeft: 0 })
    const { qrCodeUrl = '', backupCodes = [] } = await user.call('mfa.setup', {
      body: { action: 'generate' },
    })
    expect(await status(user)).toMatchObject({ enabled: false, backupCodesLeft: 0 })
    expect((await passwordStep(stack, user)).challenge).toBeUndefined()
    expect(
      await redeem(stack, { email: user.email, token: backupCodes[0], isBackupCode: true }),
    ).toMatchObject(refusal(400, 'invalid_code'))

    await user.call('mfa.setup', { body: { action: 'verify', token: appCode(secretIn(qrCodeUrl)) } })
    expect(await status(user)).toEqual({ enabled: true, federated: false, backupCodesLeft: 10 })
    expect((await passwordStep(stack, user)).challenge).toBe('SOFTWARE_TOKEN_MFA')
  })

  it('MFA-02 DEC-021 no token is issued before the code: the codes of this and the next window sign in once each', async () => {
    const user = await stack.newUser()
    const { secret, code } = await enrol(user)
    const step = await passwordStep(stack, user)
    expect(step.tokens).toBeUndefined()
    await expect(step.respond(wrongAppCode(secret))).rejects.toMatchObject({ name: 'CodeMismatchException' })
    await expect(step.respond(code(0))).rejects.toMatchObject({ name: 'ExpiredCodeException' })
    expect(await step.respond(code(1))).not.toBe('')
  })

  it(
    'MFA-05 MFA-06 DEC-021 Cognito decides whether it is on: a row alone is no factor, and a missing row is no error',
    { tags: 'long' },
    async () => {
      const [plain, enrolled] = [await stack.newUser(), await stack.newUser()]
      expect(await status(plain)).toEqual({ enabled: false, federated: false, backupCodesLeft: 0 })
      const { secret } = await enrol(enrolled)
      const table = await openStackTable(stack)
      const rows = await table.readRows(enrolled.sub)
      expect(rows.filter(({ SK }) => SK === 'MFA')).toHaveLength(1)
      await table.put(plain.sub, 'MFA', rows.find(({ SK }) => SK === 'MFA') ?? {})
      table.close()
      expect(await status(plain)).toEqual({ enabled: false, federated: false, backupCodesLeft: 0 })
      expect((await passwordStep(stack, plain)).challenge).toBeUndefined()
      expect(await status(enrolled)).toMatchObject({ enabled: true })
      await switchOffAtCognito(stack, enrolled)
      expect(await status(enrolled)).toEqual({ enabled: false, federated: false, backupCodesLeft: 0 })
      // and it can be set up again
      const again = await enrol(enrolled)
      expect(again.secret).not.toBe(secret)
      expect(await status(enrolled)).toMatchObject({ enabled: true, backupCodesLeft: 10 })
    },
  )

  it.each([
    ['', 'code_missing', 'Please enter a verification code.'],
    ['abcdef', 'invalid_code', 'Invalid verification code. Please try again.'],
    ['12345', 'invalid_code', 'Invalid verification code. Please try again.'],
    ['1234567', 'invalid_code', 'Invalid verification code. Please try again.'],
  ])(
    'MFA-09 MFA-17 MFA-37 refuses the code %j with an explanation',
    { tags: 'long' },
    async (token, code, error) => {
      const user = await stack.newUser()
      await user.call('mfa.setup', { body: { action: 'generate' } })
      expect(await user.send('mfa.setup', { body: { action: 'verify', token } })).toMatchObject({
        status: 400,
        body: { success: false, code, error },
      })
      expect(await status(user)).toMatchObject({ enabled: false })
    },
  )

  it('LIM-05 accepts a code with a space, and the code of the next step', { tags: 'long' }, async () => {
    const user = await stack.newUser()
    const { qrCodeUrl = '' } = await user.call('mfa.setup', { body: { action: 'generate' } })
    const code = appCode(secretIn(qrCodeUrl), 1)
    const token = `${code.slice(0, 3)} ${code.slice(3)}`
    await user.call('mfa.setup', { body: { action: 'verify', token } })
    expect(await status(user)).toMatchObject({ enabled: true })
  })

  it(
    'DEC-024 an abandoned set-up does not block another; only the newest secret can be verified',
    { tags: 'long' },
    async () => {
      const user = await stack.newUser()
      const first = await user.call('mfa.setup', { body: { action: 'generate' } })
      const second = await user.call('mfa.setup', { body: { action: 'generate' } })
      const verify = (qrCodeUrl = '') =>
        user.send('mfa.setup', { body: { action: 'verify', token: appCode(secretIn(qrCodeUrl)) } })
      expect(await verify(first.qrCodeUrl)).toMatchObject(refusal(400, 'invalid_code'))
      expect(await verify(second.qrCodeUrl)).toMatchObject({ status: 200 })
    },
  )

  it('DEC-024 is refused while it is on, and keeps the factor', { tags: 'long' }, async () => {
    const user = await stack.newUser()
    const { code } = await enrol(user)
    expect(await user.send('mfa.setup', { body: { action: 'generate' } })).toMatchObject(
      refusal(409, 'two_factor_already_on'),
    )
    expect(await (await passwordStep(stack, user)).respond(code(1))).not.toBe('')
  })

  it('verifying without a set-up is refused with the advice to start one', { tags: 'long' }, async () => {
    const user = await stack.newUser()
    expect(await user.send('mfa.setup', { body: { action: 'verify', token: '123456' } })).toMatchObject(
      refusal(409, 'enrolment_missing'),
    )
  })

  it(
    'INFRA-14 DATA-06 the stored data is sealed or hashed: neither secret nor codes nor address can be read',
    { tags: 'long' },
    async () => {
      const user = await stack.newUser()
      const { secret, backupCodes } = await enrol(user)
      const table = await openStackTable(stack)
      const rows = await table.readRows(user.sub)
      table.close()
      const storedText = JSON.stringify(rows, (_, value: unknown) =>
        value instanceof Set ? [...value] : value,
      )
      expect(rows.map(({ SK }) => SK)).toContain('MFA')
      for (const plain of [secret, user.email, ...backupCodes]) expect(storedText).not.toContain(plain)
    },
  )
})

describe('changes that weaken the factor', () => {
  it('MFA-16 MFA-31 a fresh sign-in may disable it, a repeat does no harm, and the backup codes stop working', async () => {
    const user = await stack.newUser()
    const { backupCodes } = await enrol(user)
    await user.call('mfa.setup', { body: { action: 'disable' } })
    await user.call('mfa.setup', { body: { action: 'disable' } })
    expect(await status(user)).toEqual({ enabled: false, federated: false, backupCodesLeft: 0 })
    expect((await passwordStep(stack, user)).challenge).toBeUndefined()
    expect(
      await redeem(stack, { email: user.email, token: backupCodes[0], isBackupCode: true }),
    ).toMatchObject(refusal(400, 'invalid_code'))
    await enrol(user)
    expect(await status(user)).toMatchObject({ enabled: true, backupCodesLeft: 10 })
  })

  it.each(['disable', 'regenerate'])('DEC-024 an old sign-in may %s only with a code', async (action) => {
    const user = await stack.newUser()
    const { secret, backupCodes, code } = await enrol(user)
    const { setup } = await withOldSignIn(user)
    expect(await setup({ action })).toMatchObject(refusal(403, 'proof_required'))
    expect(await setup({ action, token: wrongAppCode(secret) })).toMatchObject(refusal(400, 'invalid_code'))
    // the set-up used up its own code
    expect(await setup({ action, token: code(0) })).toMatchObject(refusal(400, 'invalid_code'))
    expect(await setup({ action, token: backupCodes[9], isBackupCode: false })).toMatchObject(
      refusal(400, 'invalid_code'),
    )
    expect(await status(user)).toMatchObject({ enabled: true, backupCodesLeft: 10 })
    expect(await setup({ action, token: code(1) })).toMatchObject({ status: 200 })
  })

  it('DEC-024 a backup code also counts as proof, and is used up', { tags: 'long' }, async () => {
    const user = await stack.newUser()
    const { backupCodes } = await enrol(user)
    const { setup } = await withOldSignIn(user)
    const body = { action: 'regenerate', token: backupCodes[0]?.toLowerCase(), isBackupCode: true }
    const reply = await setup(body)
    expect(reply).toMatchObject({ status: 200 })
    expect((reply.body as { backupCodes: string[] }).backupCodes).toHaveLength(10)
    expect(await setup(body)).toMatchObject(refusal(400, 'invalid_code'))
    expect(
      await redeem(stack, { email: user.email, token: backupCodes[1], isBackupCode: true }),
    ).toMatchObject(refusal(400, 'invalid_code'))
  })

  it('a wrong code is refused even with a fresh sign-in', { tags: 'long' }, async () => {
    const user = await stack.newUser()
    const { secret } = await enrol(user)
    const body = { action: 'disable', token: wrongAppCode(secret) }
    expect(await user.send('mfa.setup', { body })).toMatchObject(refusal(400, 'invalid_code'))
    expect(await status(user)).toMatchObject({ enabled: true })
  })

  it(
    'MFA-12 DEC-020 a verified code counts for five minutes, on that sign-in only',
    { tags: 'long' },
    async () => {
      const user = await stack.newUser()
      const { secret, code } = await enrol(user)
      const oldSignIn = await withOldSignIn(user)
      expect(await oldSignIn.verify({ token: '', isBackupCode: false })).toMatchObject(
        refusal(400, 'code_missing'),
      )
      expect(await oldSignIn.verify({ token: wrongAppCode(secret), isBackupCode: false })).toMatchObject(
        refusal(400, 'invalid_code'),
      )
      const token = code(1)
      expect(await oldSignIn.verify({ token, isBackupCode: false })).toMatchObject({
        status: 200,
        body: { success: true },
      })
      expect(await oldSignIn.verify({ token, isBackupCode: false })).toMatchObject(
        refusal(400, 'invalid_code'),
      )
      const olderToken = await signOlderToken(stack.dataDir, user.accessToken, 900)
      expect(
        await user.send('mfa.setup', {
          body: { action: 'disable' },
          headers: { authorization: `Bearer ${olderToken}` },
        }),
      ).toMatchObject(refusal(403, 'proof_required'))
      expect(await oldSignIn.setup({ action: 'disable' })).toMatchObject({ status: 200 })
    },
  )

  it('wrong codes lock the account: the eleventh attempt is refused although it is right', async () => {
    const user = await stack.newUser()
    const { secret, code } = await enrol(user)
    const { setup } = await withOldSignIn(user)
    const wrongCode = wrongAppCode(secret)
    for (let tries = 0; tries < 10; tries += 1)
      expect(await setup({ action: 'disable', token: wrongCode })).toMatchObject(refusal(400, 'invalid_code'))
    const response = await setup({ action: 'disable', token: code(1) })
    expect(response).toMatchObject(refusal(429, 'two_factor_locked'))
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(840)
    expect(await status(user)).toMatchObject({ enabled: true })
    // signing in happens at Cognito and still works
    expect(await (await passwordStep(stack, user)).respond(code(1))).not.toBe('')
  })
})

describe('MFA-18 callers', () => {
  it('without a token or with an invalid one are asked to sign in', async () => {
    const anonymous = await redeem(stack, { token: '123456', isBackupCode: false })
    expect(anonymous).toMatchObject(refusal(401, 'not_signed_in'))
    const user = await stack.newUser()
    const headers = { authorization: 'Bearer garbage' }
    const body = { token: '123456', isBackupCode: false }
    expect(await user.send('mfa.verify', { body, headers })).toMatchObject(refusal(401, 'invalid_token'))
  })

  it.each([
    [{ action: 'enable' }],
    [{ action: 'verify', token: 123456 }],
    [{ action: 'generate', sub: 'someone' }],
    [{}],
  ])('a request that no page sends is refused: %j', { tags: 'long' }, async (body) => {
    const user = await stack.newUser()
    expect(await user.send('mfa.setup', { body })).toMatchObject(refusal(400, 'bad_request'))
  })
})
