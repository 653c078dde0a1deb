import { AppError, LimitReached } from '../platform/errors.ts'

/** The code is empty. */
export class CodeMissing extends AppError {
  readonly code = 'code_missing'
  readonly status = 400
  readonly userMessage = 'Please enter a verification code.'
}

/**
 * A wrong, used or unknown code: the response does not say which.
 */
export class InvalidCode extends AppError {
  readonly code = 'invalid_code'
  readonly status = 400
  readonly userMessage = 'Invalid verification code. Please try again.'
}

/** Too many codes were tried; the right one is refused as well until the time is over. */
export class TwoFactorLocked extends LimitReached {
  readonly code = 'two_factor_locked'
  readonly userMessage = `Too many attempts. Please wait ${formatWait(this.retryAfterSeconds)} and try again.`
}

function formatWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  if (minutes > 90) return `${Math.ceil(minutes / 60)} hours`
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}

/** An enabled factor has to be disabled before another one is set up. */
export class TwoFactorAlreadyOn extends AppError {
  readonly code = 'two_factor_already_on'
  readonly status = 409
  readonly userMessage = 'Two-factor authentication is already on. Disable it before you set it up again.'
}

/** There is no enrolment to finish: it was never started, is finished, or has expired. */
export class EnrolmentMissing extends AppError {
  readonly code = 'enrolment_missing'
  readonly status = 409
  readonly userMessage = 'This set-up is no longer open. Please start it again.'
}

/** Backup codes need the secret of a factor that was set up in this product. */
export class TwoFactorNotSetUp extends AppError {
  readonly code = 'not_set_up_here'
  readonly status = 409
  readonly userMessage = 'Two-factor authentication is not set up here. Please set it up again.'
}

/** The second step of an account of an identity provider is the provider's. */
export class FederatedAccount extends AppError {
  readonly code = 'federated_account'
  readonly status = 403
  readonly userMessage =
    'You sign in with an identity provider, so your second step is set in your account there.'
}

/** The same, of another person's account. */
export class FederatedUser extends AppError {
  readonly code = 'federated_account'
  readonly status = 409
  readonly userMessage = 'This person signs in through another provider, which handles their second factor.'
}

/** A change that weakens the factor requires a current code or a fresh sign-in. */
export class StepUpRequired extends AppError {
  readonly code = 'proof_required'
  readonly status = 403
  readonly userMessage = 'Please enter a current code, or sign in again, to change this.'
}

/** Backup codes are looked up by e-mail address, so the address has to be verified. */
export class EmailNotConfirmed extends AppError {
  readonly code = 'email_not_confirmed'
  readonly status = 409
  readonly userMessage =
    'Your e-mail address is not confirmed, so two-factor authentication cannot be set up. Please contact support.'
}

/** Cognito did not respond. */
export class TwoFactorUnavailable extends AppError {
  readonly code = 'two_factor_unavailable'
  readonly status = 503
  readonly userMessage = 'The sign-in service could not be reached. Please try again in a moment.'
}
