import { isDeepStrictEqual } from 'node:util'
import type { StoredEntry } from './stored-entry.ts'

/** The stored entries during a sync, unique by id. Their names are the published titles; `nameEntries` makes them unique when entries are read. */
export function createEntryIndex(stored: readonly StoredEntry[]) {
  const entries = new Map(stored.map((entry) => [entry.id, entry]))
  let added = 0
  let updated = 0
  let removed = 0

  return {
    put(entry: StoredEntry): void {
      const previous = entries.get(entry.id)
      if (previous && isDeepStrictEqual(previous, entry)) return
      entries.set(entry.id, entry)
      if (previous) updated += 1
      else added += 1
    },
    remove(id: string): void {
      if (entries.delete(id)) removed += 1
    },
    get: (id: string) => entries.get(id),
    all: () => [...entries.values()],
    /** How many changes there were. */
    counts: () => ({ new: added, updated, removed }),
  }
}

export type EntryIndex = ReturnType<typeof createEntryIndex>
