import type { RegistryEntry } from '#shared/contracts/registry.ts'

/** The fields of an entry that ranking and search read. */
export type SearchableEntry = Pick<
  RegistryEntry,
  'id' | 'name' | 'description' | 'provider' | 'auth_type'
> & {
  config: Pick<RegistryEntry['config'], 'features' | 'popularity' | 'source' | 'remote_url'>
}

interface IndexedEntry<Entry> {
  entry: Entry
  name: string
  provider: string
  /** all other searchable text */
  rest: string
}

export interface RegistryFilter {
  term?: string | undefined
  provider?: string | undefined
  auth_type?: string | undefined
}

/** Joins two lists and removes each entry whose id or name (ignoring case) occurred before; `preferred` comes first. */
export function dedupe<Entry extends { id: string; name: string }>(
  preferred: readonly Entry[],
  others: readonly Entry[],
): Entry[] {
  const ids = new Set<string>()
  const names = new Set<string>()
  return [...preferred, ...others].filter(({ id, name }) => {
    const lower = name.toLowerCase()
    if (ids.has(id) || names.has(lower)) return false
    ids.add(id)
    names.add(lower)
    return true
  })
}

/** Compares numbers in names by value: 'Remote 3' before 'Remote 29'. */
const nameCollator = new Intl.Collator('en', { numeric: true })

/** Entries that cannot be connected come last. */
const compareByPopularity = (a: SearchableEntry, b: SearchableEntry) =>
  Number(runsLocally(a)) - Number(runsLocally(b)) ||
  b.config.popularity - a.config.popularity ||
  nameCollator.compare(a.name, b.name) ||
  (a.id < b.id ? -1 : 1)

/**
 * Indexes the catalogue in memory: sorted once, searched linearly (20,000 entries in a few milliseconds).
 * @returns a search that returns matching entries: name matches first, then by popularity and name; local-only servers last
 */
export function createRegistryIndex<Entry extends SearchableEntry>(entries: readonly Entry[]) {
  const all = entries.toSorted(compareByPopularity)
  const index: IndexedEntry<Entry>[] = all.map((entry) => ({
    entry,
    name: entry.name.toLowerCase(),
    provider: entry.provider.toLowerCase(),
    rest: [entry.description, entry.provider, ...entry.config.features].join('\n').toLowerCase(),
  }))
  return ({ term = '', provider = '', auth_type }: RegistryFilter): Entry[] => {
    const query = term.trim().toLowerCase()
    const providerQuery = provider.trim().toLowerCase()
    if (query === '' && providerQuery === '' && auth_type === undefined) return all
    const byName: Entry[] = []
    const others: Entry[] = []
    const local: Entry[] = []
    for (const item of index) {
      if (auth_type !== undefined && item.entry.auth_type !== auth_type) continue
      if (providerQuery && !item.provider.includes(providerQuery)) continue
      const matchesName = item.name.includes(query)
      if (!matchesName && !item.rest.includes(query)) continue
      if (runsLocally(item.entry)) local.push(item.entry)
      else if (matchesName) byName.push(item.entry)
      else others.push(item.entry)
    }
    return byName.concat(others, local)
  }
}

/** One page of search results; pages count from 1. */
export function paginate<Entry>(entries: readonly Entry[], { page, limit }: { page: number; limit: number }) {
  const start = (page - 1) * limit
  return {
    items: entries.slice(start, start + limit),
    total: entries.length,
    hasMore: start + limit < entries.length,
    page,
  }
}

/** Popularity from a repository's statistics, 10 to 100; 50 without statistics. */
export function popularity(stats: { stars: number; forks: number; watchers: number } | undefined): number {
  if (!stats) return 50
  const value = Math.round((0.6 * stats.stars + 0.3 * stats.forks + 0.1 * stats.watchers) / 10)
  return Number.isFinite(value) ? Math.min(100, Math.max(10, value)) : 50
}

export interface ServerSource {
  config: Pick<RegistryEntry['config'], 'source' | 'remote_url'>
}

/**
 * Whether a server is published only as a program to run locally (MCP's stdio transport), without a remote address.
 */
export function runsLocally({ config: { source, remote_url: url } }: ServerSource): boolean {
  return source !== 'builtin' && url === undefined
}
