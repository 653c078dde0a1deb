import type { Sealer } from '../platform/seal.ts'
import { makeBackupCodes } from './backup-codes.ts'
import type { CognitoFactor } from './cognito-factor.ts'
import { CodeMissing, EnrolmentMissing, FederatedAccount, InvalidCode, TwoFactorAlreadyOn } from './errors.ts'
import type { FactorRepository } from './factor-repository.ts'
import { enrolmentUri, matchingStep, totpCode } from './totp.ts'

/** What every part of two-factor works with. */
export interface TwoFactor {
  readonly factors: FactorRepository
  readonly cognito: CognitoFactor
  readonly sealer: Sealer
  /** the brand, as the authenticator app shows it */
  readonly issuer: string
}

/** Who changes something, with the token that Cognito wants to see. */
export interface Caller {
  readonly sub: string
  readonly accessToken: string
  /** seconds; with the sub it also names the sign-in */
  readonly signedInAt: number
}

export const secretContext = (sub: string): string => `totp U#${sub}`
/** Spellings of an address are one address. */
export const mailNames = (sealer: Sealer, email: string) =>
  sealer.fingerprints('two-factor e-mail', email.trim().toLowerCase())

/**
 * Begins an enrolment: a secret and backup codes, neither of which counts before `finishSetUp` (MFA-14, DEC-024).
 * @throws TwoFactorAlreadyOn, FederatedAccount, and what Cognito and the store of secrets throw
 */
export async function beginSetUp(
  { factors, cognito, sealer, issuer }: TwoFactor,
  { sub, accessToken }: Caller,
): Promise<{ qrCodeUrl: string; backupCodes: string[] }> {
  const { email, enabled, federated } = await cognito.account(accessToken)
  if (federated) throw new FederatedAccount('generate')
  if (enabled) throw new TwoFactorAlreadyOn('generate')
  const secret = await cognito.newSecret(accessToken)
  const { codes, salt, hashes } = await makeBackupCodes()
  const sealed = await sealer.seal(secret, secretContext(sub))
  await factors.savePending(sub, { secret: sealed, salt, codes: new Set(hashes) }, Date.now())
  return { qrCodeUrl: enrolmentUri({ issuer, email, secret }), backupCodes: codes }
}

/**
 * Finishes an enrolment with the first code of the app (MFA-15). What is kept here is complete before Cognito begins to ask
 * for codes, so whoever is asked for one can also use a backup code; cut anywhere, the next code finishes it.
 * @throws CodeMissing, InvalidCode, EnrolmentMissing, TwoFactorAlreadyOn, FederatedAccount
 */
export async function finishSetUp(
  { factors, cognito, sealer }: TwoFactor,
  { sub, accessToken }: Caller,
  typed: string,
): Promise<void> {
  if (typed.trim() === '') throw new CodeMissing('verify')
  const code = totpCode(typed)
  if (code === undefined) throw new InvalidCode('not six digits')
  const { email, enabled, federated } = await cognito.account(accessToken)
  if (federated) throw new FederatedAccount('verify')
  if (enabled) throw new TwoFactorAlreadyOn('verify')
  const pending = await factors.findPending(sub, Date.now())
  if (!pending) throw new EnrolmentMissing('verify')
  const secret = await sealer.open(pending.secret, secretContext(sub))
  // a secret that another tab has replaced at Cognito must not become the one that is kept here, nor the other way round
  const lastStep = matchingStep(secret, code, Date.now())
  if (lastStep === undefined) throw new InvalidCode('not of the pending secret')
  await cognito.verifySecret(accessToken, code)
  const [mailName] = await mailNames(sealer, email)
  await factors.promote(sub, { ...pending, mailName, lastStep })
  await cognito.prefer(accessToken, true)
  await factors.removePending(sub)
}
