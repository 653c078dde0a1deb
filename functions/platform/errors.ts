import { formatDuration } from '#shared/retry-after.ts'

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

/** HTTP status, machine word, text for the user (or what makes it of the error's subject), seconds for Retry-After. */
type ErrorRow = readonly [
  status: number,
  code: string,
  userMessage: string | ((subject: never) => string),
  retryAfterSeconds?: number,
]

type ErrorClass<Row extends ErrorRow> = Row[2] extends (subject: infer Subject) => string
  ? new (subject: Subject, options?: { cause?: unknown }) => AppError
  : new (detail: string, options?: { cause?: unknown }) => AppError

/**
 * The errors of a domain as classes by name: `throw new MessageNotFound('what goes to the log')`, or, where the text says whom or what it is
 * about, `throw new CredentialsRefused(name)`.
 * @param rows the key is the error's name in logs
 */
export function defineErrors<const Rows extends Readonly<Record<string, ErrorRow>>>(rows: Rows) {
  const classes = Object.entries<ErrorRow>(rows).map(([name, [status, code, text, retryAfterSeconds]]) => {
    class DefinedError extends AppError {
      static override readonly name = name
      readonly code = code
      readonly status = status
      readonly userMessage: string
      override readonly retryAfterSeconds = retryAfterSeconds

      constructor(about: unknown, options?: { cause?: unknown }) {
        super(typeof text === 'string' ? String(about) : code, options)
        this.userMessage = typeof text === 'string' ? text : text(about as never)
      }
    }
    return [name, DefinedError]
  })
  return Object.fromEntries(classes) as { readonly [Name in keyof Rows]: ErrorClass<Rows[Name]> }
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

export const {
  BodyTooLarge,
  NotSignedIn,
  InvalidToken,
  SessionEnded,
  NotAdministrator,
  TwoFactorRequired,
  OwnAccount,
  AccountNotFound,
  UserPoolUnavailable,
  RecentSignInRequired,
  SignInTooOld,
  SignInUnavailable,
  RouteNotFound,
  ChangedElsewhere,
} = defineErrors({
  BodyTooLarge: [413, 'body_too_large', 'The request is too large. Please send less at once.'],
  /** No bearer token. */
  NotSignedIn: [401, 'not_signed_in', 'User not authenticated'],
  /** A token that is not, or no longer, a valid access token of this product. */
  InvalidToken: [401, 'invalid_token', 'Your session has expired. Please sign in again.'],
  /** The sign-in of the token was ended, although the user pool still refreshes it. */
  SessionEnded: [
    401,
    'session_ended',
    'You were signed out here because two-factor authentication was switched on. Please sign in again.',
  ],
  /** The route is for members of the group of administrators. */
  NotAdministrator: [403, 'not_admin', 'Only administrators may do this.'],
  /** The deployment, or a group of the user, requires a second factor, and the user has none. */
  TwoFactorRequired: [
    403,
    'two_factor_required',
    'Your account needs two-factor authentication. Please set it up first.',
  ],
  /** An administrator may not do this to their own account, so that one always remains. */
  OwnAccount: [409, 'own_account', 'This is your own account. Please ask another administrator.'],
  /** The user pool has no account of this id. */
  AccountNotFound: [404, 'user_not_found', 'There is no such account any more.'],
  /** The user pool does not answer, or not as it should. */
  UserPoolUnavailable: [
    503,
    'account_service_unavailable',
    'The sign-in service did not answer as it should. Please try again in a moment.',
  ],
  /** The token comes from a refresh, and the user pool requires one from a sign-in. */
  RecentSignInRequired: [
    403,
    'recent_sign_in_required',
    'Your sign-in is a while ago. Please sign in again to change this.',
  ],
  /** The call requires a sign-in from the last minutes: a session may be stolen. */
  SignInTooOld: [
    403,
    'sign_in_again',
    'This needs a sign-in from the last 15 minutes. Please sign in again.',
  ],
  /** The signing keys could not be fetched, so no token can be verified. */
  SignInUnavailable: [
    503,
    'sign_in_unavailable',
    'Your session could not be checked. Please try again in a moment.',
  ],
  RouteNotFound: [404, 'not_found', 'There is nothing at this address.'],
  /** The text is not the one that the sender has seen. */
  ChangedElsewhere: [
    409,
    'changed_elsewhere',
    'This was changed elsewhere in the meantime. Compare the texts and save again.',
  ],
})

/** A limit was reached; retry after `retryAfterSeconds`. */
export abstract class LimitReached extends AppError {
  readonly status = 429
  override readonly retryAfterSeconds: number

  constructor(detail: string, retryAfterSeconds: number) {
    super(detail)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Machine word, text for the user (or what makes it of the seconds to wait). */
type LimitRow = readonly [code: string, userMessage: string | ((retryAfterSeconds: number) => string)]

/** Limits of a domain as classes by name: `throw new TooManyExports('what goes to the log', retryAfterSeconds)`. */
export function defineLimits<const Rows extends Readonly<Record<string, LimitRow>>>(rows: Rows) {
  const classes = Object.entries<LimitRow>(rows).map(([name, [code, text]]) => {
    class DefinedLimit extends LimitReached {
      static override readonly name = name
      readonly code = code
      readonly userMessage = typeof text === 'string' ? text : text(this.retryAfterSeconds)
    }
    return [name, DefinedLimit]
  })
  return Object.fromEntries(classes) as {
    readonly [Name in keyof Rows]: new (detail: string, retryAfterSeconds: number) => LimitReached
  }
}

export const { TooManyCalls } = defineLimits({
  TooManyCalls: [
    'too_many_requests',
    (seconds) => `Too many requests. Please wait ${formatDuration(seconds)} and try again.`,
  ],
})
