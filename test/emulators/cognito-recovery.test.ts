import {
  ConfirmForgotPasswordCommand,
  ForgotPasswordCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { anEmail, startTestPool, type TestPool } from '../support/cognito-pool.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await startTestPool()
})
afterEach(() => vi.useRealTimers())
afterAll(() => pool.remove())

const requestReset = (Username: string) =>
  pool.client.send(new ForgotPasswordCommand({ ClientId: pool.clientId, Username }))
const reset = (Username: string, ConfirmationCode: string, Password = 'battery staple') =>
  pool.client.send(
    new ConfirmForgotPasswordCommand({ ClientId: pool.clientId, Username, ConfirmationCode, Password }),
  )
const differentCode = (code: string) => (code === '000000' ? '000001' : '000000')

it('accepts the mailed code once, with a valid password', async () => {
  const user = await pool.newUser()
  expect((await requestReset(user.email)).CodeDeliveryDetails?.Destination).toBe('a***@e***')
  expect(pool.mailsTo(user.email)[0]?.text).toMatch(/^Your password reset code is \d{6}$/)
  const code = pool.codeTo(user.email)
  await expect(reset(user.email, differentCode(code))).rejects.toMatchObject({
    name: 'CodeMismatchException',
  })
  for (const refused of ['12345', 'Dragon'])
    await expect(reset(user.email, code, refused)).rejects.toMatchObject({ name: 'InvalidPasswordException' })
  await reset(user.email, code)
  await pool.signIn({ ...user, password: 'battery staple' })
  await expect(pool.signIn(user)).rejects.toThrow('Incorrect')
  await expect(reset(user.email, code)).rejects.toMatchObject({ name: 'CodeMismatchException' })
})

it('refuses the code after one hour', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T08:00:00Z') })
  const user = await pool.newUser()
  await requestReset(user.email)
  vi.setSystemTime(new Date('2026-11-20T09:00:00Z'))
  await expect(reset(user.email, pool.codeTo(user.email))).rejects.toMatchObject({
    name: 'ExpiredCodeException',
  })
})

it('AUTH-21 gives the same response for an unknown, an unconfirmed and a confirmed account', async () => {
  const [unknown, unconfirmed, confirmed] = [
    anEmail(),
    (await pool.signUp()).email,
    (await pool.newUser()).email,
  ]
  const responses = []
  for (const email of [unknown, unconfirmed, confirmed]) {
    const { CodeDeliveryDetails } = await requestReset(email)
    const refusal: unknown = await reset(email, differentCode(pool.codeTo(email))).catch(
      (error: unknown) => error,
    )
    responses.push({ CodeDeliveryDetails, name: refusal instanceof Error && refusal.name })
  }
  expect(responses[0]).toMatchObject({ name: 'CodeMismatchException' })
  expect(responses[1]).toEqual(responses[0])
  expect(responses[2]).toEqual(responses[0])
  const textsTo = (email: string) => pool.mailsTo(email).map(({ text }) => text.replace(/\d{6}/, '…'))
  expect(textsTo(unknown)).toEqual([])
  expect(textsTo(unconfirmed)).toEqual(['Your confirmation code is …'])
})

it('says that no reset was requested, and allows 10 attempts an hour', async () => {
  const { email } = await pool.newUser()
  for (let tried = 0; tried < 10; tried++)
    await expect(reset(email, '123456')).rejects.toMatchObject({ name: 'ExpiredCodeException' })
  await expect(reset(email, '123456')).rejects.toMatchObject({ name: 'LimitExceededException' })
})
