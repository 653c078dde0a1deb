import { t } from '@lingui/core/macro'
import { ApiError } from '../../lib/api/api-errors.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { serverNow } from '../../lib/browser/server-clock.ts'
import { toAuthError, type AuthError } from './auth-errors.ts'

/** Authenticator apps show another code after each time step (RFC 6238). */
const timeStepMs = 30_000
/** What the page says while it waits for the next time step. */
export const waitingForNextCode = t`Your last code was just used. Waiting for the next one, up to 30 seconds…`
/** The clocks of the computers of the service differ by less. */
const clockMarginMs = 500

interface RedeemOptions {
  /** answers the challenge with a TOTP code */
  verify: (code: string) => Promise<AuthError | undefined>
  /** called with true when all current codes were used and the wait for the next one begins, with false when it ends */
  onWaitingChange: (isWaiting: boolean) => void
  /** once it is aborted, nothing is sent after the wait */
  signal: AbortSignal
}

interface BackupCode {
  email: string
  token: string
  /** a retry with the same id and backup code is answered again, so that a lost response does not lose the code */
  attemptId: string
}

/**
 * Exchanges a backup code for the TOTP codes of this time step and the next, which answer the challenge unless they were used before.
 * @returns undefined when the challenge is passed, or `signal` was aborted during the wait; otherwise the error
 */
export async function redeemBackupCode(
  body: BackupCode,
  { onWaitingChange, signal, ...options }: RedeemOptions,
): Promise<AuthError | undefined> {
  const result = await tryBackupCode(body, options)
  if (result !== 'all-used') return result
  // after signing in twice within a minute: each code works once, so wait for the next one
  onWaitingChange(true)
  await waitForNextTimeStep()
  if (signal.aborted) return undefined
  onWaitingChange(false)
  const lastResult = await tryBackupCode(body, options)
  if (lastResult !== 'all-used') return lastResult
  return {
    kind: 'code-refused',
    field: 'code',
    userMessage: t`Invalid verification code. Please try again.`,
  }
}

/** @returns undefined when the challenge is passed, `all-used` when each of the current codes was used before, otherwise the error */
async function tryBackupCode(
  body: BackupCode,
  { verify }: Pick<RedeemOptions, 'verify'>,
): Promise<AuthError | 'all-used' | undefined> {
  let codes: readonly string[]
  try {
    codes = (await callApi('mfa.verify', { body: { ...body, isBackupCode: true } })).codes ?? []
  } catch (error) {
    return toBackupCodeError(error)
  }
  for (const code of codes) {
    const problem = await verify(code)
    if (problem?.kind !== 'code-used') return problem
  }
  return 'all-used'
}

function waitForNextTimeStep(): Promise<void> {
  const remainingMs = timeStepMs - (serverNow() % timeStepMs)
  return new Promise((resolve) => setTimeout(resolve, remainingMs + clockMarginMs))
}

function toBackupCodeError(error: unknown): AuthError {
  if (!(error instanceof ApiError)) return toAuthError(error, 'totp')
  const isRefused = error.code === 'invalid_code'
  return {
    kind: isRefused ? 'code-refused' : 'other',
    field: isRefused ? 'code' : 'form',
    userMessage: error.userMessage,
    cause: error,
  }
}
