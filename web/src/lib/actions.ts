import type { QueryClient } from '@tanstack/react-query'
import type { Store } from './create-store.ts'
import { createPostponedActions, type Decision, type PostponedAction } from './postponed-actions.ts'
import { createRunningActions } from './running-actions.ts'
import { getUserResource, useUserResource } from './user-resources.ts'

/**
 * The actions that the signed-in user has started and that have not ended. An action belongs to the user and not to the component that
 * started it: every component with its key shows it as busy, and no second one with that key runs beside it.
 */
export interface Actions {
  /** the activity of each action, by key */
  readonly running: Store<ReadonlyMap<string, string>>
  /** Runs an action. @returns undefined, without running it, while there is one with its key */
  start: <Result>(key: string, run: () => Promise<Result>, activity?: string) => Promise<Result> | undefined
  /**
   * Runs an action after those with its key that run, wait or are postponed. Its promise stays pending if the user signs out before it
   * begins.
   */
  enqueue: <Result>(key: string, run: () => Promise<Result>, activity?: string) => Promise<Result>
  /**
   * Begins an action later: when it is committed, when another one with its key is postponed, or when the page is hidden or left. Until then
   * it can be undone, and counts as running. It handles its own errors.
   * @returns functions for this action alone: a toast that closes late does not commit the next action with the same key
   */
  postpone: (key: string, action: PostponedAction) => Decision
  /** Undoes the newest one. @returns whether there was one */
  undoLast: () => boolean
  /** Whether the user has signed out, so that no results are shown any more. */
  isClosed: () => boolean
  /** Begins all postponed actions, and none that waits for another one. */
  close: () => void
}

/** The actions of one user, see `Actions`. */
export function createActions(queryClient: QueryClient): Actions {
  const { running, setActivity } = getUserResource(queryClient, createRunningActions)
  /** By key: functions that begin the actions which wait for another one. */
  const waiting = new Map<string, (() => void)[]>()
  let isClosed = false

  const end = (key: string) => {
    const beginNext = waiting.get(key)?.shift()
    if (beginNext) beginNext()
    else setActivity(key, postponed.has(key) ? 'postponed' : undefined)
  }
  const run = async <Result>(key: string, work: () => Promise<Result>) => {
    try {
      return await work()
    } finally {
      end(key)
    }
  }
  const begin = <Result>(key: string, work: () => Promise<Result>, activity = 'running') => {
    setActivity(key, activity)
    return run(key, work)
  }
  const postponed = createPostponedActions((key, work) => void run(key, work), end)

  return {
    running,
    start: (key, work, activity) => (running.getState().has(key) ? undefined : begin(key, work, activity)),
    enqueue(key, work, activity) {
      if (!running.getState().has(key)) return begin(key, work, activity)
      return new Promise((resolve, reject) => {
        const beginLater = () => void begin(key, work, activity).then(resolve, reject)
        waiting.set(key, [...(waiting.get(key) ?? []), beginLater])
      })
    },
    postpone(key, action) {
      setActivity(key, 'postponed')
      return postponed.add(key, action)
    },
    undoLast: postponed.undoLast,
    isClosed: () => isClosed,
    close() {
      isClosed = true
      waiting.clear()
      postponed.close()
    },
  }
}

/** The actions of the signed-in user. */
export const useActions = (): Actions => useUserResource(createActions)
