import { useEffect, useEffectEvent, useState } from 'react'
import type { TaskCheck, TaskView } from '#shared/contracts/runs.ts'
import { ApiError } from '../../../lib/api-errors.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { pollWhileVisible } from './poll-while-visible.ts'

/** The shortest time between two requests, whatever the server of the task says: each is a request to our service, too. */
const minDelayMs = 2_000
/** On a page that stays open the delay grows up to this, unless the server asks for a longer one. */
const maxGrownDelayMs = 60_000

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
  const startPolling = useEffectEvent(() => {
    let pollAfterMs = task.poll_after_ms
    const getMinDelayMs = () => Math.max(minDelayMs, pollAfterMs)
    // the server may have been asked just now
    const sinceMs = Math.max(0, serverNow() - checkedAtMs)
    return pollWhileVisible({
      firstDelayMs: Math.max(0, getMinDelayMs() - sinceMs),
      getMinDelayMs,
      maxGrownDelayMs,
      async poll() {
        pollAfterMs = (await ask())?.poll_after_ms ?? pollAfterMs
      },
    })
  })
  useEffect(() => startPolling(), [])

  return current
}
