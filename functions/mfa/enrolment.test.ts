import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import '../../test/support/cheap-hashes.ts'
import { openTestTable } from '../../test/support/table.ts'
import { InvalidCode } from './errors.ts'
import { sealer } from '../platform/secrets/seal.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { hashBackupCode } from './backup-codes.ts'
import { disableFactor, regenerateCodes } from './change-factor.ts'
import type { Account } from './cognito-account.ts'
import type { CognitoFactor } from './cognito-factor.ts'
import { factorRepository } from './factor-repository.ts'
import { completeStepUp, isRecentlyVerified } from './step-up.ts'
import { redeemBackupCode } from './redeem-backup-code.ts'
import { startEnrolment, finishEnrolment, hashEmail, secretContext } from './enrolment.ts'
import { generateCode, toTimeStep } from './totp.ts'
import { tokenRevocation, tokenRevoker } from '../platform/auth/token-revocation.ts'
import { attemptsRepository } from './attempts-repository.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
})
afterAll(() => table.close())

/** A user pool with one account. */
function createPool(account: Partial<Account> = {}) {
  const state = {
    email: `${crypto.randomUUID()}@x.example`,
    hasFactor: false,
    isFederated: false,
    ...account,
  }
  const deletedSubs = new Set<string>()
  const usedCodes = new Set<string>()
  const cognito: CognitoFactor = {
    findAccount: async () => state,
    createSecret: async () => 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    verifySecret: async (_, code) => {
      if (usedCodes.has(code)) throw new InvalidCode('used')
      usedCodes.add(code)
    },
    hasEmail: async (sub, email) => !deletedSubs.has(sub) && email === state.email,
    enable: async () => void (state.hasFactor = true),
    disable: async () => void (state.hasFactor = false),
  }
  return { state, cognito, deletedSubs }
}

function buildDeps(cognito: CognitoFactor, depsTable: Table = table) {
  return {
    cognito,
    factors: factorRepository(depsTable),
    attempts: attemptsRepository(depsTable),
    sealer: sealer({ read: async () => 'key' }, 'name'),
    issuer: 'Juno',
    sessions: tokenRevoker(depsTable),
    sleep: async () => undefined,
  }
}

function createCaller() {
  const sub = crypto.randomUUID()
  const signedInAt = Math.floor(Date.now() / 1000)
  return { sub, username: sub, accessToken: 'token', signedInAt, signInId: 'mine', hasSelfServiceScope: true }
}
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const generateAppCode = (steps: number) => generateCode(secret, toTimeStep(Date.now()) + steps)

/** Starts an enrolment with one backup code: ten would take the loops below ten times as long. */
async function startSetUp({ factors, sealer }: ReturnType<typeof buildDeps>, { sub }: { sub: string }) {
  const backup = '7QK2M9XWTA'
  const hash = await hashBackupCode(backup, 'salt')
  const sealedSecret = await sealer.seal(secret, secretContext(sub))
  await factors.savePending(sub, { secret: sealedSecret, salt: 'salt', codes: new Set([hash]) }, Date.now())
  return backup
}

/** Deps that fail after so many calls of the table and the pool together. */
function buildFailingDeps(calls: number, cognito: CognitoFactor) {
  let remainingCalls = calls
  const orFail = <T>(work: () => Promise<T>): Promise<T> => {
    remainingCalls -= 1
    return remainingCalls < 0 ? Promise.reject(new Error('cut')) : work()
  }
  const failingTable: Table = {
    name: table.name,
    client: {
      send: ((command: never) => orFail(() => table.client.send(command))) as Table['client']['send'],
    },
  }
  const pool: CognitoFactor = {
    findAccount: (token) => orFail(() => cognito.findAccount(token)),
    createSecret: (token) => orFail(() => cognito.createSecret(token)),
    verifySecret: (token, code) => orFail(() => cognito.verifySecret(token, code)),
    hasEmail: (sub, email) => orFail(() => cognito.hasEmail(sub, email)),
    enable: (token) => orFail(() => cognito.enable(token)),
    disable: (username) => orFail(() => cognito.disable(username)),
  }
  return buildDeps(pool, failingTable)
}

it('MFA-01 an interrupted enrolment is finished by the next code, and never on without backup codes', async () => {
  for (let calls = 0; ; calls += 1) {
    const caller = createCaller()
    const { state, cognito } = createPool()
    const workingDeps = buildDeps(cognito)
    const token = await startSetUp(workingDeps, caller)
    const outcome = await finishEnrolment(buildFailingDeps(calls, cognito), caller, generateAppCode(0)).catch(
      (error: Error) => error,
    )
    // a user who is asked for a code can use a backup code
    if (state.hasFactor) await redeemBackupCode(workingDeps, { email: state.email, token })
    if (!(outcome instanceof Error)) break
    await finishEnrolment(workingDeps, caller, generateAppCode(1))
    expect({ calls, hasFactor: state.hasFactor }).toEqual({ calls, hasFactor: true })
    // the other sessions have ended, whichever attempt ended them
    const otherSignIn = { ...caller, signInId: 'another', issuedAt: caller.signedInAt }
    await expect(tokenRevocation(table).check(otherSignIn, false, Date.now())).rejects.toMatchObject({
      code: 'session_ended',
    })
  }
})

