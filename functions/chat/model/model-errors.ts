import { AppError } from '../../platform/errors.ts'

/** A server's error, in the terms that the APIs have in common. */
export interface ServerRejection {
  /** undefined for an error inside a stream */
  status: number | undefined
  message: string
  code: string
  /** the parameter that the server names */
  param: string
  retryAfter?: string | null | undefined
}

/** Why no proper reply came from the model; `userMessage` completes 'Service error: …'. */
export class ModelError extends AppError {
  readonly code: string
  readonly status: number
  readonly userMessage: string
  override readonly retryAfterSeconds: number | undefined
  /** what the server said, if it rejected the request */
  readonly rejection: ServerRejection | undefined

  constructor(
    kind: { code: string; status: number; userMessage: string; retryAfterSeconds?: number | undefined },
    detail: string,
    { rejection, ...options }: { cause?: unknown; rejection?: ServerRejection } = {},
  ) {
    super(detail, options)
    this.rejection = rejection
    this.code = kind.code
    this.status = kind.status
    this.userMessage = kind.userMessage
    this.retryAfterSeconds = kind.retryAfterSeconds
  }
}

/** What each kind of fault is called. None says whose key or which address: that is the operator's business, and logged. */
export const modelErrors = {
  unreachable: {
    code: 'model_unreachable',
    status: 502,
    userMessage: "The assistant's model could not be reached. Please try again in a moment.",
  },
  silent: {
    code: 'model_silent',
    status: 504,
    userMessage: "The assistant's model did not answer in time. Please try again.",
  },
  key: {
    code: 'model_key_refused',
    status: 502,
    userMessage: "The assistant's model refused this product's key. Please tell the people who run it.",
  },
  notPermitted: {
    code: 'model_not_permitted',
    status: 502,
    userMessage:
      'This assistant may not use the chosen model. Please choose another model, or tell the people who run it.',
  },
  unknownModel: {
    code: 'model_unknown',
    status: 502,
    userMessage: 'The configured model does not exist. Please tell the people who run this assistant.',
  },
  retired: {
    code: 'model_retired',
    status: 502,
    userMessage:
      'This model has been shut down by its provider. Please choose another model, or tell the people who run this assistant.',
  },
  effort: {
    code: 'model_effort_rejected',
    status: 502,
    userMessage: 'This model does not support the chosen reasoning effort. Please choose another one.',
  },
  tooLong: {
    code: 'model_context_exceeded',
    status: 502,
    userMessage:
      'This conversation is too long for the model. Please start a new one, or choose a model with a larger context window.',
  },
  filtered: {
    code: 'model_filtered',
    status: 502,
    userMessage: "The model's content filter stopped this reply. Please rephrase your message.",
  },
  busy: {
    code: 'model_busy',
    status: 503,
    userMessage: "The assistant's model is busy. Please try again in a moment.",
  },
  badCall: {
    code: 'model_bad_call',
    status: 502,
    userMessage:
      'The model wrote a call of a tool that its server could not read. Please try again, or choose another model.',
  },
  refused: {
    code: 'model_refused',
    status: 502,
    userMessage: "The assistant's model could not take this conversation. Please try a shorter message.",
  },
  broken: {
    code: 'model_broken',
    status: 502,
    userMessage: "The assistant's model had a problem. Please try again in a moment.",
  },
  cut: {
    code: 'model_cut',
    status: 502,
    userMessage: 'The reply was cut off. Please try again.',
  },
  unreadable: {
    code: 'model_unreadable',
    status: 502,
    userMessage: "The assistant's model sent a reply that could not be read. Please try again.",
  },
  empty: {
    code: 'model_empty',
    status: 502,
    userMessage: "The assistant's model sent an empty reply. Please try again.",
  },
} as const

type ErrorKind = (typeof modelErrors)[keyof typeof modelErrors]

