import { ApiError } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { toAuthError, authSentences, type AuthError } from './auth-errors.ts'

interface BackupCode {
  email: string
  token: string
  /** the same id and code again are answered again: an answer that was lost has not lost the code */
  attemptId: string
}

/**
 * A backup code buys the codes of the app, which answer the challenge; the first may have been used a moment ago.
 * @param verify answers the challenge with a code of the app
 * @param onAwaitingCode told when the codes of this moment were all used, and the next one is waited for
 * @returns undefined when the challenge is met, otherwise what to show
 */
export async function redeemBackupCode(
  body: BackupCode,
  verify: (code: string) => Promise<AuthError | undefined>,
  onAwaitingCode: (waiting: boolean) => void,
  isLastTry = false,
): Promise<AuthError | undefined> {
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
  if (isLastTry) return { kind: 'code-refused', field: 'code', userMessage: authSentences.wrongTotp }
  // signed in and out within a minute: the service takes each code once, so the next one has to come
  onAwaitingCode(true)
  await waitForNextTimeStep()
  onAwaitingCode(false)
  return redeemBackupCode(body, verify, onAwaitingCode, true)
}

/** The moment when the authenticator's next code begins to count, and a little more for clocks that differ. */
function waitForNextTimeStep(): Promise<void> {
  const stepMs = 30_000
  return new Promise((resolve) => setTimeout(resolve, stepMs - (Date.now() % stepMs) + 500))
}

function toBackupCodeError(error: unknown): AuthError {
  if (!(error instanceof ApiError)) return toAuthError(error, 'totp')
  const refused = error.code === 'invalid_code'
  return {
    kind: refused ? 'code-refused' : 'other',
    field: refused ? 'code' : 'form',
    userMessage: error.userMessage,
  }
}
