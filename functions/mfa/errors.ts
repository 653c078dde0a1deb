import { accountSentences } from '#shared/sentences/account.ts'
import { defineErrors, defineLimits } from '../platform/errors.ts'

export const {
  CodeMissing,
  InvalidCode,
  TwoFactorAlreadyOn,
  EnrolmentMissing,
  TwoFactorNotSetUp,
  FederatedAccount,
  FederatedUser,
  StepUpRequired,
  EmailNotConfirmed,
  TwoFactorUnavailable,
} = defineErrors(accountSentences, {
  /** The code is empty. */
  CodeMissing: [400, 'code_missing'],
  /** A wrong, used or unknown code: the response does not say which. */
  InvalidCode: [400, 'invalid_code'],
  /** An enabled factor has to be disabled before another one is set up. */
  TwoFactorAlreadyOn: [409, 'two_factor_already_on'],
  /** There is no enrolment to finish: it was never started, is finished, or has expired. */
  EnrolmentMissing: [409, 'enrolment_missing'],
  /** Backup codes need the secret of a factor that was set up in this product. */
  TwoFactorNotSetUp: [409, 'not_set_up_here'],
  /** The second step of an account of an identity provider is the provider's. */
  FederatedAccount: [403, 'federated_account.own'],
  /** The same, of another person's account. */
  FederatedUser: [409, 'federated_account.other'],
  /** A change that weakens the factor requires a current code or a fresh sign-in. */
  StepUpRequired: [403, 'proof_required'],
  /** Backup codes are looked up by e-mail address, so the address has to be verified. */
  EmailNotConfirmed: [409, 'email_not_confirmed'],
  /** Cognito does not answer, or not as it should. */
  TwoFactorUnavailable: [503, 'two_factor_unavailable'],
})

export const { TwoFactorLocked } = defineLimits(accountSentences, {
  /** Too many codes were tried; the right one is refused as well until the time is over. */
  TwoFactorLocked: 'two_factor_locked',
})
