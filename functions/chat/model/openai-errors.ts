import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai'
import { readRejection } from './server-rejection.ts'
import { modelErrors, ModelError } from './model-errors.ts'
import { connectionError, rejectionError, unexpectedError } from './request-errors.ts'

/**
 * What went wrong between us and the model, from what the client library threw.
 * @param hasStarted whether some of the reply had arrived: then a lost connection is a cut reply
 */
export function toModelError(error: unknown, hasStarted: boolean): ModelError {
  if (error instanceof ModelError) return error
  if (error instanceof APIConnectionTimeoutError)
    return new ModelError(modelErrors.silent, 'timed out', { cause: error })
  if (error instanceof APIConnectionError) return connectionError(error, hasStarted)
  if (error instanceof APIError) {
    const status: unknown = error.status
    const rejection = readRejection(error.error ?? error.message, {
      status: typeof status === 'number' ? status : undefined,
      retryAfter: (error.headers as Headers | undefined)?.get('retry-after'),
    })
    return rejectionError(rejection, hasStarted, error)
  }
  return unexpectedError(error, hasStarted)
}
