import { t } from '@lingui/core/macro'
import type { showToast } from '../../../components/ui/toast.ts'
import type { FailureListener } from '../oauth/oauth-flow.ts'
import { findErrorMessage } from '../state/connection-error.ts'

/** Why an attempt to connect has failed. */
export interface ConnectFailure {
  /** undefined if there is nothing to say: the user has declined, or the connection is busy with something else */
  message: string | undefined
  cause?: unknown
}

/**
 * Shows why a connection could not be made by a toast, unless the listener shows it.
 * @param fallback for API errors without a readable message
 * @returns the message
 */
export function reportConnectionError(
  error: unknown,
  fallback: string,
  notify: typeof showToast,
  onFailure?: FailureListener,
): string {
  const errorText = findErrorMessage(error, fallback)
  const message = errorText ?? t`Failed to initiate connection. Please try again.`
  if (!onFailure?.(message, error))
    notify('error', errorText === undefined ? t`Connection Error` : t`Connection Failed`, {
      description: message,
      cause: error,
    })
  return message
}
