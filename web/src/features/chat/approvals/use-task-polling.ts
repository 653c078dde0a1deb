import { useEffect, useEffectEvent, useState } from 'react'
import type { TaskCheck, TaskView } from '#shared/contracts/runs.ts'
import { ApiError } from '../../../lib/api-errors.ts'
import { serverNow } from '../../../lib/server-clock.ts'

/** The shortest time between two requests, whatever the server of the task says. */
const minDelayMs = 2_000
/** On a page that stays open the delay grows with the time that has passed, up to this. */
const maxGrownDelayMs = 60_000
/** The delay as a share of the time that has passed since the page was shown. */
const delayShare = 1 / 20

/** A task, and how to ask for its state. */
interface TaskPollingOptions {
  task: TaskView
  /** when its server was last asked, in milliseconds since 1970 */
  checkedAtMs: number
  /** whether a decision is being sent, during which nothing is asked */
  isPaused: boolean
  /** asks for the state; rejects if it is unknown for now, and returns undefined if the reply no longer waits */
  check: () => Promise<TaskCheck | undefined>
  /** called when the reply can continue; again after the next request if it does not */
  onReady: () => void
}

/**
 * Polls the task of a tool's server while the page is visible: as often as the server says, at once when the page is opened or shown again,
 * less often on a page that stays open.
 * @returns the last known state of the task
 */
export function useTaskPolling({
  task,
  checkedAtMs,
  isPaused,
  check,
  onReady,
}: TaskPollingOptions): TaskView {
  const [current, setCurrent] = useState(task)
  const ask = useEffectEvent(async (): Promise<TaskView | undefined> => {
    if (isPaused) return undefined
    const checked = await check().catch((error: unknown) => {
      // the run has ended or expired: sending the decision fails the same way, and then the conversation shows the outcome
      if (error instanceof ApiError && error.status === 404) onReady()
    })
    if (!checked) return undefined
    setCurrent(checked.task)
    if (checked.is_ready) onReady()
    return checked.task
  })
  const getInitial = useEffectEvent(() => ({ task, checkedAtMs }))

  useEffect(() => {
    let shownAtMs = Date.now()
    const { task: first, checkedAtMs: firstAtMs } = getInitial()
    let pollMs = Math.max(minDelayMs, first.poll_after_ms)
    let isDisposed = false
    let isAsking = false
    let timer: ReturnType<typeof setTimeout>
    const canAsk = () => document.visibilityState === 'visible' && navigator.onLine && !isAsking
    const schedule = (delayMs: number) => {
      clearTimeout(timer)
      if (!isDisposed) timer = setTimeout(poll, delayMs)
    }
    function poll() {
      const scheduleNext = (polled?: TaskView) => {
        isAsking = false
        if (polled) pollMs = Math.max(minDelayMs, polled.poll_after_ms)
        const grownMs = Math.min(maxGrownDelayMs, (Date.now() - shownAtMs) * delayShare)
        schedule(Math.max(pollMs, grownMs))
      }
      if (!canAsk()) return scheduleNext()
      isAsking = true
      void ask().then(scheduleNext)
    }
    const onVisibilityChange = () => {
      if (!canAsk()) return
      shownAtMs = Date.now()
      schedule(0)
    }
    // the server may have been asked just now
    const sinceMs = Math.max(0, serverNow() - firstAtMs)
    schedule(Math.max(0, pollMs - sinceMs))
    document.addEventListener('visibilitychange', onVisibilityChange)
    return () => {
      isDisposed = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisibilityChange)
    }
  }, [])

  return current
}
