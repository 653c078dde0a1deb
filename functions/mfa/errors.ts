import { formatDuration } from '#shared/retry-after.ts'
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
} = defineErrors({
  /** The code is empty. */
  CodeMissing: [400, 'code_missing', 'Please enter a verification code.'],
  /** A wrong, used or unknown code: the response does not say which. */
  InvalidCode: [400, 'invalid_code', 'Invalid verification code. Please try again.'],
  /** An enabled factor has to be disabled before another one is set up. */
  TwoFactorAlreadyOn: [
    409,
    'two_factor_already_on',
    'Two-factor authentication is already on. Disable it before you set it up again.',
  ],
  /** There is no enrolment to finish: it was never started, is finished, or has expired. */
  EnrolmentMissing: [409, 'enrolment_missing', 'This set-up is no longer open. Please start it again.'],
  /** Backup codes need the secret of a factor that was set up in this product. */
  TwoFactorNotSetUp: [
    409,
    'not_set_up_here',
    'Two-factor authentication is not set up here. Please set it up again.',
  ],
  /** The second step of an account of an identity provider is the provider's. */
  FederatedAccount: [
    403,
    'federated_account',
    'You sign in with an identity provider, so your second step is set in your account there.',
  ],
  /** The same, of another person's account. */
  FederatedUser: [
    409,
    'federated_account',
    'This person signs in through another provider, which handles their second factor.',
  ],
  /** A change that weakens the factor requires a current code or a fresh sign-in. */
  StepUpRequired: [403, 'proof_required', 'Please enter a current code, or sign in again, to change this.'],
  /** Backup codes are looked up by e-mail address, so the address has to be verified. */
  EmailNotConfirmed: [
    409,
    'email_not_confirmed',
    'Your e-mail address is not confirmed, so two-factor authentication cannot be set up. Please contact support.',
  ],
  /** Cognito does not answer, or not as it should. */
  TwoFactorUnavailable: [
    503,
    'two_factor_unavailable',
    'The sign-in service did not answer as it should. Please try again in a moment.',
  ],
})

export const { TwoFactorLocked } = defineLimits({
  /** Too many codes were tried; the right one is refused as well until the time is over. */
  TwoFactorLocked: [
    'two_factor_locked',
    (seconds) => `Too many attempts. Please wait ${formatDuration(seconds)} and try again.`,
  ],
})