/**
 * Kinds that servers tell apart by their words or codes, not by the status.
 * OpenAI: https://github.com/openai/openai-quickstart-node/issues/127 (retired), https://github.com/openai/codex/issues/6647 (effort);
 * the codes `context_length_exceeded` and `content_filter` are those of its error reference. NVIDIA retires with 410:
 * https://github.com/NVIDIA/NemoClaw/issues/11902. Anthropic: "prompt is too long: 215001 tokens > 200000 maximum".
 */
const kindsByText: readonly [kind: ErrorKind, pattern: RegExp][] = [
  [modelErrors.badCall, /^tool_use_failed/],
  [
    modelErrors.retired,
    /model.*(deprecated|retired|shut ?down|end of (its )?life|no longer (available|supported))/,
  ],
  [
    modelErrors.tooLong,
    /context_length_exceeded|context (length|window)|maximum context|(prompt|input) is too long/,
  ],
  [modelErrors.filtered, /content_filter|content_policy|content management policy|invalid_prompt/],
]

function findErrorKind({ status, message, code, param }: ServerRejection, hasStarted: boolean): ErrorKind {
  const text = `${code} ${message}`.toLowerCase()
  // an error inside the stream has no status of its own
  if (status === undefined) {
    if (/rate_limit|overloaded|throttl/.test(text)) return hasStarted ? modelErrors.cut : modelErrors.busy
    return (
      kindsByText.find(([, pattern]) => pattern.test(code))?.[0] ??
      (hasStarted ? modelErrors.cut : modelErrors.broken)
    )
  }
  // AWS names its errors so: there is no key, and a permission, a signature or access to the model is missing
  if (status === 403 && code.endsWith('Exception')) return modelErrors.notPermitted
  if (status === 401 || status === 403) return modelErrors.key
  if (status === 429) return modelErrors.busy
  if (status === 408 || status === 504) return modelErrors.silent
  if (status >= 500) return modelErrors.broken
  // if a model does not reason, Chat Completions names the rejected parameter in the text only
  if (
    /^(reasoning_effort|reasoning\.effort|output_config\.effort)$/.test(param) ||
    /(unrecognized|unsupported|unknown|invalid)[\s\S]*reasoning[_.]effort/.test(text)
  )
    return modelErrors.effort
  const kind = kindsByText.find(([, pattern]) => pattern.test(text))?.[0]
  if (kind) return kind
  return status === 404 || status === 410 ? modelErrors.unknownModel : modelErrors.refused
}

const toRetrySeconds = (header: string | null | undefined) => {
  const seconds = Number(header)
  return Number.isInteger(seconds) && seconds > 0 && seconds <= 3_600 ? seconds : undefined
}

/**
 * The error of a server's rejection.
 * @param hasStarted whether some of the reply had arrived: then an error is a cut reply
 */
export function rejectionError(rejection: ServerRejection, hasStarted: boolean, cause?: unknown): ModelError {
  const retryAfterSeconds = toRetrySeconds(rejection.retryAfter)
  return new ModelError(
    { ...findErrorKind(rejection, hasStarted), retryAfterSeconds },
    `the model answered ${String(rejection.status)}`,
    { cause, rejection },
  )
}

/** The error of a connection that failed. @param hasStarted whether some of the reply had arrived */
export function connectionError(cause: unknown, hasStarted: boolean): ModelError {
  return new ModelError(hasStarted ? modelErrors.cut : modelErrors.unreachable, 'no connection', { cause })
}

/** The error of a failure that no client library has a class for. @param hasStarted whether some of the reply had arrived */
export function unexpectedError(cause: unknown, hasStarted: boolean): ModelError {
  if (cause instanceof SyntaxError) return new ModelError(modelErrors.unreadable, 'not JSON', { cause })
  return new ModelError(hasStarted ? modelErrors.cut : modelErrors.broken, 'the call failed', { cause })
}

const unbilledCodes: readonly string[] = [
  modelErrors.key,
  modelErrors.notPermitted,
  modelErrors.unknownModel,
  modelErrors.retired,
  modelErrors.effort,
  modelErrors.tooLong,
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