it('MFA-16 an interrupted switch-off is finished by the next call, and leaves nothing', async () => {
  for (let calls = 0; ; calls += 1) {
    const caller = createCaller()
    const { state, cognito } = createPool()
    const workingDeps = buildDeps(cognito)
    const token = await startSetUp(workingDeps, caller)
    await finishEnrolment(workingDeps, caller, generateAppCode(0))
    const outcome = await disableFactor(buildFailingDeps(calls, cognito), caller, {}).catch(
      (error: Error) => error,
    )
    await disableFactor(workingDeps, caller, {})
    expect(state.hasFactor).toBe(false)
    expect(await workingDeps.factors.find(caller.sub)).toBeUndefined()
    await expect(redeemBackupCode(workingDeps, { email: state.email, token })).rejects.toMatchObject({
      code: 'invalid_code',
    })
    if (!(outcome instanceof Error)) break
  }
})

it('DEC-022 an account of an identity provider is told where its second factor is', async () => {
  const { cognito } = createPool({ isFederated: true })
  const deps = buildDeps(cognito)
  const refusal = {
    code: 'federated_account',
    status: 403,
    userMessage: 'You sign in with an identity provider, so your second step is set in your account there.',
  }
  await expect(startEnrolment(deps, createCaller())).rejects.toMatchObject(refusal)
  await expect(finishEnrolment(deps, createCaller(), '123456')).rejects.toMatchObject(refusal)
  await expect(regenerateCodes(deps, createCaller(), {})).rejects.toMatchObject(refusal)
})

it('a factor that was not set up here has no backup codes to renew, and can be switched off', async () => {
  const { state, cognito } = createPool({ hasFactor: true })
  const deps = buildDeps(cognito)
  // also after an old sign-in: no code could prove anything
  for (const caller of [createCaller(), { ...createCaller(), signedInAt: 0 }])
    await expect(regenerateCodes(deps, caller, {})).rejects.toMatchObject({ code: 'not_set_up_here' })
  await disableFactor(deps, createCaller(), {})
  expect(state.hasFactor).toBe(false)
})

it('a factor that is off at Cognito gets no new backup codes', async () => {
  const caller = createCaller()
  const { state, cognito } = createPool()
  const deps = buildDeps(cognito)
  const token = await startSetUp(deps, caller)
  await finishEnrolment(deps, caller, generateAppCode(0))
  state.hasFactor = false
  await expect(regenerateCodes(deps, caller, {})).rejects.toMatchObject({ code: 'not_set_up_here' })
  expect(await redeemBackupCode(deps, { email: state.email, token })).toHaveLength(2)
})

it('the error says why a code was refused; the response does not', async () => {
  const deps = buildDeps(createPool().cognito)
  const caller = createCaller()
  await startSetUp(deps, caller)
  const refusals = await Promise.allSettled([
    finishEnrolment(deps, caller, '12'),
    finishEnrolment(deps, caller, generateAppCode(40)),
    completeStepUp(deps, caller, { token: '12' }),
    completeStepUp(deps, caller, { token: generateAppCode(0) }),
  ])
  const errors = refusals.map((refusal) => (refusal.status === 'rejected' ? refusal.reason : undefined))
  for (const error of errors) expect(error).toMatchObject({ code: 'invalid_code' })
  expect(errors.map(({ userMessage }) => userMessage)).toEqual(
    errors.map(() => new InvalidCode('').userMessage),
  )
  const reasons = errors.map(({ message }) => message)
  expect(reasons).not.toContain('')
  expect(new Set(reasons).size).toBe(reasons.length)
})

it('an enrolment stays open for an hour', async () => {
  const caller = createCaller()
  const { cognito } = createPool()
  const deps = buildDeps(cognito)
  await startEnrolment(deps, caller)
  const { factors } = deps
  expect(await factors.findPending(caller.sub, Date.now() + 3_500_000)).toBeDefined()
  expect(await factors.findPending(caller.sub, Date.now() + 3_601_000)).toBeUndefined()
})

