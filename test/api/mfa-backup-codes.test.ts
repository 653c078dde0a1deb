/** @module-tag long */
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { describe, expect, it } from 'vitest'
import { startStack } from '../support/local-stack.ts'
import { demoStack } from '../support/shared-stack.ts'
import { openStackTable } from '../support/stack-table.ts'
import { enrol, passwordStep, redeem } from '../support/two-factor.ts'

const stack = await demoStack()

const invalidCode = {
  status: 400,
  body: {
    success: false,
    code: 'invalid_code',
    error: 'Invalid verification code. Please try again.',
    requestId: expect.any(String) as string,
  },
}
const lockedOut = { status: 429, body: { success: false, code: 'two_factor_locked' } }

async function newEnrolledUser() {
  const user = await stack.newUser()
  const { backupCodes, code } = await enrol(user)
  const [first = '', ...others] = backupCodes
  return {
    user,
    code,
    first,
    others,
    use: (token: string, more: object = {}) =>
      redeem(stack, { email: user.email, token, isBackupCode: true, ...more }),
  }
}

describe('a backup code', () => {
  it('MFA-13 MFA-27 DEC-020 returns the current and the next code, which sign the user in, and is then used up', async () => {
    const { user, code, first, use } = await newEnrolledUser()
    const reply = await use(first)
    expect(reply.status).toBe(200)
    const { codes } = reply.body as { codes: [string, string] }
    expect(reply.body).toEqual({ success: true, codes })
    const steps = [0, 1, 2].map(code)
    expect([steps.slice(0, 2), steps.slice(1)]).toContainEqual(codes)
    // the set-up used up the code of its own step, like a sign-in just before
    const step = await passwordStep(stack, user)
    await expect(step.respond(code(0))).rejects.toMatchObject({ name: 'ExpiredCodeException' })
    expect(await step.respond(codes[1])).not.toBe('')

    expect(await use(first)).toMatchObject(invalidCode)
    expect(await user.call('mfa.status')).toMatchObject({ backupCodesLeft: 9 })
  })

  it('MFA-11 accepts lower case, spaces and misread letters, and other spellings of the address', async () => {
    const { user, first } = await newEnrolledUser()
    const token = ` ${first.slice(0, 5).toLowerCase()}-${first.slice(5)}`
      .replaceAll('0', 'o')
      .replaceAll('1', 'l')
    const email = ` ${user.email.toUpperCase()} `
    expect(await redeem(stack, { email, token, isBackupCode: true })).toMatchObject({ status: 200 })
  })

  it('MFA-27 fifty parallel requests: exactly one succeeds', async () => {
    const { first, use, user } = await newEnrolledUser()
    const replies = await Promise.all(Array.from({ length: 50 }, () => use(first)))
    const count = (status: number) => replies.filter((reply) => reply.status === status).length
    expect(count(200)).toBe(1)
    expect(count(200) + count(400) + count(429)).toBe(50)
    expect(await user.call('mfa.status')).toMatchObject({ backupCodesLeft: 9 })
  })

  it('MFA-27 repeating the same attempt gets the same response, another attempt does not', async () => {
    const { first, use, code } = await newEnrolledUser()
    const attemptId = crypto.randomUUID()
    const responses = await Promise.all([use(first, { attemptId }), use(first, { attemptId })])
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    for (const { body } of responses) {
      const steps = [0, 1, 2].map(code)
      expect([steps.slice(0, 2), steps.slice(1)]).toContainEqual(body['codes'])
    }
    expect(await use(first, { attemptId: crypto.randomUUID() })).toMatchObject(invalidCode)
    expect(await use('0000000000', { attemptId })).toMatchObject(invalidCode)
  })

  it('a repeat after three minutes is refused', async () => {
    const { first, use, user } = await newEnrolledUser()
    const attemptId = crypto.randomUUID()
    expect(await use(first, { attemptId })).toMatchObject({ status: 200 })
    const table = await openStackTable(stack)
    await table.endAttempt(user.sub)
    table.close()
    expect(await use(first, { attemptId })).toMatchObject(invalidCode)
  })

  it('all ten can be used, one after the other', async () => {
    const { first, others, use, user } = await newEnrolledUser()
    for (const code of [first, ...others]) expect(await use(code)).toMatchObject({ status: 200 })
    expect(await user.call('mfa.status')).toMatchObject({ enabled: true, backupCodesLeft: 0 })
    expect(await use(first)).toMatchObject(invalidCode)
  })
})

