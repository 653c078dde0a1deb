import { isDeepStrictEqual } from 'node:util'
import { GitHubFailed } from './errors.ts'
import type { EntryIndex } from './entry-index.ts'
import { buildGitHubEntry } from './github-entry.ts'
import type { GitHub } from './github.ts'
import { type StoredEntry, storedEntry } from './stored-entry.ts'
import type { SyncState } from './sync-repository.ts'

const nonServerFolders = new Set(['docs', 'examples', 'scripts', 'tests', '.github'])

/** Excludes folders that hold no server, and names that cannot be ids. */
function isServer(name: string): boolean {
  return !nonServerFolders.has(name.toLowerCase()) && /^[A-Za-z0-9_][A-Za-z0-9_-]{0,44}$/.test(name)
}

/** Differs from the revision of every directory, so that the next sync reads it again. */
const unreadRevision = ''

/**
 * Updates the entries of the official repository. Reads only directories whose content changed. Failures are returned and retried by the
 * next sync; a listing that fails or is empty removes nothing.
 * @param known the revision of each directory, by name, and the listing's ETag
 * @param force reads everything again
 * @returns the new state, the errors, and `failed` if the listing could not be read
 */
export async function syncGitHub(
  github: GitHub,
  index: EntryIndex,
  {
    known,
    force,
    now,
  }: { known: { revisions: SyncState['names']; etag?: string | undefined }; force: boolean; now: Date },
): Promise<{
  revisions: Record<string, string>
  etag: string | undefined
  errors: string[]
  failed: boolean
}> {
  const unchanged = { revisions: known.revisions, etag: known.etag }
  try {
    const listing = await github.listServers(force ? undefined : known.etag)
    if (listing === 'unchanged') return { ...unchanged, errors: [], failed: false }
    const usable = listing.servers.filter(({ name }) => isServer(name))
    if (usable.length === 0) throw new GitHubFailed('GitHub API error: the listing is empty')
    const stale = usable.filter(
      ({ name, revision }) => force || known.revisions[name] !== revision || !index.get(`github-mcp-${name}`),
    )
    const { statistics, errors } = await readStatistics(github, stale.length > 0)
    const revisions = Object.fromEntries(usable.map(({ name, revision }) => [name, revision]))
    const markUnread = (name: string) => {
      const previousRevision = known.revisions[name]
      if (previousRevision === undefined) delete revisions[name]
      else revisions[name] = force ? unreadRevision : previousRevision
    }
    for (const [position, { name }] of stale.entries()) {
      try {
        index.put(keepOldTimes(buildGitHubEntry(name, await github.readServer(name), statistics, now), index))
        // without statistics the entry has no stars yet
        if (!statistics) revisions[name] = unreadRevision
      } catch (error) {
        if (!(error instanceof GitHubFailed)) throw error
        errors.push(`${name}: ${error.message}`)
        const unread = error.rateLimited ? stale.slice(position) : [{ name }]
        for (const directory of unread) markUnread(directory.name)
        if (error.rateLimited) break
      }
    }
    for (const removedName of Object.keys(known.revisions))
      if (!usable.some(({ name }) => name === removedName)) index.remove(`github-mcp-${removedName}`)
    // without the etag the next sync reads the listing again, even if it has not changed
    return { revisions, etag: errors.length > 0 ? undefined : listing.etag, errors, failed: false }
  } catch (error) {
    if (!(error instanceof GitHubFailed)) throw error
    return { ...unchanged, errors: [error.message], failed: true }
  }
}

async function readStatistics(github: GitHub, needed: boolean) {
  const errors: string[] = []
  if (!needed) return { statistics: undefined, errors }
  try {
    return { statistics: await github.statistics(), errors }
  } catch (error) {
    if (!(error instanceof GitHubFailed)) throw error
    return { statistics: undefined, errors: [error.message] }
  }
}

/** Keeps the old times of an entry that has not changed otherwise. */
function keepOldTimes(entry: StoredEntry, index: EntryIndex): StoredEntry {
  const previous = index.get(entry.id)
  if (!previous) return entry
  const same = {
    ...entry,
    updated_at: previous.updated_at,
    config: { ...entry.config, last_updated: previous.config.last_updated },
  }
  return isDeepStrictEqual(storedEntry.parse(same), storedEntry.parse(previous)) ? previous : entry
}
