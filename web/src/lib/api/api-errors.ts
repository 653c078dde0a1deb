import { t } from '@lingui/core/macro'
import { isAccountDisabled } from './auth-events.ts'
import { serverNow } from '../browser/server-clock.ts'

/** The message for a user whose account an administrator has disabled. */
export const accountDisabled = t`This account is disabled. Ask the person who runs the site.`
/** The message for a user whose tokens are no longer valid. */
export const sessionExpired = t`Your session has expired. Please refresh the page and sign in again.`

/** The API responded with an error, or with a body in another format than the API's; or the store of files or the user pool refused. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** code of the error contract, e.g. `session_not_found`; of the page: `unreadable` (another format), `store_failed`, `revoke_refused` */
  readonly code: string
  /** what to show the user */
  readonly userMessage: string
  /** which files of the request the error is about, if it names them */
  readonly attachmentIds: readonly string[] | undefined
  /** from the Retry-After header, if present */
  readonly retryAfterSeconds: number | undefined
  /** of the request, by which it is found in the logs, if the response has it */
  readonly requestId: string | undefined
  /** when it came, by the clock of the service, in milliseconds since 1970 */
  readonly atMs = serverNow()

  constructor(fields: {
    status: number
    code: string
    userMessage: string
    attachmentIds?: readonly string[] | undefined
    retryAfterSeconds?: number | undefined
    requestId?: string | undefined
  }) {
    super(`${fields.status} ${fields.code}`)
    this.status = fields.status
    this.code = fields.code
    this.userMessage = fields.userMessage
    this.attachmentIds = fields.attachmentIds
    this.retryAfterSeconds = fields.retryAfterSeconds
    this.requestId = fields.requestId
  }
}

/** No response: offline, connection lost or timed out. The request may have been carried out. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
  /** whether the wait for the response was given up */
  readonly hasTimedOut: boolean

  constructor({ hasTimedOut = false, ...options }: ErrorOptions & { hasTimedOut?: boolean } = {}) {
    super(hasTimedOut ? 'no answer in time' : 'no connection', options)
    this.hasTimedOut = hasTimedOut
  }
}

/** No user is signed in, or their tokens are no longer valid. */
export class NotSignedInError extends Error {
  override readonly name = 'NotSignedInError'
}

/** /config.json is missing or invalid, so the API cannot be called. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Whether the same call may succeed later: no response, an unreadable one, a server error or a rate limit. Other client errors, a missing
 * sign-in and a faulty configuration are permanent.
 */
export function isRetryable(error: unknown): boolean {
  if (error instanceof ApiError) return error.status < 400 || error.status >= 500 || error.status === 429
  return !(error instanceof NotSignedInError || error instanceof ConfigError)
}

/** Whether the service says that what was asked for does not exist. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** Handles the error of a call that deletes: a 404 says that somebody has deleted it already. */
export function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error
}

/** The message to show for a failed call, in the language of the page. Any error has one. */
export function getErrorMessage(error: unknown): string {
  if (error instanceof ApiError) return error.userMessage
  if (error instanceof NotSignedInError)
    return isAccountDisabled(error.cause) ? accountDisabled : t`Please sign in again.`
  if (error instanceof NetworkError && !navigator.onLine)
    return t`You are offline. Please try again when you are online.`
  return t`The service could not be reached. Please try again.`
}

/** Whether a thrown value has this name. Aborts are recognised by it alone, because they are not always an `Error`. */
export function hasErrorName(error: unknown, name: string): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === name
}
