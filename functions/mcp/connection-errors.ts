import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client'
import { UnexpectedAnswer } from './read-responses.ts'

// What errors of the MCP client say about the server: its status, its refusal, a lost session, a missing scope.

/** An error, and what caused it, from the outermost one on. */
export function* walkCauses(error: unknown): Generator<Error> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) yield cause
}

/** The server's error, if it answered with one. */
export const findProtocolError = (error: unknown): ProtocolError | undefined =>
  [...walkCauses(error)].find((cause) => cause instanceof ProtocolError)

/** What a server said about a refusal, or in place of an answer: untrusted. */
export function describeRefusal(error: unknown): string {
  const refusal = findProtocolError(error)
  if (refusal)
    return `${refusal.message} ${JSON.stringify(refusal.data ?? '')}`.slice(0, maxRefusalCharacters)
  for (const cause of walkCauses(error)) {
    if (cause instanceof SdkHttpError) return cause.message.slice(0, maxRefusalCharacters)
    if (cause instanceof UnexpectedAnswer) return cause.text.slice(0, maxRefusalCharacters)
  }
  return ''
}

const maxRefusalCharacters = 2_000

/** The HTTP status that an error of the client is about. */
export function getHttpStatus(error: unknown): number | undefined {
  for (const cause of walkCauses(error)) {
    if (cause instanceof InsufficientScopeError) return 403
    if (cause instanceof SdkHttpError && cause.status !== undefined) return cause.status
  }
  return undefined
}

/** @returns the scopes that a server wants besides the granted ones (`insufficient_scope`); undefined for other errors */
export function findMissingScope(error: unknown): string | undefined {
  for (const cause of walkCauses(error))
    if (cause instanceof InsufficientScopeError) return cause.requiredScope ?? ''
  return undefined
}

/** How much is known about a call that was sent on a session which the server does not know any more. */
export type LostSession = { wasRefused: boolean }

/**
 * Refusals of a message that no tool has seen: 404 is the protocol's, servers answer 410 as well
 * (https://github.com/modelcontextprotocol/typescript-sdk/issues/1402), those of the Rust SDK 422.
 */
const lostStatuses = new Set([404, 410, 422])
/** Statuses that say something else than that a session is unknown. */
const otherStatuses = new Set([401, 403, 408, 429])

/** Servers that were started again name no session: https://github.com/anthropics/claude-code/issues/55970. */
const namesLostSession = /session|server (is )?not (yet )?initiali[sz]ed|request before initiali[sz]ation/i

/** The Python SDK's answer to whatever comes before the handshake. */
const pythonRefusal = { code: -32_602, message: 'Invalid request parameters' }

/** A fault that names the session, and says that there is none: `Session store is down` is about something else. */
const namesNoSession =
  /\b(?:no|not|invalid|unknown|expired|missing)\b[^.]{0,30}\bsession|\bsession\b[^.]{0,60}\b(?:not found|expired|unknown|invalid|does not exist)\b/i

/**
 * Whether the server no longer knows the session, or the connection is closed. The protocol has the status 404 for it; servers answer
 * others, a text, or an error that names the session.
 * @param hasSession whether the call named a session: without one, the server's words are about something else, perhaps after the call
 * @returns `wasRefused`: the call surely was not made, because no tool has seen it
 */
export function findLostSession(error: unknown, hasSession: boolean): LostSession | undefined {
  if (error instanceof SdkError && error.code === SdkErrorCode.NotConnected) return { wasRefused: true }
  const status = getHttpStatus(error)
  const description = describeRefusal(error)
  if (status !== undefined && lostStatuses.has(status)) return { wasRefused: hasSession }
  if (status !== undefined && status >= 400 && status < 500)
    return namesLostSession.test(description) && !otherStatuses.has(status)
      ? { wasRefused: hasSession }
      : undefined
  const refusal = findProtocolError(error)
  if (hasSession && refusal?.code === pythonRefusal.code && refusal.message === pythonRefusal.message)
    return { wasRefused: false }
  // a fault, a text and an error of the protocol may also be what the tool itself says, such as of a session at its own service
  const pattern = refusal && status === undefined ? namesLostSession : namesNoSession
  return pattern.test(description) ? { wasRefused: false } : undefined
}
