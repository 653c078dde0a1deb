import { randomUUID } from 'node:crypto'
import { GitHubFailed } from './errors.ts'
import type { GitHub, ServerListing } from './github.ts'
import type { KnownServers, SyncRepository, SyncResult } from './sync-repository.ts'

/** Longer than everything that a sync waits for, so that a lease runs out only when its sync is dead. */
const leaseSeconds = 120
const skipped = new Set(['docs', 'examples', 'scripts', 'tests', '.github'])

/**
 * REG-25: brings the list of official servers up to date and records the outcome. A listing that fails, or is empty, leaves what
 * was known as it is (DEC-068).
 * @returns undefined when another sync is at work, which then records its own outcome
 */
export async function syncRegistry(
  { github, record }: { github: Pick<GitHub, 'listServers'>; record: SyncRepository },
  now: Date,
): Promise<SyncResult | undefined> {
  const owner = randomUUID()
  const nowSeconds = Math.floor(now.getTime() / 1_000)
  const known = await record.take(owner, { nowSeconds, untilSeconds: nowSeconds + leaseSeconds })
  if (!known) return undefined
  try {
    const listing = await github.listServers(known.etag)
    const fresh = listing === 'unchanged' ? known : knownFrom(listing)
    const result: SyncResult = { success: true, stats: compare(known, fresh), errors: [] }
    await record.finish(owner, result, now, fresh)
    return result
  } catch (error) {
    const failure = error instanceof GitHubFailed ? error.message : 'The sync failed'
    const result: SyncResult = { success: false, stats: compare(known, known), errors: [failure] }
    await record.finish(owner, result, now)
    if (!(error instanceof GitHubFailed)) throw error
    return result
  }
}

/** REG-31: folders that are no servers are left out; so are names that could not be ids (DEC-069). */
function isServer(name: string): boolean {
  return !skipped.has(name.toLowerCase()) && /^[A-Za-z0-9_][A-Za-z0-9_-]{0,99}$/.test(name)
}

/** @throws GitHubFailed for a listing without a single server, which is never the truth */
function knownFrom({ servers, etag }: ServerListing): KnownServers {
  const usable = servers.filter(({ name }) => isServer(name))
  if (usable.length === 0) throw new GitHubFailed('GitHub API error: the listing is empty')
  return { names: Object.fromEntries(usable.map(({ name, revision }) => [name, revision])), etag }
}

function compare(before: KnownServers, after: KnownServers): SyncResult['stats'] {
  const names = Object.keys(after.names)
  const isNew = (name: string) => before.names[name] === undefined
  return {
    total: names.length,
    new: names.filter(isNew).length,
    updated: names.filter((name) => !isNew(name) && before.names[name] !== after.names[name]).length,
  }
}
