import { createUnknownStepError, toAuthError, type AuthError, type StepResult } from './auth-errors.ts'
import { loadAmplifyAuth } from '../../lib/load-amplify-auth.ts'
import { useBackupCode } from './use-backup-code.ts'

interface TotpFlowOptions {
  email: string
  onSignedIn: () => Promise<void>
  /** called when the challenge has ended: the password has to be entered again */
  onChallengeOver: (problem: AuthError) => void
}

/** The second step of a sign-in: a code of the authenticator app, or a backup code instead. */
export function useTotpFlow({ email, onSignedIn, onChallengeOver }: TotpFlowOptions) {
  const verifyTotp = async (code: string): StepResult => {
    try {
      const amplifyAuth = await loadAmplifyAuth()
      const { nextStep } = await amplifyAuth.confirmSignIn({ challengeResponse: code })
      if (nextStep.signInStep === 'DONE') await onSignedIn()
      else onChallengeOver(createUnknownStepError(nextStep.signInStep))
    } catch (error) {
      const problem = toAuthError(error, 'totp')
      if (problem.kind !== 'challenge-over') return problem
      onChallengeOver(problem)
    }
    return undefined
  }

  const { redeem, isWaitingForNextCode, stopWaiting } = useBackupCode(email, verifyTotp)
  return { verifyTotp, verifyBackupCode: redeem, isWaitingForNextCode, stopWaiting }
}
