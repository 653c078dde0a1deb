import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import '../../test/support/cheap-hashes.ts'
import { openTestTable } from '../../test/support/table.ts'
import { sealer } from '../platform/secrets/seal.ts'
import { hashBackupCode } from './backup-codes.ts'
import { factorRepository } from './factor-repository.ts'
import { redeemBackupCode } from './redeem-backup-code.ts'
import { hashEmail, secretContext } from './enrolment.ts'
import { attemptsRepository } from './attempts-repository.ts'
import { generateCode, toTimeStep } from './totp.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
})
afterAll(() => table.close())

const [oldKey, newKey] = [
  'the sealing key of last year: 48 characters, or more',
  'the sealing key of this year: 48 characters, or more',
]
const withKeys = (...lines: string[]) => sealer({ read: () => Promise.resolve(lines.join('\n')) }, 'name')
const token = '7QK2M9XWTA'
const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

it('a backup code stays valid after the sealing key was replaced, until the old key is deleted', async () => {
  const factors = factorRepository(table)
  const attempts = attemptsRepository(table)
  const [sub, email] = [crypto.randomUUID(), 'ann@example.com']
  const oldSealer = withKeys(oldKey)
  const [mailName] = await hashEmail(oldSealer, email)
  await factors.activate(sub, {
    secret: await oldSealer.seal(secret, secretContext(sub)),
    salt: 'salt',
    codes: new Set([await hashBackupCode(token, 'salt')]),
    mailName,
    lastStep: 0,
  })
  const redeem = (...keys: string[]) =>
    redeemBackupCode({ factors, attempts, sealer: withKeys(...keys) }, { email, token })
  await expect(redeem(newKey)).rejects.toMatchObject({ code: 'invalid_code' })
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_010_000 })
  const codes = await redeem(newKey, oldKey)
  vi.useRealTimers()
  // of this half minute and the next one
  const step = toTimeStep(1_800_000_010_000)
  expect(codes).toEqual([generateCode(secret, step), generateCode(secret, step + 1)])
})
