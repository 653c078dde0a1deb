import { randomUUID } from 'node:crypto'
import type { Sealer } from '../platform/secrets/seal.ts'
import { backupCode, hashBackupCode } from './backup-codes.ts'
import { CodeMissing, InvalidCode, ProofRequired } from './errors.ts'
import type { Factor, FactorRepository } from './factor-repository.ts'
import { secretContext, type Caller } from './enrolment.ts'
import { matchingStep, totpCode } from './totp.ts'
import type { TriesRepository } from './attempts-repository.ts'

/** DEC-024: how long a sign-in, or a code that was shown, allows what weakens an account. */
const freshSeconds = 300
/** How long a repeated attempt gets the same answer. */
export const attemptSeconds = 180

export interface Typed {
  readonly token?: string | undefined
  readonly isBackupCode?: boolean | undefined
}

interface Checks {
  readonly factors: FactorRepository
  readonly tries: TriesRepository
  readonly sealer: Sealer
}

type Session = Pick<Caller, 'sub' | 'signedInAt'>

/**
 * Whether this sign-in may do what weakens the account: it is at most five minutes old, or it has shown a code within five
 * minutes. For other capabilities (erasing the account) as well.
 */
export function isFresh(
  { signedInAt }: Pick<Session, 'signedInAt'>,
  factor: Pick<Factor, 'provenSession' | 'provenUntil'> | undefined,
  nowMs: number,
): boolean {
  const now = nowMs / 1000
  if (now - signedInAt <= freshSeconds) return true
  return factor?.provenSession === signedInAt && (factor.provenUntil ?? 0) > now
}

/**
 * Lets a change pass that needs a current code or a fresh sign-in. A code that was typed has to be right, however fresh the
 * sign-in is.
 * @throws ProofRequired, InvalidCode, TwoFactorLocked
 */
export async function requireProof(checks: Checks, session: Session, typed: Typed): Promise<void> {
  if (typed.token?.trim()) return checkCode(checks, session, typed)
  if (!isFresh(session, await checks.factors.find(session.sub), Date.now()))
    throw new ProofRequired('the sign-in is older than five minutes')
}

/**
 * A code as proof, which then counts for five minutes on this sign-in (DEC-020: the step-up).
 * @throws CodeMissing, InvalidCode, TwoFactorLocked
 */
export async function stepUp(checks: Checks, session: Session, typed: Typed): Promise<void> {
  await checkCode(checks, session, typed)
  const until = Math.floor(Date.now() / 1000) + freshSeconds
  await checks.factors.remember(session.sub, { session: session.signedInAt, until })
}

async function checkCode(checks: Checks, { sub }: Session, typed: Typed): Promise<void> {
  const token = typed.token ?? ''
  if (token.trim() === '') throw new CodeMissing('no code')
  const code = typed.isBackupCode ? backupCode(token) : totpCode(token)
  if (code === undefined) throw new InvalidCode('can be no code')
  await checks.tries.count({ sub }, Date.now())
  const factor = await checks.factors.find(sub)
  if (!factor) throw new InvalidCode('no factor here')
  const right = typed.isBackupCode
    ? await usesBackupCode(checks, sub, factor, code)
    : await usesTotp(checks, sub, factor, code)
  if (!right) throw new InvalidCode('wrong or used')
  await checks.tries.forgive({ sub })
}

async function usesTotp({ factors, sealer }: Checks, sub: string, factor: Factor, code: string) {
  const secret = await sealer.open(factor.secret, secretContext(sub))
  const step = matchingStep(secret, code, Date.now())
  return step !== undefined && (await factors.useStep(sub, step))
}

async function usesBackupCode({ factors }: Checks, sub: string, { salt }: Factor, code: string) {
  const hash = await hashBackupCode(code, salt)
  return factors.useCode(sub, { id: randomUUID(), hash, endsAt: 0 })
}
