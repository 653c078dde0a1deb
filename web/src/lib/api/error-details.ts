import { ConfigError, NetworkError, NotSignedInError } from './api-errors.ts'
import { serverNow } from '../browser/server-clock.ts'

/** What an administrator needs to find an error in the logs. An `ApiError` has it. */
export interface ErrorDetails {
  /** by the clock of the service, milliseconds since 1970 */
  atMs: number
  /** of the error contract, or of the page */
  code: string
  /** absent if the service was not reached */
  requestId?: string | undefined
}

/** The details of an error that comes now, and is not thrown. */
export const createErrorDetails = (code: string): ErrorDetails => ({ atMs: serverNow(), code })

/** Whether a value has the details of an error. */
export const isErrorDetails = (error: unknown): error is ErrorDetails =>
  typeof error === 'object' &&
  error !== null &&
  'atMs' in error &&
  typeof error.atMs === 'number' &&
  'code' in error &&
  typeof error.code === 'string'

/** When errors that do not say it came: they have the same time wherever they are shown. */
const times = new WeakMap<Error, number>()

/** Describes an error of any kind; Amplify's have the request id of the user pool. One that does not say when it came has just happened. */
export function toErrorDetails(error: unknown): ErrorDetails {
  if (isErrorDetails(error)) return { atMs: error.atMs, code: error.code, requestId: error.requestId }
  const atMs = (error instanceof Error && times.get(error)) || serverNow()
  if (error instanceof Error) times.set(error, atMs)
  if (error instanceof NetworkError) return { atMs, code: error.hasTimedOut ? 'timed_out' : 'not_reached' }
  if (error instanceof NotSignedInError) return { atMs, code: 'not_signed_in' }
  if (error instanceof ConfigError) return { atMs, code: 'not_configured' }
  if (!(error instanceof Error)) return { atMs, code: 'unknown' }
  const { metadata } = error as Error & { metadata?: { requestId?: string } }
  return { atMs, code: error.name, requestId: metadata?.requestId }
}
