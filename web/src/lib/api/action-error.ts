import { t } from '@lingui/core/macro'
import { ApiError, getErrorMessage, NetworkError } from './api-errors.ts'

/** Errors of the way to the service: what it has done, they do not say. */
const unconfirmedCodes = new Set(['timeout', 'timed_out', 'function_failed', 'unreadable'])

/** Whether nobody knows what became of an action: the answer is lost. */
export const isUnconfirmed = (error: unknown): boolean =>
  error instanceof NetworkError || (error instanceof ApiError && unconfirmedCodes.has(error.code))

/** The message to show for an action that failed, or whose answer is lost. */
export const getActionErrorMessage = (error: unknown, describeError = getErrorMessage): string =>
  isUnconfirmed(error) && navigator.onLine
    ? t`The service did not confirm it. Please look whether it was done before you try again.`
    : describeError(error)
