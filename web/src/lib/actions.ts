import type { QueryClient } from '@tanstack/react-query'
import type { Store } from './create-store.ts'
import { createRunningActions } from './running-actions.ts'
import { getUserResource, useUserResource } from './user-resources.ts'

interface RunOptions {
  isLeaving: boolean
}

/** An action that has not begun, so that it can be undone. */
interface Postponed {
  /** Carries it out. While `isLeaving` the page may be closing: the request has to be sent before anything is awaited. */
  run: (options: RunOptions) => Promise<unknown>
  undo: () => void
}

/** Decides about one postponed action; does nothing when it was undone or has begun. */
interface Decision {
  commit: () => void
  undo: () => void
}

/**
 * The actions that the signed-in user has started and that have not ended. An action belongs to the user and not to the component that
 * started it: every component with its key shows it as busy, and no second one with that key runs beside it.
 */
export interface Actions {
  /** the activity of each action, by key */
  readonly running: Store<ReadonlyMap<string, string>>
  /** Runs an action. @returns undefined, without running it, while there is one with its key */
  start: <Result>(key: string, run: () => Promise<Result>, activity?: string) => Promise<Result> | undefined
  /** Runs an action after those with its key that run or wait. */
  enqueue: <Result>(key: string, run: () => Promise<Result>, activity?: string) => Promise<Result>
  /**
   * Begins an action later: when it is committed, or when the page is hidden or left. Until then it can be undone, and counts as running.
   * @returns functions for this action alone: a toast that closes late does not commit the next action with the same key
   */
  postpone: (key: string, action: Postponed) => Decision
  /** Undoes the newest one. @returns whether there was one */
  undoLast: () => boolean
  /** Whether the user has signed out, so that no results are shown any more. */
  isClosed: () => boolean
  /** Begins all postponed actions. */
  close: () => void
}

/** The actions of one user, see `Actions`. */
export function createActions(queryClient: QueryClient): Actions {
  const { running, setActivity } = getUserResource(queryClient, createRunningActions)
  const postponed = new Map<string, Postponed>()
  /** By key: functions that begin the actions which wait for another one. */
  const waiting = new Map<string, (() => void)[]>()
  let isClosed = false

  const run = <Result>(key: string, work: () => Promise<Result>) =>
    work().finally(() => {
      const beginNext = waiting.get(key)?.shift()
      if (beginNext) beginNext()
      else setActivity(key, postponed.has(key) ? 'postponed' : undefined)
    })
  const begin = <Result>(key: string, work: () => Promise<Result>, activity = 'running') => {
    setActivity(key, activity)
    return run(key, work)
  }
  const commit = (key: string, options: RunOptions = { isLeaving: false }) => {
    const action = postponed.get(key)
    postponed.delete(key)
    if (action) void run(key, () => action.run(options))
  }
  const undo = (key: string) => {
    const action = postponed.get(key)
    if (!postponed.delete(key)) return
    setActivity(key, undefined)
    action?.undo()
  }
  const commitAll = (options?: RunOptions) => {
    for (const key of postponed.keys()) commit(key, options)
  }
  const commitBeforeLeaving = () => commitAll({ isLeaving: true })
  const onVisibilityChange = () => {
    if (document.hidden) commitBeforeLeaving()
  }
  document.addEventListener('visibilitychange', onVisibilityChange)
  addEventListener('pagehide', commitBeforeLeaving)

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
      postponed.set(key, action)
      setActivity(key, 'postponed')
      const isPostponed = () => postponed.get(key) === action
      return {
        commit() {
          if (isPostponed()) commit(key)
        },
        undo() {
          if (isPostponed()) undo(key)
        },
      }
    },
    undoLast() {
      const last = [...postponed.keys()].at(-1)
      if (last === undefined) return false
      undo(last)
      return true
    },
    isClosed: () => isClosed,
    close() {
      isClosed = true
      waiting.clear()
      document.removeEventListener('visibilitychange', onVisibilityChange)
      removeEventListener('pagehide', commitBeforeLeaving)
      commitAll()
    },
  }
}

/** The actions of the signed-in user. */
export const useActions = (): Actions => useUserResource(createActions)
