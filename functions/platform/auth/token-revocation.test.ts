import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestTable } from '../../../test/support/table.ts'
import {
  hasSignedOutSince,
  loadMark,
  tokenRevocation,
  tokenRevoker,
  wasDisabled,
} from './token-revocation.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
})
afterAll(() => table.close())

const toMs = (seconds: number) => seconds * 1000
const now = Math.floor(Date.now() / 1000)
const day = 86_400

const buildToken = (
  sub: string,
  times: { issuedAt?: number; signedInAt?: number; signInId?: string } = {},
) => ({
  sub,
  issuedAt: now,
  signedInAt: now,
  signInId: 'another',
  ...times,
})

it('refuses earlier tokens of the user, and accepts later ones and those of others', async () => {
  const revocation = { ...tokenRevoker(table), ...tokenRevocation(table) }
  await revocation.revoke('ann', 'signed-out', toMs(now))
  const check = (sub: string, issuedAt: number) =>
    revocation.check(buildToken(sub, { issuedAt }), true, toMs(now))
  await expect(check('ann', now - 60)).rejects.toMatchObject({ code: 'invalid_token', status: 401 })
  await expect(check('ann', now)).rejects.toMatchObject({ code: 'invalid_token' })
  await expect(check('ann', now + 1)).resolves.toBeUndefined()
  await expect(check('bob', now - 60)).resolves.toBeUndefined()
})

it.each([
  ['signed-out', true],
  ['disabled', true],
  ['groups-changed', false],
] as const)(
  'remembers for 400 days that somebody signed out, and nothing else: %s',
  async (reason, isRemembered) => {
    const revoker = tokenRevoker(table)
    const sub = crypto.randomUUID()
    await revoker.revoke(sub, reason, toMs(now - 3_600))
    const mark = await loadMark(table, sub)
    expect(hasSignedOutSince(mark, toMs(now - 3_601))).toBe(isRemembered)
    expect(hasSignedOutSince(mark, toMs(now - 3_599))).toBe(false)
    expect((mark?.ttl ?? 0) > now + 390 * day).toBe(isRemembered)
    // an erasure leaves nothing for longer than a token lives
    await revoker.revoke(sub, 'erased', toMs(now))
    expect((await loadMark(table, sub))?.ttl).toBe(now + 1_800)
  },
)

it('lets an account that is being erased finish the erasure, and nothing else', async () => {
  const revocation = { ...tokenRevoker(table), ...tokenRevocation(table) }
  await revocation.revoke('cid', 'erased', toMs(now))
  const before = buildToken('cid', { issuedAt: now - 1 })
  await expect(revocation.check(before, true, toMs(now))).resolves.toBeUndefined()
  await expect(revocation.check(before, false, toMs(now))).rejects.toMatchObject({ code: 'invalid_token' })
})

it('a mark expires after the longest lifetime of a token, even while the row still exists', async () => {
  const revocation = { ...tokenRevoker(table), ...tokenRevocation(table) }
  await revocation.revoke('dan', 'signed-out', toMs(now - 1_801))
  await expect(
    revocation.check(buildToken('dan', { issuedAt: now - 5_000 }), false, toMs(now)),
  ).resolves.toBeUndefined()
})

it('ends every sign-in but one for the lifetime of their refresh tokens, whatever tokens they issue (M1)', async () => {
  const revocation = { ...tokenRevoker(table), ...tokenRevocation(table) }
  await revocation.endOtherSignIns('eve', 'mine', toMs(now))
  const check = (signInId: string, signedInAt: number, later = 0) =>
    revocation.check(
      buildToken('eve', { signInId, signedInAt, issuedAt: now + later }),
      false,
      toMs(now + later),
    )
  await expect(check('mine', now - 60)).resolves.toBeUndefined()
  await expect(check('theirs', now - 60)).rejects.toMatchObject({ code: 'session_ended' })
  await expect(check('theirs', now)).rejects.toMatchObject({ code: 'session_ended' })
  await expect(check('', now)).rejects.toMatchObject({ code: 'session_ended' })
  await expect(check('theirs', now + 1)).resolves.toBeUndefined()
  await expect(check('theirs', now - 60, 29 * day)).rejects.toMatchObject({ code: 'session_ended' })
  await expect(check('mine', now - 60, 29 * day)).resolves.toBeUndefined()
  await expect(check('theirs', now - 60, 30 * day + 1)).resolves.toBeUndefined()
})

