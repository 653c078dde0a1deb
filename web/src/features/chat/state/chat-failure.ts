import { chatErrors, replyNotSaved, serviceError } from '#shared/chat-texts.ts'
import {
  ApiError,
  ConfigError,
  hasErrorName,
  NetworkError,
  NotSignedInError,
} from '../../../lib/api-errors.ts'

/** What went wrong, decided by where it went wrong and never by words in a text (DEC-017). */
export type FailureKind = 'authentication' | 'creation' | 'service' | 'connection' | 'setup' | 'unsaved'

export interface ChatFailure {
  kind: FailureKind
  /** of the catalogue, ready to be shown */
  sentence: string
}

const offline = 'You are offline. Press Retry when the connection is back.'

/** The catalogue's sentence for whatever a call threw (ERR-02 to ERR-07, DEC-018, DEC-108, DEC-109). */
export function failureOf(error: unknown): ChatFailure {
  if (error instanceof ConfigError) return { kind: 'setup', sentence: chatErrors.notInitialized }
  if (error instanceof NotSignedInError) return { kind: 'authentication', sentence: noSession(error) }
  if (error instanceof ApiError) return refusal(error)
  if (error instanceof NetworkError && !navigator.onLine) return { kind: 'connection', sentence: offline }
  // NetworkError, and whatever cut or unreadable answer: to the user all of them are "no answer"
  return { kind: 'connection', sentence: chatErrors.connection }
}

function noSession({ cause }: NotSignedInError): string {
  if (cause === undefined) return chatErrors.noSession
  const refused = cause instanceof Error && cause.name === 'NotAuthorizedException'
  return refused ? chatErrors.sessionExpired : chatErrors.authenticationFailed
}

const minuteMs = 60_000

/** Days of a budget end at midnight of another time zone, as a rule: says when that is here. */
function withLocalTime(sentence: string, retryAfterSeconds = 0): string {
  // a place among the replies at once is free in seconds
  if (retryAfterSeconds * 1_000 <= minuteMs) return sentence
  const endsAtMs = Math.round((Date.now() + retryAfterSeconds * 1_000) / minuteMs) * minuteMs
  // no formatter at the top of the module: making one costs a phone 25 ms before the first paint
  const clock = new Date(endsAtMs).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  return `${sentence} In your time zone that is ${clock}.`
}

function refusal({ status, code, userMessage: sentence, retryAfterSeconds }: ApiError): ChatFailure {
  if (status === 401) return { kind: 'authentication', sentence: chatErrors.sessionExpired }
  if (status === 403) return { kind: 'authentication', sentence: chatErrors.authenticationFailed }
  if (code === 'session_not_created') return { kind: 'creation', sentence: serviceError(sentence) }
  if (code === 'unreadable') return { kind: 'connection', sentence: chatErrors.connection }
  const told = code === 'budget' ? withLocalTime(sentence, retryAfterSeconds) : sentence
  return { kind: 'service', sentence: serviceError(told) }
}

const authenticationSentences: readonly string[] = [
  chatErrors.noSession,
  chatErrors.sessionExpired,
  chatErrors.authenticationFailed,
]

/** A sentence that arrived inside a stream. Only the catalogue's own sentences mean that one has to sign in again. */
export function failureFromStream(sentence: string): ChatFailure {
  if (sentence === replyNotSaved) return { kind: 'unsaved', sentence }
  if (authenticationSentences.includes(sentence)) return { kind: 'authentication', sentence }
  return { kind: sentence === chatErrors.connection ? 'connection' : 'service', sentence }
}

/** What to say where an answer of the user's was not taken; nothing where what stands there now says it. */
export function notTaken(error: unknown): string | undefined {
  if (error instanceof ApiError) return error.status === 404 ? undefined : failureOf(error).sentence
  if (error instanceof NetworkError) return 'Your answer did not get through. Please try again.'
  return hasErrorName(error, 'AbortError') ? undefined : failureOf(error).sentence
}

/** ERR-08, ERR-10, HIST-27 */
export function failureTitle(kind: FailureKind): string {
  if (kind === 'authentication') return 'Authentication Required'
  return kind === 'creation' ? "Oops! Couldn't create chat" : 'Chat Error'
}
