import { createBackupCodes } from './backup-codes.ts'
import { FederatedAccount, TwoFactorNotSetUp } from './errors.ts'
import { requireStepUp, type SubmittedCode } from './step-up.ts'
import type { Caller, TwoFactorDeps } from './enrolment.ts'
import type { AttemptsRepository } from './attempts-repository.ts'

type ChangeFactorDeps = TwoFactorDeps & { readonly attempts: AttemptsRepository }

/**
 * Disables the factor at Cognito, then deletes its rows. If it is disabled already, no proof is needed and only the rows are deleted.
 * @throws StepUpRequired, InvalidCode, TwoFactorLocked, and what Cognito throws
 */
export async function disableFactor(
  deps: ChangeFactorDeps,
  caller: Caller,
  submitted: SubmittedCode,
): Promise<void> {
  const { hasFactor } = await deps.cognito.findAccount(caller.username)
  if (hasFactor) {
    await requireStepUp(deps, caller, submitted)
    await deps.cognito.disable(caller.username)
  }
  await deps.factors.remove(caller.sub)
}

/** Disables the factor of an account and deletes its rows, without a proof: an administrator asks. Can be repeated. */
export async function resetFactor(
  { cognito, factors }: Pick<TwoFactorDeps, 'cognito' | 'factors'>,
  { sub, username }: Pick<Caller, 'sub' | 'username'>,
): Promise<void> {
  await cognito.disable(username)
  await factors.remove(sub)
}

/**
 * Replaces all backup codes.
 * @throws TwoFactorNotSetUp if the factor was not set up in this product, StepUpRequired, InvalidCode, TwoFactorLocked, FederatedAccount
 */
export async function regenerateCodes(
  deps: ChangeFactorDeps,
  caller: Caller,
  submitted: SubmittedCode,
): Promise<string[]> {
  const { hasFactor, isFederated } = await deps.cognito.findAccount(caller.username)
  if (isFederated) throw new FederatedAccount('regenerate')
  if (!hasFactor || !(await deps.factors.find(caller.sub))) throw new TwoFactorNotSetUp('regenerate')
  await requireStepUp(deps, caller, submitted)
  const { codes, salt, hashes } = await createBackupCodes()
  if (!(await deps.factors.replaceCodes(caller.sub, { salt, codes: new Set(hashes) })))
    throw new TwoFactorNotSetUp('removed meanwhile')
  return codes
}
