/** The API answered with an error of its own, or with something that is no answer of ours. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** machine word of the error contract, e.g. `session_not_found`; `unreadable` when the body was not ours */
  readonly code: string
  /** what to show the user */
  readonly userMessage: string
  readonly requestId: string | undefined
  /** from Retry-After, when the answer names one */
  readonly retryAfterSeconds: number | undefined

  constructor(answer: {
    status: number
    code: string
    userMessage: string
    requestId?: string | undefined
    retryAfterSeconds?: number | undefined
  }) {
    super(`${answer.status} ${answer.code}`)
    this.status = answer.status
    this.code = answer.code
    this.userMessage = answer.userMessage
    this.requestId = answer.requestId
    this.retryAfterSeconds = answer.retryAfterSeconds
  }
}

/** No answer came: offline, cut, or longer than the time-out. The request may or may not have been carried out. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
  readonly timedOut: boolean

  constructor(timedOut: boolean, options?: ErrorOptions) {
    super(timedOut ? 'no answer in time' : 'no connection', options)
    this.timedOut = timedOut
  }
}

/** Nobody is signed in, or the session has ended. */
export class NotSignedInError extends Error {
  override readonly name = 'NoSessionError'
}

/** /config.json is missing or invalid, so nothing can be called (DEC-108). */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Whether the same call may succeed later: no answer, a service in trouble, too many calls at once. What the caller got wrong, a
 * missing session and a faulty configuration stay as they are.
 */
export function isRetryable(error: unknown): boolean {
  if (error instanceof ApiError) return error.status < 400 || error.status >= 500 || error.status === 429
  return !(error instanceof NotSignedInError || error instanceof ConfigError)
}

/** What to tell the user about a call that failed. */
export function errorMessage(error: unknown): string {
  if (error instanceof ApiError) return error.userMessage
  if (error instanceof NetworkError && !navigator.onLine)
    return 'You are offline. Please try again when you are back.'
  return 'The service could not be reached. Please try again.'
}

/** Whether something thrown carries this name; aborts are told apart by nothing else, and are not always an `Error`. */
export function hasErrorName(error: unknown, name: string): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === name
}
