import { useEffect, useEffectEvent, useState } from 'react'
import type { TaskCheck, TaskView } from '#shared/contracts/runs.ts'
import { ApiError } from '../../../lib/api-errors.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { pollWhileVisible } from './poll-while-visible.ts'

/** The shortest time between two requests of a card, whatever the server of the task says: each is a request to our service, too. */
const minDelayMs = 2_000
/** On a page that stays open the delay grows up to this, unless the server asks for a longer one. */
const maxGrownDelayMs = 60_000

/** A task, and how to ask for its state. */
interface TaskPollingOptions {
  task: TaskView
  /** since when the reply waits for it, in milliseconds since 1970 */
  waitingSinceMs: number
  /** whether a decision is being sent, during which nothing is asked */
  isPaused: boolean
  /** asks for the state; rejects if it is unknown for now, and returns undefined if the reply no longer waits */
  check: () => Promise<TaskCheck | undefined>
  /** called when the reply can continue; again after the next request if it does not */
  onReady: () => void
}

/**
 * Polls the task of a tool's server while the page is visible: as often as the server says, when the page is opened or shown again as soon as
 * the server allows, and less often on a page that stays open.
 * @returns the last known state of the task
 */
export function useTaskPolling({
  task,
  waitingSinceMs,
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
    // the server was asked when the reply began to wait, which may be just now
    const waitedMs = Math.max(0, serverNow() - waitingSinceMs)
    return pollWhileVisible({
      firstDelayMs: Math.max(0, getMinDelayMs() - waitedMs),
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
