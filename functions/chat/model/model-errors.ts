import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai'
import { AppError } from '../../platform/errors.ts'

/** Why no proper reply came from the model; `sentence` completes 'Service error: …'. */
export class ModelFault extends AppError {
  readonly code: string
  readonly status: number
  readonly sentence: string
  override readonly retryAfterSeconds: number | undefined

  constructor(
    fault: { code: string; status: number; sentence: string; retryAfterSeconds?: number },
    detail: string,
    options?: { cause?: unknown },
  ) {
    super(detail, options)
    this.code = fault.code
    this.status = fault.status
    this.sentence = fault.sentence
    this.retryAfterSeconds = fault.retryAfterSeconds
  }
}

/** What each kind of fault is called. None says whose key or which address: that is the operator's business, and logged. */
export const faults = {
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

function faultOfStatus(status: number): (typeof faults)[keyof typeof faults] {
  if (status === 401 || status === 403) return faults.key
  if (status === 404) return faults.unknownModel
  if (status === 429) return faults.busy
  if (status === 408 || status === 504) return faults.silent
  return status >= 500 ? faults.broken : faults.refused
}

/**
 * What went wrong between us and the model, from what the client library threw.
 * @param begun whether some of the reply had arrived: then a lost connection is a cut reply
 */
export function modelFault(error: unknown, begun: boolean): ModelFault {
  if (error instanceof ModelFault) return error
  if (error instanceof APIConnectionTimeoutError)
    return new ModelFault(faults.silent, 'timed out', { cause: error })
  if (error instanceof APIConnectionError)
    return new ModelFault(begun ? faults.cut : faults.unreachable, 'no connection', { cause: error })
  if (error instanceof APIError) {
    const status: unknown = error.status
    // an error inside the stream has no status of its own
    const fault = typeof status === 'number' ? faultOfStatus(status) : begun ? faults.cut : faults.broken
    const seconds = Number((error.headers as Headers | undefined)?.get('retry-after'))
    const retryAfterSeconds =
      Number.isInteger(seconds) && seconds > 0 && seconds <= 3_600 ? seconds : undefined
    return new ModelFault(
      { ...fault, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) },
      `the model answered ${String(status)}`,
      { cause: error },
    )
  }
  if (error instanceof SyntaxError) return new ModelFault(faults.unreadable, 'not JSON', { cause: error })
  return new ModelFault(begun ? faults.cut : faults.broken, 'the call failed', { cause: error })
}

const noWork: readonly string[] = [faults.key, faults.unknownModel, faults.busy, faults.refused].map(
  ({ code }) => code,
)
const noConnection = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

/** Whether a network error anywhere in the chain of causes says that nothing was sent. */
function wasNeverSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return noConnection.has(String((error as NodeJS.ErrnoException).code)) || wasNeverSent(error.cause)
}

/** Whether the model's server turned a request away, or was not there: nobody pays for such a request. */
export function isUnbilled(error: unknown): boolean {
  return error instanceof ModelFault && (noWork.includes(error.code) || wasNeverSent(error.cause))
}
