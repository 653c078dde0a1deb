import type { Sealer } from '../platform/secrets/seal.ts'
import { makeBackupCodes } from './backup-codes.ts'
import { foldEmail } from '#shared/user-pool.ts'
import type { User } from '../platform/auth/access-token.ts'
import { RecentSignInRequired } from '../platform/errors.ts'
import type { TokenRevoker } from '../platform/auth/token-revocation.ts'
import type { Account } from './cognito-account.ts'
import type { CognitoFactor } from './cognito-factor.ts'
import {
  CodeMissing,
  EmailNotConfirmed,
  EnrolmentMissing,
  FederatedAccount,
  InvalidCode,
  TwoFactorAlreadyOn,
} from './errors.ts'
import type { FactorRepository } from './factor-repository.ts'
import { enrolmentUri, matchingStep, totpCode } from './totp.ts'

/** What every part of two-factor works with. */
export interface TwoFactor {
  readonly factors: FactorRepository
  readonly cognito: CognitoFactor
  readonly sealer: Sealer
  /** the brand, as the authenticator app shows it */
  readonly issuer: string
  readonly sessions: Pick<TokenRevoker, 'endOtherSignIns'>
  readonly sleep: (ms: number) => Promise<unknown>
}

/** Who changes something, with the token that Cognito wants to see. */
export interface Caller extends Pick<User, 'sub' | 'username' | 'signedInAt' | 'signInId' | 'selfService'> {
  readonly accessToken: string
}

export const secretContext = (sub: string): string => `totp U#${sub}`
/** Spellings of an address are one address. */
export const mailNames = (sealer: Sealer, email: string) =>
  sealer.fingerprints('two-factor e-mail', foldEmail(email))

/**
 * Begins an enrolment: a secret and backup codes, neither of which counts before `finishSetUp` (MFA-14, DEC-024).
 * @throws TwoFactorAlreadyOn, FederatedAccount, EmailNotConfirmed, RecentSignInRequired, and what Cognito and the store of secrets
 *   throw
 */
export async function beginSetUp(
  { factors, cognito, sealer, issuer }: TwoFactor,
  { sub, username, accessToken, selfService }: Caller,
): Promise<{ qrCodeUrl: string; backupCodes: string[] }> {
  const account = await cognito.account(username)
  const email = requireOwnEmail(account)
  if (account.enabled) throw new TwoFactorAlreadyOn('generate')
  if (!selfService) throw new RecentSignInRequired('generate')
  const secret = await cognito.newSecret(accessToken)
  const { codes, salt, hashes } = await makeBackupCodes()
  const sealed = await sealer.seal(secret, secretContext(sub))
  await factors.savePending(sub, { secret: sealed, salt, codes: new Set(hashes) }, Date.now())
  return { qrCodeUrl: enrolmentUri({ issuer, email, secret }), backupCodes: codes }
}

/**
 * Finishes an enrolment with the first code of the app (MFA-15). What is kept here is complete before Cognito begins to ask
 * for codes, so whoever is asked for one can also use a backup code; cut anywhere, the next code finishes it. Every other session of
 * the account ends: whoever had the password alone is out.
 * @throws CodeMissing, InvalidCode, EnrolmentMissing, TwoFactorAlreadyOn, FederatedAccount, EmailNotConfirmed, RecentSignInRequired
 */
export async function finishSetUp(parts: TwoFactor, caller: Caller, typed: string): Promise<void> {
  const { factors, cognito, sealer, sessions, sleep } = parts
  const { sub, accessToken } = caller
  if (typed.trim() === '') throw new CodeMissing('verify')
  const code = totpCode(typed)
  if (code === undefined) throw new InvalidCode('not six digits')
  const account = await cognito.account(caller.username)
  const email = requireOwnEmail(account)
  const pending = await factors.findPending(sub, Date.now())
  // on already with an enrolment still open: an earlier try was cut before it ended the other sessions
  if (account.enabled && !pending) throw new TwoFactorAlreadyOn('verify')
  if (!account.enabled && !caller.selfService) throw new RecentSignInRequired('verify')
  if (!pending) throw new EnrolmentMissing('verify')
  const secret = await sealer.open(pending.secret, secretContext(sub))
  // a secret that another tab has replaced at Cognito must not become the one that is kept here, nor the other way round
  const lastStep = matchingStep(secret, code, Date.now())
  if (lastStep === undefined) throw new InvalidCode('not of the pending secret')
  if (!account.enabled) {
    await cognito.verifySecret(accessToken, code)
    const [mailName] = await mailNames(sealer, email)
    await promote(parts, sub, { ...pending, mailName, lastStep }, email)
    await cognito.switchOn(accessToken)
  }
  const nowMs = Date.now()
  await sessions.endOtherSignIns(sub, caller.signInId, nowMs)
  await factors.removePending(sub)
  // tokens tell the second of their sign-in: whoever signs in after this answer is told apart
  await sleep(1_000 - (nowMs % 1_000))
}

function requireOwnEmail({ email, federated }: Account): string {
  if (federated) throw new FederatedAccount('set-up')
  if (email === '') throw new EmailNotConfirmed('set-up')
  return email
}

/** An address that led to an account which is gone, or has another address now, leads to the caller's from here on. */
async function promote(
  { factors, cognito }: TwoFactor,
  sub: string,
  given: Parameters<TwoFactor['factors']['promote']>[1],
  email: string,
): Promise<void> {
  if (await factors.promote(sub, given)) return
  const owner = await factors.findOwner(given.mailName)
  const isInUse = owner !== undefined && (await cognito.hasEmail(owner, email))
  if (isInUse || !(await factors.promote(sub, given, owner)))
    throw new EmailNotConfirmed('the address leads to the factor of another account')
}
