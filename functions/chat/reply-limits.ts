import { deadlineMarginMs, heartbeatEveryMs } from '../conversations/store/liveness.ts'
import type { Logger } from '../platform/telemetry/logger.ts'

/** The reply must end: its function has to end, or its user's account was disabled or erased. What is written stays, and can be continued. */
export class ReplyCut extends Error {
  /** undefined: nobody asks for it any more */
  readonly reason: 'time' | undefined

  constructor(message: string, reason?: 'time') {
    super(message)
    this.reason = reason
  }
}

interface LimitsInput {
  remainingMs: () => number
  isUserDisabledOrErased: () => Promise<boolean>
  log: Logger
}

/**
 * Ends a reply in time, and within seconds after its user was disabled or erased.
 * @returns a signal that is aborted with `ReplyCut`
 */
export function limitReply({ remainingMs, isUserDisabledOrErased, log }: LimitsInput) {
  const controller = new AbortController()
  const leftMs = Math.max(0, remainingMs() - deadlineMarginMs)
  const deadline = setTimeout(() => controller.abort(new ReplyCut('the function has to end', 'time')), leftMs)
  const checkUser = async () => {
    try {
      if (await isUserDisabledOrErased()) controller.abort(new ReplyCut('the user was disabled or erased'))
    } catch (error) {
      // the next check may succeed
      log.warn('failed to look up whether the user was disabled or erased', { error })
    }
  }
  const watch = setInterval(() => void checkUser(), heartbeatEveryMs)
  return {
    signal: controller.signal,
    /** Stops watching; the signal is not aborted any more. */
    dispose() {
      clearTimeout(deadline)
      clearInterval(watch)
    },
  }
}
