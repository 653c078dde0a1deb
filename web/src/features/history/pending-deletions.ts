import { createStore, type Store } from '../../lib/create-store.ts'

/** Conversations that are gone from the list and not yet from the server: for a few seconds a deletion can be taken back. */
export interface PendingDeletions {
  readonly ids: Store<ReadonlySet<string>>
  add: (id: string, deletion: { commit: () => void; undo: () => void }) => void
  /** Carries the deletion out; nothing when it was taken back, or done already. */
  commit: (id: string) => void
  undo: (id: string) => void
  /** Takes the newest one back. @returns whether there was one */
  undoLast: () => boolean
  commitAll: () => void
  close: () => void
  /** the server has answered: the list says the truth again */
  settled: (id: string) => void
}

export function createPendingDeletions(): PendingDeletions {
  const open = new Map<string, { commit: () => void; undo: () => void }>()
  const ids = createStore<ReadonlySet<string>>(new Set())

  const forget = (id: string) => ids.setState(new Set([...ids.getState()].filter((each) => each !== id)))
  const commit = (id: string) => {
    const deletion = open.get(id)
    open.delete(id)
    deletion?.commit()
  }
  const undo = (id: string) => {
    const deletion = open.get(id)
    if (!deletion) return
    open.delete(id)
    forget(id)
    deletion.undo()
  }
  const commitAll = () => {
    for (const id of open.keys()) commit(id)
  }
  return {
    ids,
    add(id, deletion) {
      open.set(id, deletion)
      ids.setState(new Set([...ids.getState(), id]))
    },
    commit,
    undo,
    undoLast() {
      const last = [...open.keys()].at(-1)
      if (last === undefined) return false
      undo(last)
      return true
    },
    commitAll,
    close: commitAll,
    settled: forget,
  }
}
