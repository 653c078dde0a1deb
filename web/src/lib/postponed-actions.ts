interface RunOptions {
  isLeaving: boolean
}

/** An action that has not begun, so that it can be undone. */
export interface PostponedAction {
  /** Carries it out. While `isLeaving` the page may be closing: the request has to be sent before anything is awaited. */
  run: (options: RunOptions) => Promise<unknown>
  /** Shows again what the action would have changed. */
  undo: () => void
}

/** Decides about one postponed action; does nothing when it was undone or has begun. */
export interface Decision {
  commit: () => void
  undo: () => void
}

/**
 * Collects actions that begin when they are committed, or when the page is hidden or left, and one of each key at most.
 * @param begin begins the action with a key
 * @param onUndone called before an action is undone
 */
export function createPostponedActions(
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
