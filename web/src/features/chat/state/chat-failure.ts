import { chatErrors, replyNotSaved, serviceError } from '#shared/chat-errors.ts'
import { ApiError, ConfigError, hasErrorName, NetworkError, NotSignedInError } from '../../../lib/api-errors.ts'

/** What went wrong, decided by where it went wrong and never by words in a text (DEC-017). */
export type FailureKind = 'authentication' | 'creation' | 'service' | 'connection' | 'setup' | 'unsaved'

export interface ChatFailure {
  kind: FailureKind
  /** of the catalogue, ready to be shown */
  message: string
}

const offlineMessage = 'You are offline. Press Retry when the connection is back.'

/** The catalogue's sentence for whatever a call threw (ERR-02 to ERR-07, DEC-018, DEC-108, DEC-109). */
export function toChatFailure(error: unknown): ChatFailure {
  if (error instanceof ConfigError) return { kind: 'setup', message: chatErrors.notInitialized }
  if (error instanceof NotSignedInError) return { kind: 'authentication', message: signInMessage(error) }
  if (error instanceof ApiError) return apiFailure(error)
  if (error instanceof NetworkError && !navigator.onLine)
    return { kind: 'connection', message: offlineMessage }
  // NetworkError, and whatever cut or unreadable answer: to the user all of them are "no answer"
  return { kind: 'connection', message: chatErrors.connection }
}

function signInMessage({ cause }: NotSignedInError): string {
  if (cause === undefined) return chatErrors.noSession
  const isRejected = cause instanceof Error && cause.name === 'NotAuthorizedException'
  return isRejected ? chatErrors.sessionExpired : chatErrors.authenticationFailed
}

const minuteMs = 60_000

/** Days of a budget end at midnight of another time zone, as a rule: says when that is here. */
function withLocalTime(message: string, retryAfterSeconds = 0): string {
  // a place among the replies at once is free in seconds
  if (retryAfterSeconds * 1_000 <= minuteMs) return message
  const endsAtMs = Math.round((Date.now() + retryAfterSeconds * 1_000) / minuteMs) * minuteMs
  // no formatter at the top of the module: making one costs a phone 25 ms before the first paint
  const clock = new Date(endsAtMs).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  return `${message} In your time zone that is ${clock}.`
}

function apiFailure({ status, code, userMessage: message, retryAfterSeconds }: ApiError): ChatFailure {
  if (status === 401) return { kind: 'authentication', message: chatErrors.sessionExpired }
  if (status === 403) return { kind: 'authentication', message: chatErrors.authenticationFailed }
  if (code === 'session_not_created') return { kind: 'creation', message: serviceError(message) }
  if (code === 'unreadable') return { kind: 'connection', message: chatErrors.connection }
  const text = code === 'budget' ? withLocalTime(message, retryAfterSeconds) : message
  return { kind: 'service', message: serviceError(text) }
}

const authenticationMessages: readonly string[] = [
  chatErrors.noSession,
  chatErrors.sessionExpired,
  chatErrors.authenticationFailed,
]

/** A sentence that arrived inside a stream. Only the catalogue's own sentences mean that one has to sign in again. */
export function failureFromStream(message: string): ChatFailure {
  if (message === replyNotSaved) return { kind: 'unsaved', message }
  if (authenticationMessages.includes(message)) return { kind: 'authentication', message }
  return { kind: message === chatErrors.connection ? 'connection' : 'service', message }
}

/** What to say where an answer of the user's was not taken; nothing where what stands there now says it. */
export function decisionErrorMessage(error: unknown): string | undefined {
  if (error instanceof ApiError) return error.status === 404 ? undefined : toChatFailure(error).message
  if (error instanceof NetworkError) return 'Your answer did not get through. Please try again.'
  return hasErrorName(error, 'AbortError') ? undefined : toChatFailure(error).message
}

/** ERR-08, ERR-10, HIST-27 */
export function failureTitle(kind: FailureKind): string {
  if (kind === 'authentication') return 'Authentication Required'
  return kind === 'creation' ? "Oops! Couldn't create chat" : 'Chat Error'
}
