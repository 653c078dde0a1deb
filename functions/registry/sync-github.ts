import { sayRegistry } from '#shared/sentences/registry.ts'
import type { Sentence } from '#shared/sentences/sentence.ts'
import { isDeepStrictEqual } from 'node:util'
import { GitHubFailed } from './errors.ts'
import type { EntryIndex } from './entry-index.ts'
import { buildGitHubEntry, withStatistics } from './github-entry.ts'
import type { GitHub, RepositoryStatistics } from './github.ts'
import { type StoredEntry, storedEntry } from './stored-entry.ts'
import type { SyncState } from './sync-repository.ts'

const nonServerFolders = new Set(['docs', 'examples', 'scripts', 'tests', '.github'])

const idPrefix = 'github-mcp-'

/** Excludes folders that hold no server, and names that cannot be ids. */
function isServer(name: string): boolean {
  return !nonServerFolders.has(name.toLowerCase()) && /^[A-Za-z0-9_][A-Za-z0-9_-]{0,44}$/.test(name)
}

/** Differs from the revision of every directory, so that the next sync reads it again. */
const unreadRevision = ''

/**
 * Updates the entries of the official repository: all of them with its statistics, each time, and those whose directory changed. Failures
 * are returned and retried by the next sync; a listing that fails or is empty removes nothing.
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
  errors: Sentence[]
  failed: boolean
}> {
  const unchanged = { revisions: known.revisions, etag: known.etag }
  try {
    const listing = await github.listServers(force ? undefined : known.etag)
    const { statistics, errors } = await readStatistics(github)
    if (listing === 'unchanged') {
      putStatistics(statistics, index)
      return { ...unchanged, errors, failed: false }
    }
    const usable = listing.servers.filter(({ name }) => isServer(name))
    if (usable.length === 0) throw new GitHubFailed(sayRegistry('github_failed.empty'))
    const stale = usable.filter(
      ({ name, revision }) => force || known.revisions[name] !== revision || !index.get(`${idPrefix}${name}`),
    )
    const revisions = Object.fromEntries(usable.map(({ name, revision }) => [name, revision]))
    const markUnread = (name: string) => {
      const previousRevision = known.revisions[name]
      if (previousRevision === undefined) delete revisions[name]
      else revisions[name] = force ? unreadRevision : previousRevision
    }
    for (const [position, { name }] of stale.entries()) {
      try {
        const entry = buildGitHubEntry(name, await github.readServer(name), statistics, now)
        index.put(keepOld(entry, statistics, index))
      } catch (error) {
        if (!(error instanceof GitHubFailed)) throw error
        errors.push(sayRegistry('sync_part.directory', { name, problem: error.sentence }))
        const unread = error.rateLimited ? stale.slice(position) : [{ name }]
        for (const directory of unread) markUnread(directory.name)
        if (error.rateLimited) break
      }
    }
    for (const removedName of Object.keys(known.revisions))
      if (!usable.some(({ name }) => name === removedName)) index.remove(`${idPrefix}${removedName}`)
    putStatistics(statistics, index)
    // without the etag the next sync reads the listing again, even if it has not changed
    return { revisions, etag: errors.length > 0 ? undefined : listing.etag, errors, failed: false }
  } catch (error) {
    if (!(error instanceof GitHubFailed)) throw error
    return { ...unchanged, errors: [error.sentence], failed: true }
  }
}

async function readStatistics(github: GitHub) {
  const errors: Sentence[] = []
  try {
    return { statistics: await github.statistics(), errors }
  } catch (error) {
    if (!(error instanceof GitHubFailed)) throw error
    return { statistics: undefined, errors: [error.sentence] }
  }
}

/** Gives all entries of the repository its newest statistics. */
function putStatistics(statistics: RepositoryStatistics | undefined, index: EntryIndex): void {
  if (!statistics) return
  for (const previous of index.all()) {
    if (!previous.id.startsWith(idPrefix)) continue
    const entry = withStatistics(previous, statistics)
    if (!isDeepStrictEqual(storedEntry.parse(entry), storedEntry.parse(previous))) index.put(entry)
  }
}

/** Keeps the old times of an entry that has not changed otherwise, and its statistics while there are no newer ones. */
function keepOld(
  built: StoredEntry,
  statistics: RepositoryStatistics | undefined,
  index: EntryIndex,
): StoredEntry {
  const previous = index.get(built.id)
  if (!previous) return built
  const { popularity, github_stars: stars } = previous.config
  const entry = statistics
    ? built
    : {
        ...built,
        config: { ...built.config, popularity, ...(stars !== undefined && { github_stars: stars }) },
      }
  const same = {
    ...entry,
    updated_at: previous.updated_at,
    config: { ...entry.config, last_updated: previous.config.last_updated },
  }
  return isDeepStrictEqual(storedEntry.parse(same), storedEntry.parse(previous)) ? previous : entry
}
