import { formatWait, parseRetryAfter } from '#shared/retry-after.ts'
import { findErrorKind } from './error-kinds.ts'
import { modelErrors, ModelError } from './model-errors.ts'
import { describeRejection, type ServerRejection } from './server-rejection.ts'

// What failed requests mean. It is loaded with the clients, and the kinds of errors with the chat.

/** Kinds that end a reply which has begun as a cut one: what it has is worth continuing. */
const cuttingKinds = new Set(['busy', 'broken', 'silent', 'refused', 'loading', 'memory'])

/** Of a rejection, which a server may make as long as it likes. */
const maxRejectionCharacters = 4_000

/** The server is busy, and has said for how long. */
const busyFor = (seconds: number) => ({
  ...modelErrors.busy,
  userMessage: `The assistant's model is busy. Please try again ${formatWait(seconds)}.`,
})

/** Seconds that the words of a rejection name: OpenAI's "Please try again in 20s", "in 1m30s", "in 345ms". */
function findWaitSeconds(message: string): number | undefined {
  const found = /try again in (?:(\d{1,4})m(?!s))?(?:(\d{1,5}(?:\.\d{1,9})?)(ms|s))?/i.exec(message)
  const [, minutes = '0', amount = '0', unit] = found ?? []
  return Math.ceil(Number(minutes) * 60 + Number(amount) / (unit === 'ms' ? 1_000 : 1)) || undefined
}

/**
 * The error of a server's rejection.
 * @param hasStarted whether some of the reply had arrived: then an error is a cut reply
 */
export function rejectionError(sent: ServerRejection, hasStarted: boolean, cause?: unknown): ModelError {
  const cut = (text: string) => text.slice(0, maxRejectionCharacters)
  const rejection = { ...sent, message: cut(sent.message), code: cut(sent.code), param: cut(sent.param) }
  const kind = findErrorKind(rejection)
  const retryAfterSeconds = parseRetryAfter(rejection.retryAfter) || findWaitSeconds(rejection.message)
  const described = modelErrors[hasStarted && cuttingKinds.has(kind) ? 'cut' : kind]
  const isWaitKnown = described === modelErrors.busy && retryAfterSeconds !== undefined
  return new ModelError(
    { ...(isWaitKnown ? busyFor(retryAfterSeconds) : described), retryAfterSeconds },
    describeRejection(rejection),
    { cause, rejection },
  )
}

/** Whether the same request may succeed in a moment. */
export const isWorthRetrying = (rejection: ServerRejection): boolean =>
  ['busy', 'broken', 'silent'].includes(findErrorKind(rejection))

/** The error of a connection that failed. @param hasStarted whether some of the reply had arrived */
export function connectionError(cause: Error, hasStarted: boolean): ModelError {
  // of our own fetch, which client libraries take for one without a connection
  if (cause.cause instanceof ModelError) return cause.cause
  return new ModelError(hasStarted ? modelErrors.cut : modelErrors.unreachable, 'no connection', { cause })
}

/** The error of a failure that no client library has a class for. @param hasStarted whether some of the reply had arrived */
export function unexpectedError(cause: unknown, hasStarted: boolean): ModelError {
  if (cause instanceof SyntaxError) return new ModelError(modelErrors.unreadable, 'not JSON', { cause })
  return new ModelError(hasStarted ? modelErrors.cut : modelErrors.broken, 'the call failed', { cause })
}