describe('strangers', () => {
  it('DEC-028 get the same response for an unknown address, for one without two-factor and for a wrong code', async () => {
    const { use } = await newEnrolledUser()
    const userWithoutFactor = await stack.newUser()
    const ask = (email: string) => redeem(stack, { email, token: '0000000000', isBackupCode: true })
    const replies = [
      await use('0000000000'),
      await ask(userWithoutFactor.email),
      await ask(`${crypto.randomUUID()}@example.com`),
      await ask('no address at all'),
    ]
    for (const reply of replies) expect(reply).toMatchObject(invalidCode)
    const shapes = replies.map(({ headers }) => [...headers.keys()].toSorted().join())
    expect(new Set(shapes).size).toBe(1)
  })

  it.each(['', '123', 'ABCDEFGHJKM', '<script>alert(1)</script>', '??????????'])(
    'MFA-07 LIM-05 get the same error for the malformed code %j, at known and unknown addresses',
    async (token) => {
      const { use } = await newEnrolledUser()
      const [known, unknown] = [
        await use(token),
        await redeem(stack, { email: 'x@y.zz', token, isBackupCode: true }),
      ]
      expect(known.status).toBe(400)
      expect({ ...known.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' })
    },
  )

  it('cannot use another account’s code', async () => {
    const [one, other] = [await newEnrolledUser(), await newEnrolledUser()]
    expect(await other.use(one.first)).toMatchObject(invalidCode)
    expect(await one.use(one.first)).toMatchObject({ status: 200 })
  })

  it.each(['a known', 'an unknown'])(
    'are locked out after ten attempts at %s address, even with the right code',
    async (which) => {
      const { first, user } = await newEnrolledUser()
      const email = which === 'a known' ? user.email : `${crypto.randomUUID()}@example.com`
      const ask = (token: string) => redeem(stack, { email, token, isBackupCode: true })
      for (let tries = 0; tries < 10; tries += 1) expect(await ask('0000000000')).toMatchObject(invalidCode)
      const reply = await ask(first)
      expect(reply).toMatchObject(lockedOut)
      expect(reply.body['error']).toBe('Too many attempts. Please wait 15 minutes and try again.')
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(840)
    },
  )

  it('a hundred parallel wrong codes count as ten attempts', { tags: 'trial' }, async () => {
    const { use } = await newEnrolledUser()
    const replies = await Promise.all(Array.from({ length: 100 }, () => use('0000000000')))
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(10)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(90)
  })

  it('a right code resets the count of wrong ones', async () => {
    const { first, others, use } = await newEnrolledUser()
    for (let tries = 0; tries < 9; tries += 1) await use('0000000000')
    expect(await use(first)).toMatchObject({ status: 200 })
    for (let tries = 0; tries < 9; tries += 1) await use('0000000000')
    expect(await use(others[0] ?? '')).toMatchObject({ status: 200 })
  })
})

it(
  'factors and their key survive a restart; without the key no code works, and the response says so',
  { tags: 'trial' },
  async () => {
    const ownStack = await startStack()
    try {
      const user = await ownStack.newUser()
      const { backupCodes } = await enrol(user)
      await ownStack.restart()
      const ask = (token = '') => redeem(ownStack, { email: user.email, token, isBackupCode: true })
      expect(await ask(backupCodes[0])).toMatchObject({ status: 200 })

      const endpoints = await ownStack.endpoints()
      const secrets = new SecretsManagerClient({
        endpoint: endpoints.secrets,
        region: 'us-east-1',
        credentials: endpoints.credentials,
      })
      await secrets.send(new PutSecretValueCommand({ SecretId: 'juno/local/sealing-key', SecretString: ' ' }))
      secrets.destroy()
      await ownStack.restart()
      const secretsUnavailable = { status: 503, body: { success: false, code: 'secrets_unavailable' } }
      expect(await ask(backupCodes[1])).toMatchObject(secretsUnavailable)
      expect(
        await redeem(ownStack, { email: 'x@y.zz', token: backupCodes[1], isBackupCode: true }),
      ).toMatchObject(secretsUnavailable)
    } finally {
      await ownStack.stop()
    }
  },
)
