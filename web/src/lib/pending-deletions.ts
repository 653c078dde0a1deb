import { createStore, type Store } from './create-store.ts'

/** Deletions that can be undone for a few seconds: hidden in the list, not yet sent to the server. */
export interface PendingDeletions {
  readonly ids: Store<ReadonlySet<string>>
  add: (id: string, deletion: { commit: () => void; undo: () => void }) => void
  /** Sends the deletion; does nothing when it was undone or sent before. */
  commit: (id: string) => void
  undo: (id: string) => void
  /** Undoes the newest one. @returns whether there was one */
  undoLast: () => boolean
  commitAll: () => void
  close: () => void
  /** called after the response: the list is correct again */
  finish: (id: string) => void
}

/** Creates the pending deletions of one user; closing them sends them all. */
export function createPendingDeletions(): PendingDeletions {
  const deletions = new Map<string, { commit: () => void; undo: () => void }>()
  const ids = createStore<ReadonlySet<string>>(new Set())

  const removeId = (id: string) => ids.setState(new Set([...ids.getState()].filter((each) => each !== id)))
  const commit = (id: string) => {
    const deletion = deletions.get(id)
    deletions.delete(id)
    deletion?.commit()
  }
  const undo = (id: string) => {
    const deletion = deletions.get(id)
    if (!deletion) return
    deletions.delete(id)
    removeId(id)
    deletion.undo()
  }
  const commitAll = () => {
    for (const id of deletions.keys()) commit(id)
  }
  return {
    ids,
    add(id, deletion) {
      deletions.set(id, deletion)
      ids.setState(new Set([...ids.getState(), id]))
    },
    commit,
    undo,
    undoLast() {
      const last = [...deletions.keys()].at(-1)
      if (last === undefined) return false
      undo(last)
      return true
    },
    commitAll,
    close: commitAll,
    finish: removeId,
  }
}
