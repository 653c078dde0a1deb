import { platformSentences } from '#shared/sentences/platform.ts'
import type { Params, Sentence } from '#shared/sentences/sentence.ts'
import { buildSentence, type ParamsArgument, type SentenceTable } from '#shared/sentences/to-sentence.ts'

/** An error whose message may be logged: it contains no user data. */
export class LoggableError extends Error {}

/**
 * An error that a handler throws to return an error response. Only `error-response.ts` turns it into a response: users see the sentence;
 * `detail` and `cause` go to the log.
 */
export abstract class AppError extends LoggableError {
  /** HTTP status; never 500, which is what an unknown error gets */
  abstract readonly status: number
  /** whether somebody has to look at it; not what administrators have decided */
  get isFault(): boolean {
    return this.status >= 500
  }
  /** what happened and what to do */
  readonly sentence: Sentence
  /** machine word, part of the contract */
  readonly code: string
  /** the sentence for the user, in English */
  readonly userMessage: string
  /** sent as Retry-After when set */
  readonly retryAfterSeconds: number | undefined = undefined
  /** sent when set: which files of the request the error is about */
  readonly attachmentIds: readonly string[] | undefined = undefined

  constructor(sentence: Sentence, detail: string, options?: { cause?: unknown }) {
    super(detail, options)
    this.name = new.target.name
    this.sentence = sentence
    this.code = sentence.code
    this.userMessage = sentence.text
  }
}

/** HTTP status, id of the sentence, what is the same each time: parameters, seconds for Retry-After. */
type ErrorRow<Id> = readonly [
  status: number,
  id: Id,
  constants?: { readonly params?: Params; readonly retryAfterSeconds?: number },
]

type ErrorClass<Template extends string, Row> = Row extends readonly [number, string, { params: Params }]
  ? new (detail: string, options?: { cause?: unknown }) => AppError
  : ParamsArgument<Template> extends [infer Values]
    ? new (params: Values, options?: { cause?: unknown }) => AppError
    : new (detail: string, options?: { cause?: unknown }) => AppError

/**
 * The errors of a domain as classes by name: `throw new MessageNotFound('what goes to the log')`, or, where the sentence has parameters,
 * `throw new CredentialsRefused({ name })`.
 * @param table of the domain's sentences
 * @param rows the key is the error's name in logs
 */
export function defineErrors<
  const Table extends SentenceTable,
  const Rows extends Readonly<Record<string, ErrorRow<keyof Table & string>>>,
>(table: Table, rows: Rows) {
  const classes = Object.entries<ErrorRow<string>>(rows).map(([name, [status, id, constants]]) => {
    class DefinedError extends AppError {
      static override readonly name = name
      readonly status = status
      override readonly retryAfterSeconds = constants?.retryAfterSeconds

      constructor(about: string | Params, options?: { cause?: unknown }) {
        const isDetail = typeof about === 'string'
        super(buildSentence(table, id, isDetail ? constants?.params : about), isDetail ? about : id, options)
      }
    }
    return [name, DefinedError]
  })
  return Object.fromEntries(classes) as {
    readonly [Name in keyof Rows]: ErrorClass<Table[Rows[Name][1]], Rows[Name]>
  }
}

export class BadRequest extends AppError {
  readonly status = 400

  /** @param sentence tells the caller which part of the request is wrong; its code is `bad_request` */
  constructor(sentence: Sentence & { code: 'bad_request' }, options?: { cause?: unknown }) {
    super(sentence, sentence.text, options)
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
} = defineErrors(platformSentences, {
  BodyTooLarge: [413, 'body_too_large'],
  /** No bearer token. */
  NotSignedIn: [401, 'not_signed_in'],
  /** A token that is not, or no longer, a valid access token of this product. */
  InvalidToken: [401, 'invalid_token'],
  /** The sign-in of the token was ended, although the user pool still refreshes it. */
  SessionEnded: [401, 'session_ended'],
  /** The route is for members of the group of administrators. */
  NotAdministrator: [403, 'not_admin'],
  /** The deployment, or a group of the user, requires a second factor, and the user has none. */
  TwoFactorRequired: [403, 'two_factor_required'],
  /** An administrator may not do this to their own account, so that one always remains. */
  OwnAccount: [409, 'own_account'],
  /** The user pool has no account of this id. */
  AccountNotFound: [404, 'user_not_found'],
  /** The user pool does not answer, or not as it should. */
  UserPoolUnavailable: [503, 'account_service_unavailable'],
  /** The token comes from a refresh, and the user pool requires one from a sign-in. */
  RecentSignInRequired: [403, 'recent_sign_in_required'],
  /** The call requires a sign-in from the last minutes: a session may be stolen. */
  SignInTooOld: [403, 'sign_in_again'],
  /** The signing keys could not be fetched, so no token can be verified. */
  SignInUnavailable: [503, 'sign_in_unavailable'],
  RouteNotFound: [404, 'not_found'],
  /** The text is not the one that the sender has seen. */
  ChangedElsewhere: [409, 'changed_elsewhere'],
})

/** A limit was reached; retry after `retryAfterSeconds`. */
export abstract class LimitReached extends AppError {
  readonly status: number = 429
  override readonly retryAfterSeconds: number

  constructor(sentence: Sentence, detail: string, retryAfterSeconds: number) {
    super(sentence, detail)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * Limits of a domain as classes by name: `throw new TooManyExports('what goes to the log', retryAfterSeconds)`. A sentence may have the
 * parameter `seconds`.
 * @param ids of the sentences
 */
export function defineLimits<
  const Table extends SentenceTable,
  const Ids extends Readonly<Record<string, keyof Table & string>>,
>(table: Table, ids: Ids) {
  const classes = Object.entries<string>(ids).map(([name, id]) => {
    class DefinedLimit extends LimitReached {
      static override readonly name = name

      constructor(detail: string, seconds: number) {
        super(buildSentence(table, id, { seconds }), detail, seconds)
      }
    }
    return [name, DefinedLimit]
  })
  return Object.fromEntries(classes) as {
    readonly [Name in keyof Ids]: new (detail: string, retryAfterSeconds: number) => LimitReached
  }
}

export const { TooManyCalls } = defineLimits(platformSentences, { TooManyCalls: 'too_many_requests' })
