import { makeBackupCodes } from './backup-codes.ts'
import { FederatedAccount, NotSetUpHere } from './errors.ts'
import { requireProof, type Typed } from './step-up.ts'
import type { Caller, TwoFactor } from './enrolment.ts'
import type { TriesRepository } from './attempts-repository.ts'

type Parts = TwoFactor & { readonly tries: TriesRepository }

/**
 * Switches the factor off: at Cognito first, then nothing is left here. Off already, it needs no proof and cleans up (MFA-16).
 * @throws ProofRequired, InvalidCode, TwoFactorLocked, and what Cognito throws
 */
export async function disableFactor(parts: Parts, caller: Caller, typed: Typed): Promise<void> {
  const { enabled } = await parts.cognito.account(caller.username)
  if (enabled) {
    await requireProof(parts, caller, typed)
    await parts.cognito.switchOff(caller.username)
  }
  await parts.factors.remove(caller.sub)
}

/**
 * New backup codes in place of all old ones.
 * @throws NotSetUpHere when there is no factor of ours, ProofRequired, InvalidCode, TwoFactorLocked, FederatedAccount
 */
export async function regenerateCodes(parts: Parts, caller: Caller, typed: Typed): Promise<string[]> {
  const { enabled, federated } = await parts.cognito.account(caller.username)
  if (federated) throw new FederatedAccount('regenerate')
  if (!enabled || !(await parts.factors.find(caller.sub))) throw new NotSetUpHere('regenerate')
  await requireProof(parts, caller, typed)
  const { codes, salt, hashes } = await makeBackupCodes()
  if (!(await parts.factors.replaceCodes(caller.sub, { salt, codes: new Set(hashes) })))
    throw new NotSetUpHere('removed meanwhile')
  return codes
}
