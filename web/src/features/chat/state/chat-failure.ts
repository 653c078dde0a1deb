import { t } from '@lingui/core/macro'
import { withoutServicePrefix } from '#shared/service-prefix.ts'
import type { Failure } from '#shared/contracts/chat.ts'
import type { RunView } from '#shared/contracts/runs.ts'
import {
  accountDisabled,
  ApiError,
  ConfigError,
  NetworkError,
  NotSignedInError,
  sessionExpired,
} from '../../../lib/api/api-errors.ts'
import { isAccountDisabled } from '../../../lib/api/auth-events.ts'
import { toErrorDetails, type ErrorDetails } from '../../../lib/api/error-details.ts'
import { locale } from '../../../lib/text/locale.ts'
import { serverNow } from '../../../lib/browser/server-clock.ts'
import { translateSentence } from '../../../lib/text/translate.ts'

// The language is known before this module is loaded: the page is reloaded to change it.
const connectionLost = t`I'm having trouble connecting to the chat service. Please try refreshing the page or signing in again.`
const authenticationFailed = t`Authentication failed. Please refresh the page and sign in again.`
const serviceError = (message: string) => t`Service error: ${message}`

/** The kind of failure, derived from its origin and its code, never from words in a text. */
export type FailureKind =
  /** the session has ended, or was not accepted: the user has to sign in again */
  | 'authentication'
  /** a new chat could not be created */
  | 'creation'
  /** the service reports an error that no other kind describes */
  | 'service'
  /** a budget is used up, or the user calls too often, or has too many replies at once */
  | 'limit'
  /** an administrator has stopped all replies */
  | 'stopped'
  /** the service was not reached, or its response was cut off or unreadable */
  | 'connection'
  /** the page could not load its configuration */
  | 'setup'
  /** the reply is complete, but the service could not store it */
  | 'not-stored'

/** Why a reply or a request failed, as the user is told. */
export interface ChatFailure {
  kind: FailureKind
  /** for the user */
  message: string
  /** ids of the files of the message that do not exist any more */
  attachmentIds?: readonly string[] | undefined
  details?: ErrorDetails | undefined
}

/** Converts the error of a call to a failure with a message for the user. */
export const toChatFailure = (error: unknown): ChatFailure => ({
  ...describeError(error),
  details: toErrorDetails(error),
})

function describeError(error: unknown): ChatFailure {
  if (error instanceof ConfigError)
    return { kind: 'setup', message: t`Chat service not initialized. Please refresh the page.` }
  if (error instanceof NotSignedInError) return { kind: 'authentication', message: getSignInMessage(error) }
  if (error instanceof ApiError) return toApiFailure(error)
  if (error instanceof NetworkError && !navigator.onLine)
    return { kind: 'connection', message: t`You are offline. Press Retry when the connection is back.` }
  // a NetworkError, or a truncated or unreadable response
  return { kind: 'connection', message: connectionLost }
}

function getSignInMessage({ cause }: NotSignedInError): string {
  if (cause === undefined) return t`Please sign in again to continue chatting`
  if (isAccountDisabled(cause)) return accountDisabled
  const isRejected = cause instanceof Error && cause.name === 'NotAuthorizedException'
  return isRejected ? sessionExpired : authenticationFailed
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** Adds when a budget of a day or a month resets, in the user's time zone: the service means midnight UTC. */
function withLocalTime(message: string, retryAfterSeconds = 0): string {
  const waitMs = retryAfterSeconds * 1_000
  // a limit of replies at once, which has the same code, ends within seconds
  if (waitMs <= minuteMs) return message
  const endsAtMs = Math.round((Date.now() + waitMs) / minuteMs) * minuteMs
  const localTime = new Date(endsAtMs).toLocaleString(locale, {
    timeStyle: 'short',
    ...(waitMs > dayMs && { dateStyle: 'medium' }),
  })
  return t`${message} In your time zone it resets at ${{ time: localTime }}.`
}

function toApiFailure({
  status,
  code,
  userMessage: message,
  retryAfterSeconds,
  attachmentIds,
}: ApiError): ChatFailure {
  if (status === 401) return { kind: 'authentication', message: sessionExpired }
  // these say that a right is missing; signing in again would not help
  const isAboutRights = /^(model_not_allowed|not_allowed|two_factor_required)$/.test(code)
  if (status === 403 && !isAboutRights) return { kind: 'authentication', message: authenticationFailed }
  if (code === 'session_not_created') return { kind: 'creation', message: serviceError(message) }
  if (code === 'unreadable') return { kind: 'connection', message: connectionLost }
  // nothing has failed: the sentence says which limit it is, and when it ends
  if (status === 429)
    return {
      kind: 'limit',
      message: code === 'budget' ? withLocalTime(message, retryAfterSeconds) : message,
    }
  // nothing has failed here either
  if (code === 'replies_stopped') return { kind: 'stopped', message }
  return { kind: 'service', message: serviceError(message), attachmentIds }
}

/** Whether the failure is still worth showing later: a lost connection or an ended session may be back by then. */
export const isLasting = ({ kind }: ChatFailure): boolean =>
  kind !== 'connection' && kind !== 'authentication'

/** Converts the failure that a stream reports. One of a release without codes is shown as its sentence. */
export const toStreamFailure = (failure: Failure, atMs = serverNow()): ChatFailure => ({
  ...describeFailure(failure),
  details: { atMs, code: failure.code ?? 'failed', requestId: failure.requestId },
})

/** Converts the failure of a stored run; undefined if it says none. */
export const toRunFailure = ({ error, code, params, request_id, failed_at }: RunView) =>
  error === undefined
    ? undefined
    : toStreamFailure(
        { error, code, params, requestId: request_id },
        failed_at === undefined ? undefined : Date.parse(failed_at),
      )

function describeFailure({ error, code, params }: Failure): ChatFailure {
  const message = translateSentence({ code, params, text: withoutServicePrefix(error) })
  switch (code) {
    case 'budget':
      return { kind: 'limit', message }
    case 'connection_lost':
      return { kind: 'connection', message }
    case 'reply_not_stored':
      return { kind: 'not-stored', message: serviceError(message) }
    case 'replies_stopped':
      return { kind: 'stopped', message }
    case undefined:
      return { kind: 'service', message: error }
    default:
      return { kind: 'service', message: serviceError(message) }
  }
}

/** Whether it is shown as information and not as an error: somebody has stopped all replies on purpose. */
export const isNotice = (kind: FailureKind): boolean => kind === 'stopped'

/** The title of the toast about a failure that signing in again does not solve. */
export function getFailureTitle(kind: FailureKind): string {
  if (kind === 'creation') return t`Oops! Couldn't create chat`
  if (kind === 'limit') return t`Limit reached`
  return kind === 'stopped' ? t`Replies are stopped` : t`Chat Error`
}
