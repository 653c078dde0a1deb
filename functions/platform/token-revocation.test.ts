import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestTable } from '../../test/support/table.ts'
import { tokenRevocation } from './token-revocation.ts'
import { tokenRevoker } from './token-revoker.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
})
afterAll(() => table.close())

const at = (seconds: number) => seconds * 1000
const now = Math.floor(Date.now() / 1000)

it('refuses tokens made before, lets those made after pass, and others', async () => {
  const revocation = { ...tokenRevoker(table), ...tokenRevocation(table) }
  await revocation.revoke('ann', 'signed-out', at(now))
  const check = (sub: string, issuedAt: number) => revocation.check({ sub, issuedAt }, true, at(now))
  await expect(check('ann', now - 60)).rejects.toMatchObject({ code: 'invalid_token', status: 401 })
  await expect(check('ann', now)).rejects.toMatchObject({ code: 'invalid_token' })
  await expect(check('ann', now + 1)).resolves.toBeUndefined()
  await expect(check('bob', now - 60)).resolves.toBeUndefined()
})

it('lets the token of an account that is being erased finish the erasure, and nothing else', async () => {
  const revocation = { ...tokenRevoker(table), ...tokenRevocation(table) }
  await revocation.revoke('cid', 'erased', at(now))
  const token = { sub: 'cid', issuedAt: now - 1 }
  await expect(revocation.check(token, true, at(now))).resolves.toBeUndefined()
  await expect(revocation.check(token, false, at(now))).rejects.toMatchObject({ code: 'invalid_token' })
})

it('says nothing any more after the longest life of a token, also while the row is still there', async () => {
  const revocation = { ...tokenRevoker(table), ...tokenRevocation(table) }
  await revocation.revoke('dan', 'signed-out', at(now - 1_801))
  await expect(
    revocation.check({ sub: 'dan', issuedAt: now - 5_000 }, false, at(now)),
  ).resolves.toBeUndefined()
})
