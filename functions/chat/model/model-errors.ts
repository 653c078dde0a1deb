import { AppError } from '../../platform/errors.ts'
import type { ServerRejection } from './server-rejection.ts'

export type { ServerRejection }

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

/**
 * What each kind of fault is called. None says whose key or which address, or a cause that is not known: the log has the server's words,
 * cleaned.
 */
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
  noCredit: {
    code: 'model_no_credit',
    status: 502,
    userMessage:
      "The account for the assistant's model has no credit left. Please tell the people who run this assistant.",
  },
  spendLimit: {
    code: 'model_spend_limit',
    status: 502,
    userMessage:
      "The account for the assistant's model has used up its quota or its spending limit. Please tell the people who run this assistant.",
  },
  suspended: {
    code: 'model_account_suspended',
    status: 502,
    userMessage:
      "The provider has suspended the account for the assistant's model. Please tell the people who run this assistant.",
  },
  policy: {
    code: 'model_not_allowed_by_account',
    status: 502,
    userMessage:
      "The settings of the account for the assistant's model do not allow this model: its data policy or its list of providers. Please choose another model, or tell the people who run this assistant.",
  },
  memory: {
    code: 'model_out_of_memory',
    status: 502,
    userMessage:
      "The model, or this conversation, needs more memory than the model's server has. Please start a new conversation, choose a smaller model, or tell the people who run this assistant.",
  },
  loading: {
    code: 'model_loading',
    status: 503,
    userMessage: "The assistant's model is still being loaded. Please try again in a minute.",
  },
  region: {
    code: 'model_region',
    status: 502,
    userMessage:
      "The provider of the assistant's model does not serve the region that this assistant runs in. Please choose another model, or tell the people who run it.",
  },
  notModelServer: {
    code: 'model_server_missing',
    status: 502,
    userMessage:
      "The address of the assistant's model does not answer as a model does. Please tell the people who run this assistant.",
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
    userMessage:
      "The assistant's model did not accept this request. Please try again, or tell the people who run this assistant.",
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
  outOfLength: {
    code: 'model_out_of_length',
    status: 502,
    userMessage:
      'The model used up its limit of length before it wrote an answer. Please ask for less, choose less reasoning effort, or tell the people who run this assistant.',
  },
  empty: {
    code: 'model_empty',
    status: 502,
    userMessage: "The assistant's model sent an empty reply. Please try again.",
  },
} as const

const unbilledCodes: readonly string[] = [
  modelErrors.key,
  modelErrors.notPermitted,
  modelErrors.unknownModel,
  modelErrors.retired,
  modelErrors.noCredit,
  modelErrors.spendLimit,
  modelErrors.suspended,
  modelErrors.policy,
  modelErrors.memory,
  modelErrors.loading,
  modelErrors.region,
  modelErrors.notModelServer,
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
