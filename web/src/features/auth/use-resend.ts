import { useState } from 'react'
import type { AuthError, StepResult } from './auth-errors.ts'
import { useCooldown } from './use-cooldown.ts'
import { useSubmit } from './use-submit.ts'

/** Leaves an e-mail time to arrive, and keeps impatient clicks from sending many. */
const pauseSeconds = 30

/**
 * Sends an e-mail once more, and counts down a pause, during which the page does not offer it.
 * @param options.wasJustSent whether the first e-mail was just sent, so that the pause runs
 * @param options.onResult called with the error, or undefined once the e-mail is sent
 */
export function useResend(
  send: () => StepResult,
  { wasJustSent, onResult }: { wasJustSent: boolean; onResult: (problem: AuthError | undefined) => void },
) {
  const [wasSent, setWasSent] = useState(wasJustSent)
  const [isNoticeShown, setIsNoticeShown] = useState(false)
  const [remainingSeconds, startPause] = useCooldown(pauseSeconds, { startsRunning: wasJustSent })
  const { isBusy, submit } = useSubmit(async () => {
    const problem = await send()
    setIsNoticeShown(!problem)
    if (!problem) {
      setWasSent(true)
      startPause()
    }
    onResult(problem)
  })
  return {
    /** whether this page has sent an e-mail */
    wasSent,
    /** whether the page says that a new e-mail is on its way */
    isNoticeShown,
    hideNotice: () => setIsNoticeShown(false),
    remainingSeconds,
    isBusy,
    resend: submit,
  }
}
