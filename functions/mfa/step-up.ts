import { randomUUID } from 'node:crypto'
import type { Sealer } from '../platform/secrets/seal.ts'
import { parseBackupCode, hashBackupCode } from './backup-codes.ts'
import { CodeMissing, InvalidCode, StepUpRequired } from './errors.ts'
import type { Factor, FactorRepository } from './factor-repository.ts'
import { secretContext, type Caller } from './enrolment.ts'
import { findTimeStep, parseTotpCode } from './totp.ts'
import type { AttemptsRepository } from './attempts-repository.ts'

/** How long a sign-in or a code allows changes that weaken an account. */
const validSeconds = 300
/** How long a repeated attempt gets the same response. */
export const attemptSeconds = 180

export interface SubmittedCode {
  readonly token?: string | undefined
  readonly isBackupCode?: boolean | undefined
}

interface StepUpDeps {
  readonly factors: FactorRepository
  readonly attempts: AttemptsRepository
  readonly sealer: Sealer
}

type Session = Pick<Caller, 'sub' | 'signedInAt'>

/**
 * Whether this sign-in may weaken or erase the account: it is at most five minutes old, or a code was verified on it in the last five
 * minutes.
 */
export function isRecentlyVerified(
  { signedInAt }: Pick<Session, 'signedInAt'>,
  factor: Pick<Factor, 'provenSession' | 'provenUntil'> | undefined,
  nowMs: number,
): boolean {
  const now = nowMs / 1000
  if (now - signedInAt <= validSeconds) return true
  return factor?.provenSession === signedInAt && (factor.provenUntil ?? 0) > now
}

/**
 * Requires a current code or a fresh sign-in. A submitted code has to be right even after a fresh sign-in.
 * @throws StepUpRequired, InvalidCode, TwoFactorLocked
 */
export async function requireStepUp(
  deps: StepUpDeps,
  session: Session,
  submitted: SubmittedCode,
): Promise<void> {
  if (submitted.token?.trim()) return verifyCode(deps, session, submitted)
  if (!isRecentlyVerified(session, await deps.factors.find(session.sub), Date.now()))
    throw new StepUpRequired('the sign-in is older than five minutes')
}

/**
 * Verifies a code, which then counts for five minutes on this sign-in (the step-up).
 * @throws CodeMissing, InvalidCode, TwoFactorLocked
 */
export async function completeStepUp(
  deps: StepUpDeps,
  session: Session,
  submitted: SubmittedCode,
): Promise<void> {
  await verifyCode(deps, session, submitted)
  const until = Math.floor(Date.now() / 1000) + validSeconds
  await deps.factors.recordStepUp(session.sub, { signedInAt: session.signedInAt, until })
}

async function verifyCode(deps: StepUpDeps, { sub }: Session, submitted: SubmittedCode): Promise<void> {
  const token = submitted.token ?? ''
  if (token.trim() === '') throw new CodeMissing('no code')
  const code = submitted.isBackupCode ? parseBackupCode(token) : parseTotpCode(token)
  if (code === undefined) throw new InvalidCode('not a code')
  await deps.attempts.count({ sub }, Date.now())
  const factor = await deps.factors.find(sub)
  if (!factor) throw new InvalidCode('no factor is stored')
  const isValid = submitted.isBackupCode
    ? await redeemCode(deps, sub, factor, code)
    : await redeemTotp(deps, sub, factor, code)
  if (!isValid) throw new InvalidCode('wrong or used')
  await deps.attempts.reset({ sub })
}

async function redeemTotp({ factors, sealer }: StepUpDeps, sub: string, factor: Factor, code: string) {
  const secret = await sealer.open(factor.secret, secretContext(sub))
  const step = findTimeStep(secret, code, Date.now())
  return step !== undefined && (await factors.useStep(sub, step))
}

async function redeemCode({ factors }: StepUpDeps, sub: string, { salt }: Factor, code: string) {
  const hash = await hashBackupCode(code, salt)
  return factors.useCode(sub, { id: randomUUID(), hash, endsAt: 0 })
}
