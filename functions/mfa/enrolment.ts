import type { Sealer } from '../platform/secrets/seal.ts'
import { createBackupCodes } from './backup-codes.ts'
import { foldEmail } from '#shared/user-pool.ts'
import type { User } from '../platform/auth/access-token.ts'
import { RecentSignInRequired } from '../platform/errors.ts'
import { getMsToNextSecond, type TokenRevoker } from '../platform/auth/token-revocation.ts'
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
import { buildEnrolmentUri, findTimeStep, parseTotpCode } from './totp.ts'

/** Collaborators of enrolments. */
export interface TwoFactorDeps {
  readonly factors: FactorRepository
  readonly cognito: CognitoFactor
  readonly sealer: Sealer
  /** the brand, as the authenticator app shows it */
  readonly issuer: string
  readonly sessions: Pick<TokenRevoker, 'endOtherSignIns'>
  readonly sleep: (ms: number) => Promise<unknown>
}

/** The signed-in user, with the access token that Cognito requires. */
export interface Caller extends Pick<
  User,
  'sub' | 'username' | 'signedInAt' | 'signInId' | 'hasSelfServiceScope'
> {
  readonly accessToken: string
}

/** The context in which a user's TOTP secret is sealed: it opens for nobody else, and for no other use. */
export const secretContext = (sub: string): string => `totp U#${sub}`

/** Keyed hashes of an address, the same for all its spellings: one for each sealing key, the current one first. */
export const hashEmail = (sealer: Sealer, email: string) =>
  sealer.fingerprints('two-factor e-mail', foldEmail(email))

/**
 * Starts an enrolment: a secret and backup codes, which are not valid before `finishEnrolment`.
 * @throws TwoFactorAlreadyOn, FederatedAccount, EmailNotConfirmed, RecentSignInRequired, and what Cognito and the store of secrets
 *   throw
 */
export async function startEnrolment(
  { factors, cognito, sealer, issuer }: TwoFactorDeps,
  { sub, username, accessToken, hasSelfServiceScope }: Caller,
): Promise<{ qrCodeUrl: string; backupCodes: string[] }> {
  const account = await cognito.findAccount(username)
  const email = requireVerifiedEmail(account)
  if (account.hasFactor) throw new TwoFactorAlreadyOn('generate')
  if (!hasSelfServiceScope) throw new RecentSignInRequired('generate')
  const secret = await cognito.createSecret(accessToken)
  const { codes, salt, hashes } = await createBackupCodes()
  const sealed = await sealer.seal(secret, secretContext(sub))
  await factors.savePending(sub, { secret: sealed, salt, codes: new Set(hashes) }, Date.now())
  return { qrCodeUrl: buildEnrolmentUri({ issuer, email, secret }), backupCodes: codes }
}

/**
 * Finishes an enrolment with the first code of the app. Our rows are complete before Cognito starts to ask for codes, so backup codes work
 * from the first sign-in; after an interruption the next code finishes it. Ends all other sign-ins of the account, so that a stolen
 * password is no longer enough.
 * @throws CodeMissing, InvalidCode, EnrolmentMissing, TwoFactorAlreadyOn, FederatedAccount, EmailNotConfirmed, RecentSignInRequired
 */
export async function finishEnrolment(deps: TwoFactorDeps, caller: Caller, submitted: string): Promise<void> {
  const { factors, cognito, sealer, sessions, sleep } = deps
  const { sub, accessToken } = caller
  if (submitted.trim() === '') throw new CodeMissing('verify')
  const code = parseTotpCode(submitted)
  if (code === undefined) throw new InvalidCode('not six digits')
  const account = await cognito.findAccount(caller.username)
  const email = requireVerifiedEmail(account)
  const pending = await factors.findPending(sub, Date.now())
  // with an enrolment still open: an earlier attempt failed before it ended the other sign-ins
  if (account.hasFactor && !pending) throw new TwoFactorAlreadyOn('verify')
  if (!account.hasFactor && !caller.hasSelfServiceScope) throw new RecentSignInRequired('verify')
  if (!pending) throw new EnrolmentMissing('verify')
  const secret = await sealer.open(pending.secret, secretContext(sub))
  // another tab may have replaced the secret at Cognito, which must be the stored one
  const lastStep = findTimeStep(secret, code, Date.now())
  if (lastStep === undefined) throw new InvalidCode('not of the pending secret')
  if (!account.hasFactor) {
    await cognito.verifySecret(accessToken, code)
    const [mailName] = await hashEmail(sealer, email)
    await activate(deps, sub, { ...pending, mailName, lastStep }, email)
    await cognito.enable(accessToken)
  }
  const nowMs = Date.now()
  await sessions.endOtherSignIns(sub, caller.signInId, nowMs)
  await factors.removePending(sub)
  await sleep(getMsToNextSecond(nowMs))
}

function requireVerifiedEmail({ email, isFederated }: Account): string {
  if (isFederated) throw new FederatedAccount('set-up')
  if (email === '') throw new EmailNotConfirmed('set-up')
  return email
}

/** Assigns the address to the caller if its former account is deleted or has another address now. */
async function activate(
  { factors, cognito }: TwoFactorDeps,
  sub: string,
  activation: Parameters<TwoFactorDeps['factors']['activate']>[1],
  email: string,
): Promise<void> {
  if (await factors.activate(sub, activation)) return
  const owner = await factors.findOwner(activation.mailName)
  const isInUse = owner !== undefined && (await cognito.hasEmail(owner, email))
  if (isInUse || !(await factors.activate(sub, activation, owner)))
    throw new EmailNotConfirmed('the address leads to the factor of another account')
}
