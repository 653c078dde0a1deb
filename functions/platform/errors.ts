/** An error whose message may be logged: it contains no user data. */
export class LoggableError extends Error {}

/**
 * An error that a handler throws to return an error response. Only `error-response.ts` turns it into a response: users see `userMessage`;
 * `detail` and `cause` go to the log.
 */
export abstract class AppError extends LoggableError {
  /** machine word, part of the contract */
  abstract readonly code: string
  /** HTTP status; never 500, which is what an unknown error gets */
  abstract readonly status: number
  /** what happened and what to do, for the user */
  abstract readonly userMessage: string
  /** sent as Retry-After when set */
  readonly retryAfterSeconds: number | undefined = undefined
  /** sent when set: which files of the request the error is about */
  readonly attachmentIds: readonly string[] | undefined = undefined

  constructor(detail: string, options?: { cause?: unknown }) {
    super(detail, options)
    this.name = new.target.name
  }
}

export class BadRequest extends AppError {
  readonly code = 'bad_request'
  readonly status = 400
  readonly userMessage: string

  /** @param message tells the caller which part of the request is wrong */
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.userMessage = message
  }
}

export class BodyTooLarge extends AppError {
  readonly code = 'body_too_large'
  readonly status = 413
  readonly userMessage = 'The request is too large. Please send less at once.'
}

/** No bearer token. */
export class NotSignedIn extends AppError {
  readonly code = 'not_signed_in'
  readonly status = 401
  readonly userMessage = 'User not authenticated'
}

/** A token that is not, or no longer, a valid access token of this product. */
export class InvalidToken extends AppError {
  readonly code = 'invalid_token'
  readonly status = 401
  readonly userMessage = 'Your session has expired. Please sign in again.'
}

/** The sign-in of the token was ended, although the user pool still refreshes it. */
export class SessionEnded extends AppError {
  readonly code = 'session_ended'
  readonly status = 401
  readonly userMessage =
    'You were signed out here because two-factor authentication was switched on. Please sign in again.'
}

/** The route is for members of the group of administrators. */
export class NotAdministrator extends AppError {
  readonly code = 'not_admin'
  readonly status = 403
  readonly userMessage = 'Only administrators may do this.'
}

/** The deployment, or a group of the user, requires a second factor, and the user has none. */
export class TwoFactorRequired extends AppError {
  readonly code = 'two_factor_required'
  readonly status = 403
  readonly userMessage = 'Your account needs two-factor authentication. Please set it up first.'
}

/** An administrator may not do this to their own account, so that one always remains. */
export class OwnAccount extends AppError {
  readonly code = 'own_account'
  readonly status = 409
  readonly userMessage = 'This is your own account. Please ask another administrator.'
}

/** The user pool has no account of this id. */
export class AccountNotFound extends AppError {
  readonly code = 'user_not_found'
  readonly status = 404
  readonly userMessage = 'There is no such account any more.'
}

/** The user pool does not answer, or not as it should. */
export class UserPoolUnavailable extends AppError {
  readonly code = 'account_service_unavailable'
  readonly status = 503
  readonly userMessage = 'The sign-in service could not be reached. Please try again in a moment.'
}

/** The token comes from a refresh, and the user pool requires one from a sign-in. */
export class RecentSignInRequired extends AppError {
  readonly code = 'recent_sign_in_required'
  readonly status = 403
  readonly userMessage = 'Your sign-in is a while ago. Please sign in again to change this.'
}

/** The call requires a sign-in from the last minutes: a session may be stolen. */
export class SignInTooOld extends AppError {
  readonly code = 'sign_in_again'
  readonly status = 403
  readonly userMessage = 'This needs a sign-in from the last 15 minutes. Please sign in again.'
}

/** The signing keys could not be fetched, so no token can be verified. */
export class SignInUnavailable extends AppError {
  readonly code = 'sign_in_unavailable'
  readonly status = 503
  readonly userMessage = 'Your session could not be checked. Please try again in a moment.'
}

export class RouteNotFound extends AppError {
  readonly code = 'not_found'
  readonly status = 404
  readonly userMessage = 'There is nothing at this address.'
}

/** A limit was reached; retry after `retryAfterSeconds`. */
export abstract class LimitReached extends AppError {
  readonly status = 429
  override readonly retryAfterSeconds: number

  constructor(detail: string, retryAfterSeconds: number) {
    super(detail)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export class TooManyCalls extends LimitReached {
  readonly code = 'too_many_requests'
  readonly userMessage = `Too many requests. Please wait ${formatSeconds(this.retryAfterSeconds)} and try again.`
}

const formatSeconds = (seconds: number): string => (seconds === 1 ? '1 second' : `${seconds} seconds`)
