import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai'
import { AppError } from '../../platform/errors.ts'

/** Why no proper reply came from the model; `sentence` completes 'Service error: …'. */
export class ModelError extends AppError {
  readonly code: string
  readonly status: number
  readonly sentence: string
  override readonly retryAfterSeconds: number | undefined

  constructor(
    kind: { code: string; status: number; sentence: string; retryAfterSeconds?: number },
    detail: string,
    options?: { cause?: unknown },
  ) {
    super(detail, options)
    this.code = kind.code
    this.status = kind.status
    this.sentence = kind.sentence
    this.retryAfterSeconds = kind.retryAfterSeconds
  }
}

/** What each kind of fault is called. None says whose key or which address: that is the operator's business, and logged. */
export const modelErrors = {
  unreachable: {
    code: 'model_unreachable',
    status: 502,
    sentence: "The assistant's model could not be reached. Please try again in a moment.",
  },
  silent: {
    code: 'model_silent',
    status: 504,
    sentence: "The assistant's model did not answer in time. Please try again.",
  },
  key: {
    code: 'model_key_refused',
    status: 502,
    sentence: "The assistant's model refused this product's key. Please tell the people who run it.",
  },
  unknownModel: {
    code: 'model_unknown',
    status: 502,
    sentence: 'The configured model does not exist. Please tell the people who run this assistant.',
  },
  busy: {
    code: 'model_busy',
    status: 503,
    sentence: "The assistant's model is busy. Please try again in a moment.",
  },
  refused: {
    code: 'model_refused',
    status: 502,
    sentence: "The assistant's model could not take this conversation. Please try a shorter message.",
  },
  broken: {
    code: 'model_broken',
    status: 502,
    sentence: "The assistant's model had a problem. Please try again in a moment.",
  },
  cut: {
    code: 'model_cut',
    status: 502,
    sentence: 'The reply was cut off. Please try again.',
  },
  unreadable: {
    code: 'model_unreadable',
    status: 502,
    sentence: "The assistant's model sent a reply that could not be read. Please try again.",
  },
  empty: {
    code: 'model_empty',
    status: 502,
    sentence: "The assistant's model sent an empty reply. Please try again.",
  },
} as const

function findErrorKind(status: number): (typeof modelErrors)[keyof typeof modelErrors] {
  if (status === 401 || status === 403) return modelErrors.key
  if (status === 404) return modelErrors.unknownModel
  if (status === 429) return modelErrors.busy
  if (status === 408 || status === 504) return modelErrors.silent
  return status >= 500 ? modelErrors.broken : modelErrors.refused
}

/**
 * What went wrong between us and the model, from what the client library threw.
 * @param hasStarted whether some of the reply had arrived: then a lost connection is a cut reply
 */
export function toModelError(error: unknown, hasStarted: boolean): ModelError {
  if (error instanceof ModelError) return error
  if (error instanceof APIConnectionTimeoutError)
    return new ModelError(modelErrors.silent, 'timed out', { cause: error })
  if (error instanceof APIConnectionError)
    return new ModelError(hasStarted ? modelErrors.cut : modelErrors.unreachable, 'no connection', {
      cause: error,
    })
  if (error instanceof APIError) {
    const status: unknown = error.status
    // an error inside the stream has no status of its own
    const kind =
      typeof status === 'number' ? findErrorKind(status) : hasStarted ? modelErrors.cut : modelErrors.broken
    const seconds = Number((error.headers as Headers | undefined)?.get('retry-after'))
    const retryAfterSeconds =
      Number.isInteger(seconds) && seconds > 0 && seconds <= 3_600 ? seconds : undefined
    return new ModelError(
      { ...kind, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) },
      `the model answered ${String(status)}`,
      { cause: error },
    )
  }
  if (error instanceof SyntaxError)
    return new ModelError(modelErrors.unreadable, 'not JSON', { cause: error })
  return new ModelError(hasStarted ? modelErrors.cut : modelErrors.broken, 'the call failed', {
    cause: error,
  })
}

const unbilledCodes: readonly string[] = [
  modelErrors.key,
  modelErrors.unknownModel,
  modelErrors.busy,
  modelErrors.refused,
].map(({ code }) => code)
const notConnectedCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

/** Whether a network error anywhere in the chain of causes says that nothing was sent. */
function wasNeverSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return notConnectedCodes.has(String((error as NodeJS.ErrnoException).code)) || wasNeverSent(error.cause)
}

/** Whether the server rejected the request or was unreachable, so that nothing is billed. */
export function isUnbilled(error: unknown): boolean {
  return error instanceof ModelError && (unbilledCodes.includes(error.code) || wasNeverSent(error.cause))
}
