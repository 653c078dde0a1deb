import { randomUUID } from 'node:crypto'
import type { Sealer } from '../platform/secrets/seal.ts'
import { parseBackupCode, hashBackupCode } from './backup-codes.ts'
import { CodeMissing, InvalidCode } from './errors.ts'
import type { Factor, FactorRepository } from './factor-repository.ts'
import { attemptSeconds } from './step-up.ts'
import { hashEmail, secretContext } from './enrolment.ts'
import { generateCode, toTimeStep } from './totp.ts'
import type { AttemptsRepository } from './attempts-repository.ts'

interface RedeemDeps {
  readonly factors: FactorRepository
  readonly attempts: AttemptsRepository
  readonly sealer: Sealer
}

/**
 * Exchanges a backup code for the codes of the authenticator app, with which the browser answers Cognito's own challenge: the
 * current step's, and the next one's in case the current was used. An unknown address, an account without a factor and a
 * wrong code take the same steps and get the same response.
 * @param attemptId a repeat with the same id and code gets current codes for three minutes, so that a lost response does not lose
 *   the backup code
 * @throws CodeMissing, InvalidCode, TwoFactorLocked, SecretsUnavailable
 */
export async function redeemBackupCode(
  { factors, attempts, sealer }: RedeemDeps,
  {
    email,
    token,
    attemptId = randomUUID(),
  }: { email: string; token: string; attemptId?: string | undefined },
): Promise<[string, string]> {
  if (token.trim() === '') throw new CodeMissing('no code')
  const code = parseBackupCode(token)
  if (code === undefined) throw new InvalidCode('can be no code')
  const names = await hashEmail(sealer, email)
  const [mailName] = names
  await attempts.count({ mailName }, Date.now())

  const owners = await Promise.all(names.map((name) => factors.findOwner(name)))
  // no such user: the same reads and writes follow, so that timing reveals nothing
  const sub = owners.find((owner) => owner !== undefined) ?? `?${mailName}`
  const factor = await factors.find(sub)
  const hash = await hashBackupCode(code, factor?.salt ?? mailName)
  const nowMs = Date.now()
  const endsAt = Math.floor(nowMs / 1000) + attemptSeconds
  const isUsedNow = await factors.useCode(sub, { id: attemptId, hash, endsAt })
  const current = isUsedNow ? factor : await factors.find(sub)
  if (!current || (!isUsedNow && !isRepeat(current, { attemptId, hash, nowMs })))
    throw new InvalidCode('wrong or used')

  await attempts.reset({ mailName })
  const secret = await sealer.open(current.secret, secretContext(sub))
  const step = toTimeStep(nowMs)
  return [generateCode(secret, step), generateCode(secret, step + 1)]
}

function isRepeat(
  factor: Factor,
  { attemptId, hash, nowMs }: { attemptId: string; hash: string; nowMs: number },
): boolean {
  return (
    factor.attemptId === attemptId &&
    factor.attemptCode === hash &&
    (factor.attemptEndsAt ?? 0) > nowMs / 1000
  )
}
