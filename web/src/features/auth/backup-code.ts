import { ApiError } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { authProblem, authSentences, type AuthProblem } from './auth-errors.ts'

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
export async function answerByBackupCode(
  body: BackupCode,
  verify: (code: string) => Promise<AuthProblem | undefined>,
  onAwaitingCode: (waiting: boolean) => void,
  lastTry = false,
): Promise<AuthProblem | undefined> {
  let codes: readonly string[]
  try {
    codes = (await callApi('mfa.verify', { body: { ...body, isBackupCode: true } })).codes ?? []
  } catch (error) {
    return backupProblem(error)
  }
  for (const code of codes) {
    const problem = await verify(code)
    if (problem?.kind !== 'code-used') return problem
  }
  if (lastTry) return { kind: 'code-refused', field: 'code', sentence: authSentences.totpWrong }
  // signed in and out within a minute: the service takes each code once, so the next one has to come
  onAwaitingCode(true)
  await nextTimeStep()
  onAwaitingCode(false)
  return answerByBackupCode(body, verify, onAwaitingCode, true)
}

/** The moment when the authenticator's next code begins to count, and a little more for clocks that differ. */
function nextTimeStep(): Promise<void> {
  const stepMs = 30_000
  return new Promise((resolve) => setTimeout(resolve, stepMs - (Date.now() % stepMs) + 500))
}

function backupProblem(error: unknown): AuthProblem {
  if (!(error instanceof ApiError)) return authProblem(error, 'totp')
  const refused = error.code === 'invalid_code'
  return {
    kind: refused ? 'code-refused' : 'other',
    field: refused ? 'code' : 'form',
    sentence: error.sentence,
  }
}
