import { randomUUID } from 'node:crypto'
import type { Sealer } from '../platform/secrets/seal.ts'
import { backupCode, hashBackupCode } from './backup-codes.ts'
import { CodeMissing, InvalidCode } from './errors.ts'
import type { Factor, FactorRepository } from './factor-repository.ts'
import { attemptSeconds } from './step-up.ts'
import { mailNames, secretContext } from './enrolment.ts'
import { codeOfStep, timeStep } from './totp.ts'
import type { TriesRepository } from './attempts-repository.ts'

interface Parts {
  readonly factors: FactorRepository
  readonly tries: TriesRepository
  readonly sealer: Sealer
}

/**
 * Exchanges a backup code for the codes of the authenticator app, with which the browser answers Cognito's own challenge: the
 * current step's, and the next one's in case the current was used. An unknown address, an account without a factor and a
 * wrong code take the same steps and answer alike (DEC-020, MFA-27).
 * @param attemptId the same id and code again are answered again for three minutes, with the codes of that moment, so that a
 *   lost answer loses no code
 * @throws CodeMissing, InvalidCode, TwoFactorLocked, SecretsUnavailable
 */
export async function redeemBackupCode(
  { factors, tries, sealer }: Parts,
  {
    email,
    token,
    attemptId = randomUUID(),
  }: { email: string; token: string; attemptId?: string | undefined },
): Promise<[string, string]> {
  if (token.trim() === '') throw new CodeMissing('no code')
  const code = backupCode(token)
  if (code === undefined) throw new InvalidCode('can be no code')
  const names = await mailNames(sealer, email)
  const [mailName] = names
  await tries.count({ mailName }, Date.now())

  const owners = await Promise.all(names.map((name) => factors.findOwner(name)))
  // nobody's row: the writes and reads below happen all the same, and find nothing
  const sub = owners.find((owner) => owner !== undefined) ?? `?${mailName}`
  const factor = await factors.find(sub)
  const hash = await hashBackupCode(code, factor?.salt ?? mailName)
  const nowMs = Date.now()
  const endsAt = Math.floor(nowMs / 1000) + attemptSeconds
  const used = await factors.useCode(sub, { id: attemptId, hash, endsAt })
  const known = used ? factor : await factors.find(sub)
  if (!known || (!used && !isRepeat(known, { attemptId, hash, nowMs })))
    throw new InvalidCode('wrong or used')

  await tries.forgive({ mailName })
  const secret = await sealer.open(known.secret, secretContext(sub))
  const step = timeStep(nowMs)
  return [codeOfStep(secret, step), codeOfStep(secret, step + 1)]
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
