import { isDeepStrictEqual } from 'node:util'
import { GitHubFailed } from './errors.ts'
import type { EntryIndex } from './entry-index.ts'
import { gitHubEntry } from './github-entry.ts'
import type { GitHub } from './github.ts'
import { type StoredEntry, storedEntry } from './stored-entry.ts'
import type { SyncState } from './sync-repository.ts'

const skipped = new Set(['docs', 'examples', 'scripts', 'tests', '.github'])

/** REG-31: folders that are no servers are left out; so are names that could not be ids (DEC-069). */
function isServer(name: string): boolean {
  return !skipped.has(name.toLowerCase()) && /^[A-Za-z0-9_][A-Za-z0-9_-]{0,44}$/.test(name)
}

/**
 * Brings the entries of the official repository up to date. Only directories whose content changed are read. What fails is told
 * and tried again the next time; a listing that fails, or is empty, removes nothing (DEC-068).
 * @param force reads everything again
 * @returns what is known afterwards, and the errors
 */
export async function syncGitHub(
  github: GitHub,
  index: EntryIndex,
  { known, force, now }: { known: Pick<SyncState, 'names' | 'etag'>; force: boolean; now: Date },
): Promise<{ names: Record<string, string>; etag: string | undefined; errors: string[]; failed: boolean }> {
  const unchanged = { names: known.names, etag: known.etag }
  try {
    const listing = await github.listServers(force ? undefined : known.etag)
    if (listing === 'unchanged') return { ...unchanged, errors: [], failed: false }
    const usable = listing.servers.filter(({ name }) => isServer(name))
    if (usable.length === 0) throw new GitHubFailed('GitHub API error: the listing is empty')
    const stale = usable.filter(
      ({ name, revision }) => force || known.names[name] !== revision || !index.get(`github-mcp-${name}`),
    )
    const { statistics, errors } = await readStatistics(github, stale.length > 0)
    const names = Object.fromEntries(usable.map(({ name, revision }) => [name, revision]))
    for (const { name } of stale) {
      try {
        index.put(keepOldTimes(gitHubEntry(name, await github.readServer(name), statistics, now), index))
      } catch (error) {
        if (!(error instanceof GitHubFailed)) throw error
        errors.push(`${name}: ${error.message}`)
        const previousRevision = known.names[name]
        if (previousRevision === undefined) delete names[name]
        else names[name] = previousRevision
        if (error.rateLimited) {
          for (const later of stale.slice(stale.findIndex((one) => one.name === name) + 1)) {
            const laterRevision = known.names[later.name]
            if (laterRevision === undefined) delete names[later.name]
            else names[later.name] = laterRevision
          }
          break
        }
      }
    }
    for (const removedName of Object.keys(known.names))
      if (!usable.some(({ name }) => name === removedName)) index.remove(`github-mcp-${removedName}`)
    // an incomplete round must not be hidden behind an unchanged listing
    return { names, etag: errors.length > 0 ? undefined : listing.etag, errors, failed: false }
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

/** Only the time is new of an entry that was read again and says the same. */
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
