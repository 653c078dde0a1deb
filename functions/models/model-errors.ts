import { modelSentences } from '#shared/sentences/model.ts'
import type { Sentence } from '#shared/sentences/sentence.ts'
import { buildSentence } from '#shared/sentences/to-sentence.ts'
import { AppError } from '../platform/errors.ts'
import type { ServerRejection } from './server-rejection.ts'

export type { ServerRejection }

/** What kind of fault it is. */
export interface ModelErrorKind {
  readonly status: number
  readonly sentence: Sentence
  readonly retryAfterSeconds?: number | undefined
}

/** Why no proper reply came from the model; `userMessage` completes 'Service error: …'. */
export class ModelError extends AppError {
  readonly status: number
  override readonly retryAfterSeconds: number | undefined
  /** what the server said, if it rejected the request */
  readonly rejection: ServerRejection | undefined

  constructor(
    { sentence, status, retryAfterSeconds }: ModelErrorKind,
    detail: string,
    { rejection, ...options }: { cause?: unknown; rejection?: ServerRejection } = {},
  ) {
    super(sentence, detail, options)
    this.rejection = rejection
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const kind = <const Code extends Exclude<keyof typeof modelSentences, `${string}.${string}`>>(
  code: Code,
  status = 502,
) => ({
  code,
  status,
  sentence: buildSentence(modelSentences, code),
})

/**
 * What each kind of fault is called. None says whose key or which address, or a cause that is not known: the log has the server's words,
 * cleaned.
 */
export const modelErrors = {
  unreachable: kind('model_unreachable'),
  silent: kind('model_silent', 504),
  key: kind('model_key_refused'),
  notPermitted: kind('model_not_permitted'),
  unknownModel: kind('model_unknown'),
  retired: kind('model_retired'),
  noCredit: kind('model_no_credit'),
  spendLimit: kind('model_spend_limit'),
  suspended: kind('model_account_suspended'),
  policy: kind('model_not_allowed_by_account'),
  memory: kind('model_out_of_memory'),
  loading: kind('model_loading', 503),
  region: kind('model_region'),
  notModelServer: kind('model_server_missing'),
  effort: kind('model_effort_rejected'),
  tooLong: kind('model_context_exceeded'),
  filtered: kind('model_filtered'),
  busy: kind('model_busy', 503),
  badCall: kind('model_bad_call'),
  refused: kind('model_refused'),
  broken: kind('model_broken'),
  cut: kind('model_cut'),
  unreadable: kind('model_unreadable'),
  outOfLength: kind('model_out_of_length'),
  empty: kind('model_empty'),
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

/** Whether a server has refused a request because it is too long for the model. */
export const isPromptTooLong = (error: unknown): boolean =>
  error instanceof ModelError && error.code === modelErrors.tooLong.code
