import { sayModel } from '#shared/sentences/model.ts'
import type { Sentence } from '#shared/sentences/sentence.ts'
import { findErrorKind } from './error-kinds.ts'
import { modelErrors, ModelError } from './model-errors.ts'
import { readWait } from './reported-wait.ts'
import { describeRejection, type ServerRejection } from './server-rejection.ts'

// What failed requests mean. It is loaded with the clients, and the kinds of errors with the chat.

/** Kinds that end a reply which has begun as a cut one: what it has is worth continuing. */
const cuttingKinds = new Set(['busy', 'broken', 'silent', 'refused', 'loading', 'memory'])

/** Of a rejection, which a server may make as long as it likes. */
const maxRejectionCharacters = 4_000

/** What a busy server has ended, and for how long it is busy, if it says so. */
function findSentence(hasStarted: boolean, seconds: number | undefined): Sentence {
  if (seconds === undefined) return hasStarted ? sayModel('model_cut.busy') : sayModel('model_busy')
  return hasStarted ? sayModel('model_cut.busy_wait', { seconds }) : sayModel('model_busy.wait', { seconds })
}

/**
 * The error of a server's rejection.
 * @param hasStarted whether some of the reply had arrived: then an error is a cut reply
 */
export function rejectionError(sent: ServerRejection, hasStarted: boolean): ModelError {
  const cut = (text: string) => text.slice(0, maxRejectionCharacters)
  const rejection = { ...sent, message: cut(sent.message), code: cut(sent.code), param: cut(sent.param) }
  const kind = findErrorKind(rejection)
  const retryAfterSeconds = readWait(rejection)
  const described = modelErrors[hasStarted && cuttingKinds.has(kind) ? 'cut' : kind]
  const sentence = kind === 'busy' ? findSentence(hasStarted, retryAfterSeconds) : described.sentence
  return new ModelError({ ...described, sentence, retryAfterSeconds }, describeRejection(rejection), {
    rejection,
  })
}

/** Whether the same request may succeed in a moment. */
export const isWorthRetrying = (rejection: ServerRejection): boolean =>
  ['busy', 'broken', 'silent'].includes(findErrorKind(rejection))

/** Whether undici has waited for its limit: five minutes for the first byte, and for each further one. */
const isTimeout = ({ cause }: Error) =>
  /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(String((cause as NodeJS.ErrnoException | undefined)?.code))

/** The error of a request that brought no answer. */
export function connectionError(cause: unknown): ModelError {
  // of what sends the requests: their headers, signature or address
  if (!(cause instanceof TypeError) || isTimeout(cause)) return toModelError(cause, false)
  return new ModelError(modelErrors.unreachable, 'no connection', { cause })
}

/** The error of a failure. @param hasStarted whether some of the reply had arrived: then a lost connection is a cut reply */
export function toModelError(cause: unknown, hasStarted: boolean): ModelError {
  if (cause instanceof ModelError) return cause
  const isSilent = cause instanceof Error && isTimeout(cause)
  const kind = hasStarted ? modelErrors.cut : isSilent ? modelErrors.silent : modelErrors.broken
  return new ModelError(kind, 'the call failed', { cause })
}
