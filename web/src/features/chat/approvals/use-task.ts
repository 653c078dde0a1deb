import { useEffect, useEffectEvent, useState } from 'react'
import type { TaskCheck, TaskView } from '#shared/contracts/runs.ts'
import { ApiError } from '../../../lib/api-errors.ts'

/** Between two requests, whatever the server of the task says. */
const minDelayMs = 2_000
/** On a page that stands open the delay grows with the time that has passed, up to this. */
const maxGrownDelayMs = 60_000
const growth = 1 / 20

interface UseTaskOptions {
  task: TaskView
  /** when its server was asked last, in milliseconds */
  checkedAtMs: number
  /** nothing is asked while a decision is being sent */
  isPaused: boolean
  /** rejects if it cannot be found out now */
  check: () => Promise<TaskCheck | undefined>
  /** called when the reply can continue; again after the next request if it does not */
  onReady: () => void
}

/**
 * Follows a task of a tool's server while the page is visible: as often as the server says, at once when the page is opened or shown again,
 * more seldom on a page that stands open.
 * @returns the task as it is known now
 */
export function useTask({ task, checkedAtMs, isPaused, check, onReady }: UseTaskOptions): TaskView {
  const [now, setNow] = useState(task)
  const ask = useEffectEvent(async (): Promise<TaskView | undefined> => {
    if (isPaused) return undefined
    const checked = await check().catch((error: unknown) => {
      // it was ended elsewhere, or has expired: the decision finds that out, too, and the conversation shows it
      if (error instanceof ApiError && error.status === 404) onReady()
    })
    if (!checked) return undefined
    setNow(checked.task)
    if (checked.is_ready) onReady()
    return checked.task
  })
  const getKnown = useEffectEvent(() => ({ task, checkedAtMs }))

  useEffect(() => {
    let shownAtMs = Date.now()
    const { task: first, checkedAtMs: firstAtMs } = getKnown()
    let pollMs = Math.max(minDelayMs, first.poll_after_ms)
    let isOver = false
    let isAsking = false
    let timer: ReturnType<typeof setTimeout>
    const canAsk = () => document.visibilityState === 'visible' && navigator.onLine && !isAsking
    const schedule = (delayMs: number) => {
      clearTimeout(timer)
      if (!isOver) timer = setTimeout(poll, delayMs)
    }
    function poll() {
      const scheduleNext = (known?: TaskView) => {
        isAsking = false
        if (known) pollMs = Math.max(minDelayMs, known.poll_after_ms)
        const grownMs = Math.min(maxGrownDelayMs, (Date.now() - shownAtMs) * growth)
        schedule(Math.max(pollMs, grownMs))
      }
      if (!canAsk()) return scheduleNext()
      isAsking = true
      void ask().then(scheduleNext)
    }
    const onVisibility = () => {
      if (!canAsk()) return
      shownAtMs = Date.now()
      schedule(0)
    }
    // the reply itself may have asked just now; clocks differ
    const sinceMs = Math.max(0, Date.now() - firstAtMs)
    schedule(Math.max(0, pollMs - sinceMs))
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      isOver = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisibility)
    }
  }, [])

  return now
}
