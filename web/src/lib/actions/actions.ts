import type { QueryClient } from '@tanstack/react-query'
import type { Store } from '../browser/create-store.ts'
import { createRunningActions } from './running-actions.ts'
import { getUserResource, useUserResource } from './user-resources.ts'

interface RunOptions {
  isLeaving: boolean
}

/** An action that has not begun, so that it can be undone. */
interface PostponedAction {
  /** Carries it out. While `isLeaving` the page may be closing: the request has to be sent before anything is awaited. */
  run: (options: RunOptions) => Promise<unknown>
  /** Shows again what the action would have changed. */
  undo: () => void
}

/** Decides about one postponed action; does nothing when it was undone or has begun. */
interface Decision {
  commit: () => void
  undo: () => void
}

/**
 * Collects actions that begin when they are committed, or when the page is hidden or left, and one of each key at most.
 * @param begin begins the action with a key
 * @param onUndone called before an action is undone
 */
function createPostponedActions(
  begin: (key: string, run: () => Promise<unknown>) => void,
  onUndone: (key: string) => void,
) {
  const actions = new Map<string, PostponedAction>()
  const commit = (key: string, options: RunOptions = { isLeaving: false }) => {
    const action = actions.get(key)
    actions.delete(key)
    if (action) begin(key, () => action.run(options))
  }
  const undo = (key: string) => {
    const action = actions.get(key)
    if (!actions.delete(key)) return
    onUndone(key)
    action?.undo()
  }
  const commitAll = (options?: RunOptions) => {
    for (const key of actions.keys()) commit(key, options)
  }
  const commitBeforeLeaving = () => commitAll({ isLeaving: true })
  const onVisibilityChange = () => {
    if (document.hidden) commitBeforeLeaving()
  }
  document.addEventListener('visibilitychange', onVisibilityChange)
  addEventListener('pagehide', commitBeforeLeaving)

  return {
    has: (key: string): boolean => actions.has(key),
    /** Postpones an action. One that is postponed with its key begins now: it would be lost otherwise. */
    add(key: string, action: PostponedAction): Decision {
      commit(key)
      actions.set(key, action)
      const isPostponed = () => actions.get(key) === action
      return {
        commit() {
          if (isPostponed()) commit(key)
        },
        undo() {
          if (isPostponed()) undo(key)
        },
      }
    },
    /** Undoes the newest one. @returns whether there was one */
    undoLast: (): boolean => {
      const last = [...actions.keys()].at(-1)
      if (last !== undefined) undo(last)
      return last !== undefined
    },
    /** Begins all of them. */
    close(): void {
      document.removeEventListener('visibilitychange', onVisibilityChange)
      removeEventListener('pagehide', commitBeforeLeaving)
      commitAll()
    },
  }
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
