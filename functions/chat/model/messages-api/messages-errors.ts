import { APIConnectionError, APIConnectionTimeoutError, APIError } from '@anthropic-ai/sdk/core/error'
import { connectionError, modelErrors, ModelError, rejectionError, unexpectedError } from '../model-errors.ts'

/** `overloaded_error`, which is the server's own word for busy: https://platform.claude.com/docs/en/api/errors */
const overloadedStatus = 529

/**
 * What went wrong between us and the model, from what Anthropic's client library threw.
 * @param hasStarted whether some of the reply had arrived: then a lost connection is a cut reply
 */
export function toMessagesError(error: unknown, hasStarted: boolean): ModelError {
  if (error instanceof ModelError) return error
  if (error instanceof APIConnectionTimeoutError)
    return new ModelError(modelErrors.silent, 'timed out', { cause: error })
  if (error instanceof APIConnectionError) return connectionError(error, hasStarted)
  if (!(error instanceof APIError)) return unexpectedError(error, hasStarted)
  const status: unknown = error.status
  const message = error.apiMessage ?? error.message
  const rejection = {
    status: typeof status === 'number' ? status : undefined,
    message,
    code: error.errorCode ?? error.type ?? '',
    // the API names no parameter beside its message
    param: /\beffort\b/.test(message) ? 'output_config.effort' : '',
    retryAfter: error.headers?.get('retry-after'),
  }
  return rejectionError(
    // so that it counts as one of the statuses that all APIs have in common
    rejection.status === overloadedStatus ? { ...rejection, status: 429 } : rejection,
    hasStarted,
    error,
  )
}
