import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { toAuthError, type StepResult } from './auth-errors.ts'
import { redeemBackupCode } from './backup-code.ts'
import { loadAmplifyAuth } from './load-amplify-auth.ts'

interface TotpFlowOptions {
  email: string
  onSignedIn: () => Promise<void>
  /** called when the challenge has ended: the password has to be entered again */
  onChallengeOver: (userMessage: string) => void
}

/** The second step of a sign-in: a code of the authenticator app, or a backup code instead. */
export function useTotpFlow({ email, onSignedIn, onChallengeOver }: TotpFlowOptions) {
  const [isWaitingForNextCode, setIsWaitingForNextCode] = useState(false)
  const attempt = useRef({ code: '', id: '' })
  const redemption = useRef<AbortController>(undefined)
  // a user who has left the page does not expect to be signed in half a minute later
  useEffect(() => () => redemption.current?.abort(), [])

  const verifyTotp = async (code: string): StepResult => {
    try {
      const amplifyAuth = await loadAmplifyAuth()
      const { nextStep } = await amplifyAuth.confirmSignIn({ challengeResponse: code })
      if (nextStep.signInStep === 'DONE') await onSignedIn()
      else onChallengeOver(t`Something went wrong. Please try again.`)
    } catch (error) {
      const problem = toAuthError(error, 'totp')
      if (problem.kind !== 'challenge-over') return problem
      onChallengeOver(problem.userMessage)
    }
    return undefined
  }

  const verifyBackupCode = (token: string): StepResult => {
    if (attempt.current.code !== token) attempt.current = { code: token, id: crypto.randomUUID() }
    redemption.current = new AbortController()
    return redeemBackupCode(
      { email, token, attemptId: attempt.current.id },
      verifyTotp,
      setIsWaitingForNextCode,
      redemption.current.signal,
    )
  }

  /** Ends the wait for the next code. */
  const stopWaiting = () => {
    redemption.current?.abort()
    setIsWaitingForNextCode(false)
  }

  return { verifyTotp, verifyBackupCode, isWaitingForNextCode, stopWaiting }
}
