import { useEffect, useRef, useState } from 'react'
import type { StepResult } from './auth-errors.ts'
import { redeemBackupCode } from './backup-code.ts'

/**
 * Answers the challenge of a sign-in with a backup code.
 * @param verify answers it with a code of the authenticator app
 */
export function useBackupCode(email: string, verify: (code: string) => StepResult) {
  const [isWaitingForNextCode, setIsWaitingForNextCode] = useState(false)
  /** a repeated request with the same backup code is one attempt */
  const attempt = useRef({ code: '', id: '' })
  const redemption = useRef<AbortController>(undefined)
  // nobody is signed in half a minute after they have left, or have signed out in another tab
  useEffect(() => () => redemption.current?.abort(), [])

  const redeem = (code: string): StepResult => {
    if (attempt.current.code !== code) attempt.current = { code, id: crypto.randomUUID() }
    redemption.current = new AbortController()
    return redeemBackupCode(
      { email, token: code, attemptId: attempt.current.id },
      { verify, onWaitingChange: setIsWaitingForNextCode, signal: redemption.current.signal },
    )
  }

  /** Ends the wait for the next code. */
  const stopWaiting = () => {
    redemption.current?.abort()
    setIsWaitingForNextCode(false)
  }

  return { redeem, isWaitingForNextCode, stopWaiting }
}