it.each([
  ['an erasure, then a sign-out', ['erased', 'signed-out']],
  ['a sign-out, then an erasure', ['signed-out', 'erased']],
] as const)('two marks do not weaken each other: %s', async (name, [first, second]) => {
  const revocation = { ...tokenRevoker(table), ...tokenRevocation(table) }
  await revocation.endOtherSignIns(name, 'mine', toMs(now))
  await revocation.revoke(name, first, toMs(now))
  await revocation.revoke(name, second, toMs(now - 30))
  expect(await revocation.isErasing(name, toMs(now))).toBe(true)
  const mine = buildToken(name, { signInId: 'mine', issuedAt: now })
  await expect(revocation.check(mine, false, toMs(now))).rejects.toMatchObject({ code: 'invalid_token' })
  await expect(revocation.check(mine, true, toMs(now))).resolves.toBeUndefined()
  // half an hour later the earlier tokens have expired, but the other sign-ins have not
  const later = now + 1_801
  await expect(revocation.isErasing(name, toMs(later))).resolves.toBe(false)
  await expect(revocation.check(mine, false, toMs(later))).resolves.toBeUndefined()
  await expect(revocation.check(buildToken(name), false, toMs(later))).rejects.toMatchObject({
    code: 'session_ended',
  })
})

it('an older call that arrives late does not restore ended sign-ins', async () => {
  const revocation = { ...tokenRevoker(table), ...tokenRevocation(table) }
  await revocation.endOtherSignIns('fay', 'mine', toMs(now))
  await revocation.endOtherSignIns('fay', 'theirs', toMs(now - 5))
  const theirs = buildToken('fay', { signInId: 'theirs', signedInAt: now - 60 })
  await expect(revocation.check(theirs, false, toMs(now))).rejects.toMatchObject({ code: 'session_ended' })
  await expect(revocation.check({ ...theirs, signInId: 'mine' }, false, toMs(now))).resolves.toBeUndefined()
})

it('stores all marks that are written concurrently', async () => {
  const revocation = { ...tokenRevoker(table), ...tokenRevocation(table) }
  await Promise.all([
    revocation.revoke('gil', 'signed-out', toMs(now)),
    revocation.endOtherSignIns('gil', 'mine', toMs(now)),
    revocation.revoke('gil', 'erased', toMs(now)),
  ])
  expect(await revocation.isErasing('gil', toMs(now))).toBe(true)
  const later = toMs(now + 1_801)
  await expect(revocation.check(buildToken('gil'), false, later)).rejects.toMatchObject({
    code: 'session_ended',
  })
})

it('knows whether an account was disabled after a token was issued, even when it signs out later or is erased', async () => {
  const revoke = (...input: Parameters<ReturnType<typeof tokenRevoker>['revoke']>) =>
    tokenRevoker(table).revoke(...input)
  const isDisabled = (issuedAt: number) => wasDisabled(table, { sub: 'hal', issuedAt })
  await revoke('hal', 'signed-out', toMs(now - 60))
  expect(await isDisabled(now - 120)).toBe(false)
  await revoke('hal', 'disabled', toMs(now))
  await revoke('hal', 'signed-out', toMs(now + 60))
  expect(await isDisabled(now)).toBe(true)
  // enabled again, and signed in
  expect(await isDisabled(now + 1)).toBe(false)
  await revoke('hal', 'erased', toMs(now + 60))
  await revoke('hal', 'disabled', toMs(now + 61))
  expect(await tokenRevoker(table).isErasing('hal', toMs(now + 61))).toBe(true)
})

it('DEC-192 an erased account counts as disabled, so that its replies end', async () => {
  await tokenRevoker(table).revoke('guy', 'erased', toMs(now))
  expect(await wasDisabled(table, { sub: 'guy', issuedAt: now })).toBe(true)
})
