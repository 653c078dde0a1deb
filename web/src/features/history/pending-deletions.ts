/** Conversations that are gone from the list and not yet from the server: for a few seconds a deletion can be taken back. */
export interface PendingDeletions {
  /** the ids, a new set after every change */
  getIds: () => ReadonlySet<string>
  /** @returns ends the subscription */
  subscribe: (listener: () => void) => () => void
  add: (id: string, deletion: { commit: () => void; undo: () => void }) => void
  /** Carries the deletion out; nothing when it was taken back, or done already. */
  commit: (id: string) => void
  undo: (id: string) => void
  /** Takes the newest one back. @returns whether there was one */
  undoLast: () => boolean
  commitAll: () => void
  /** the server has answered: the list says the truth again */
  settled: (id: string) => void
}

export function createPendingDeletions(): PendingDeletions {
  const open = new Map<string, { commit: () => void; undo: () => void }>()
  const listeners = new Set<() => void>()
  let ids: ReadonlySet<string> = new Set()

  const change = (next: Iterable<string>) => {
    ids = new Set(next)
    for (const listener of listeners) listener()
  }
  const commit = (id: string) => {
    const deletion = open.get(id)
    open.delete(id)
    deletion?.commit()
  }
  const undo = (id: string) => {
    const deletion = open.get(id)
    if (!deletion) return
    open.delete(id)
    change([...ids].filter((each) => each !== id))
    deletion.undo()
  }
  return {
    getIds: () => ids,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    add(id, deletion) {
      open.set(id, deletion)
      change([...ids, id])
    },
    commit,
    undo,
    undoLast() {
      const last = [...open.keys()].at(-1)
      if (last === undefined) return false
      undo(last)
      return true
    },
    commitAll() {
      for (const id of open.keys()) commit(id)
    },
    settled: (id) => change([...ids].filter((each) => each !== id)),
  }
}
