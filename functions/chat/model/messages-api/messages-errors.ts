import { APIConnectionError, APIConnectionTimeoutError, APIError } from '@anthropic-ai/sdk/core/error'
import { modelErrors, ModelError } from '../model-errors.ts'
import { connectionError, rejectionError, unexpectedError } from '../request-errors.ts'
import { readRejection } from '../server-rejection.ts'

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
  const rejection = readRejection(error.error ?? error.message, {
    status: typeof status === 'number' ? status : undefined,
    retryAfter: error.headers?.get('retry-after'),
  })
  // the API names no parameter beside its message
  const param = rejection.param || (/\beffort\b/.test(rejection.message) ? 'output_config.effort' : '')
  return rejectionError({ ...rejection, param }, hasStarted, error)
}