it.each([
  [0, undefined, true],
  [300, undefined, true],
  [301, undefined, false],
  [301, { provenUntil: 1_001 }, true],
  [301, { provenUntil: 1_000 }, false],
  [301, { provenUntil: 1_001, provenSession: 1 }, false],
])('DEC-024 a sign-in %i s ago, with %j, is recent: %s', (secondsAgo, proof, isRecent) => {
  const signedInAt = 1_000 - secondsAgo
  const factor = proof && { provenSession: signedInAt, ...proof }
  expect(isRecentlyVerified({ signedInAt }, factor, 1_000_000)).toBe(isRecent)
})

it('removing a factor keeps the address of its new owner', async () => {
  const [one, two] = [createCaller(), createCaller()]
  const { state, cognito, deletedSubs } = createPool()
  const deps = buildDeps(cognito)
  deletedSubs.add(one.sub)
  for (const caller of [one, two]) {
    await startSetUp(deps, caller)
    await finishEnrolment(deps, caller, generateAppCode(caller === one ? 0 : 1))
    state.hasFactor = false
  }
  await deps.factors.remove(one.sub)
  const [name] = await deps.sealer.fingerprints('two-factor e-mail', state.email)
  expect(await deps.factors.findOwner(name)).toBe(two.sub)
})

it('an address that leads to the backup codes of another account is not taken over (M9)', async () => {
  const [owner, other] = [createCaller(), createCaller()]
  const { state, cognito } = createPool()
  const deps = buildDeps(cognito)
  await startSetUp(deps, owner)
  await finishEnrolment(deps, owner, generateAppCode(0))
  state.hasFactor = false
  await startSetUp(deps, other)
  await expect(finishEnrolment(deps, other, generateAppCode(1))).rejects.toMatchObject({
    code: 'email_not_confirmed',
  })
  const [name] = await deps.sealer.fingerprints('two-factor e-mail', state.email)
  expect(await deps.factors.findOwner(name)).toBe(owner.sub)
  expect(await deps.factors.find(other.sub)).toBeUndefined()
})

it('an account with an unverified address gets no factor (M9)', async () => {
  const { cognito } = createPool({ email: '' })
  const deps = buildDeps(cognito)
  const refusal = {
    code: 'email_not_confirmed',
    status: 409,
    userMessage:
      'Your e-mail address is not confirmed, so two-factor authentication cannot be set up. Please contact support.',
  }
  await expect(startEnrolment(deps, createCaller())).rejects.toMatchObject(refusal)
  await expect(finishEnrolment(deps, createCaller(), '123456')).rejects.toMatchObject(refusal)
})

it('letters that only look alike name another address (M9)', async () => {
  const { sealer } = buildDeps(createPool().cognito)
  const [plain] = await hashEmail(sealer, ' Kim@Example.com ')
  expect(await hashEmail(sealer, 'kim@example.com')).toContain(plain)
  expect(await hashEmail(sealer, '\u212Aim@example.com')).not.toContain(plain)
})

it('responds when the current second of the clock is over, so that later sign-ins differ from those that were ended', async () => {
  const waitsMs: number[] = []
  const deps = buildDeps(createPool().cognito)
  const caller = createCaller()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T08:00:00.300Z') })
  try {
    await startSetUp(deps, caller)
    const sleep = async (ms: number) => waitsMs.push(ms)
    await finishEnrolment({ ...deps, sleep }, caller, generateAppCode(0))
  } finally {
    vi.useRealTimers()
  }
  expect(waitsMs).toEqual([700])
})

it('a refreshed token cannot set up a factor (H5)', async () => {
  const deps = buildDeps(createPool().cognito)
  const caller = { ...createCaller(), hasSelfServiceScope: false }
  const refusal = { code: 'recent_sign_in_required', status: 403 }
  await expect(startEnrolment(deps, caller)).rejects.toMatchObject(refusal)
  await startSetUp(deps, caller)
  await expect(finishEnrolment(deps, caller, generateAppCode(0))).rejects.toMatchObject(refusal)
})

it('a factor that is off is switched off without a proof, and a started enrolment is deleted', async () => {
  const caller = { ...createCaller(), signedInAt: 0 }
  const { cognito } = createPool()
  const deps = buildDeps(cognito)
  await startSetUp(deps, caller)
  const disable = vi.spyOn(cognito, 'disable')
  await disableFactor(deps, caller, {})
  expect(disable).not.toHaveBeenCalled()
  expect(await deps.factors.findPending(caller.sub, Date.now())).toBeUndefined()
})

it('a code for a secret from another tab, which only the user pool accepts, switches nothing on', async () => {
  const caller = createCaller()
  const { state, cognito } = createPool()
  const deps = buildDeps(cognito)
  await startSetUp(deps, caller)
  const otherCode = generateCode('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', toTimeStep(Date.now()))
  await expect(finishEnrolment(deps, caller, otherCode)).rejects.toMatchObject({ code: 'invalid_code' })
  expect(state.hasFactor).toBe(false)
  expect(await deps.factors.find(caller.sub)).toBeUndefined()
})
