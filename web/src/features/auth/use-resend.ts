import { useEffect, useState } from 'react'
import type { AuthError, StepResult } from './auth-errors.ts'
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

/** Shorter than a second, so that no second is skipped. */
const tickMs = 250

/**
 * A countdown between two actions.
 * @param options.startsRunning whether the first action has just happened
 * @returns the remaining seconds (0: ready), and a function that restarts the countdown
 */
function useCooldown(seconds: number, { startsRunning }: { startsRunning: boolean }): [number, () => void] {
  const [endsAtMs, setEndsAtMs] = useState(() => (startsRunning ? Date.now() + seconds * 1000 : 0))
  const [leftSeconds, setLeftSeconds] = useState(startsRunning ? seconds : 0)
  useEffect(() => {
    if (endsAtMs <= Date.now()) return
    const timer = setInterval(() => {
      const leftMs = endsAtMs - Date.now()
      setLeftSeconds(Math.max(0, Math.ceil(leftMs / 1000)))
      if (leftMs <= 0) clearInterval(timer)
    }, tickMs)
    return () => clearInterval(timer)
  }, [endsAtMs])
  const start = () => {
    setEndsAtMs(Date.now() + seconds * 1000)
    setLeftSeconds(seconds)
  }
  return [leftSeconds, start]
}
