import { isDeepStrictEqual } from 'node:util'
import { builtInProviders } from '../providers/built-in.ts'
import type { StoredEntry } from './stored-entry.ts'

/**
 * The stored entries while a sync works on them. No id and no name is there twice (DEC-072): a name belongs to who held it
 * first, the built-in entries before all others.
 */
export function entryBook(stored: readonly StoredEntry[]) {
  const entries = new Map<string, StoredEntry>()
  const holders = new Map<string, string>(builtInProviders.map(({ id, name }) => [name.toLowerCase(), id]))
  const reserved = new Set(builtInProviders.map(({ id }) => id))
  let added = 0
  let updated = 0
  let removed = 0
  let skipped = 0

  function release(entry: StoredEntry): void {
    if (holders.get(entry.name.toLowerCase()) === entry.id) holders.delete(entry.name.toLowerCase())
  }

  function claim(entry: StoredEntry): boolean {
    const name = entry.name.toLowerCase()
    const holder = holders.get(name)
    if (reserved.has(entry.id) || (holder !== undefined && holder !== entry.id)) return false
    holders.set(name, entry.id)
    return true
  }

  for (const entry of stored) if (claim(entry)) entries.set(entry.id, entry)

  return {
    put(entry: StoredEntry): void {
      const before = entries.get(entry.id)
      if (before && isDeepStrictEqual(before, entry)) return
      if (!claim(entry)) {
        skipped += 1
        return
      }
      if (before && before.name.toLowerCase() !== entry.name.toLowerCase()) release(before)
      entries.set(entry.id, entry)
      if (before) updated += 1
      else added += 1
    },
    remove(id: string): void {
      const before = entries.get(id)
      if (!before) return
      release(before)
      entries.delete(id)
      removed += 1
    },
    get: (id: string) => entries.get(id),
    all: () => [...entries.values()],
    counts: () => ({ new: added, updated, removed, skipped }),
  }
}

export type EntryBook = ReturnType<typeof entryBook>
