import type { RegistryEntry, SyncStatus } from '#shared/contracts/registry.ts'
import { noneExcluded } from '#shared/registry-exclusions.ts'
import { registryHealthyMs } from '#shared/limits.ts'
import { dedupe, createRegistryIndex, type RegistryFilter } from '#shared/registry-search.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { measure } from '../platform/telemetry/metrics.ts'
import { builtInProviders } from '../providers/built-in.ts'
import { toBuiltInEntry, toEntryView } from './entry-view.ts'
import { nameEntries } from './entry-names.ts'
import { EntryNotFound } from './errors.ts'
import type { SnapshotReader } from './snapshot-reader.ts'
import type { StoredEntry } from './stored-entry.ts'
import type { SyncRecord, SyncRepository } from './sync-repository.ts'

/** How long the cached catalogue is served before its version is checked again, which is one small read. */
const freshMs = 1_000
/** How often an active reader reports the age of the registry. */
const ageReportIntervalMs = 60_000

interface CachedCatalogue {
  version: string | undefined
  /** number of entries that are not listed because they imitate built-in ones */
  imitations: number
  entries: Map<string, RegistryEntry>
  search: (filter: RegistryFilter) => RegistryEntry[]
}

const builtIns = builtInProviders.map(toBuiltInEntry)
const builtInsById = new Map(builtIns.map((entry) => [entry.id, entry]))

function buildCachedCatalogue(version: string | undefined, stored: StoredEntry[]): CachedCatalogue {
  const { listed, imitations } = nameEntries(stored)
  const entries = dedupe(listed.map(toEntryView), builtIns)
  return {
    imitations: imitations.length,
    version,
    entries: new Map(entries.map((entry) => [entry.id, entry])),
    search: createRegistryIndex(entries),
  }
}

/**
 * The catalogue in memory: the built-in entries and those of the newest snapshot. While the table does not respond, it serves the cached
 * entries, or only the built-in ones if nothing was loaded yet.
 */
export function catalogue({
  repository,
  snapshots,
}: {
  repository: SyncRepository
  snapshots: SnapshotReader
}) {
  let cached = buildCachedCatalogue(undefined, [])
  let checkedAtMs = 0
  let ageReportedAtMs = 0
  let checking: Promise<CachedCatalogue> | undefined

  /** Readers report the age, not the sync: a sync that never runs shows up, and an idle stage emits nothing. */
  function reportAge(lastSync: string | undefined) {
    const nowMs = Date.now()
    if (lastSync === undefined || nowMs - ageReportedAtMs < ageReportIntervalMs) return
    ageReportedAtMs = nowMs
    measure({ RegistryAge: Math.round((nowMs - Date.parse(lastSync)) / 1_000) })
  }

  async function loadNewest(): Promise<CachedCatalogue> {
    try {
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const { snapshot, lastSync } = await repository.read(Date.now())
        reportAge(lastSync)
        if (!snapshot || snapshot.version === cached.version) break
        const stored = await snapshots.read(snapshot.version, snapshot.chunks)
        if (!stored) continue
        cached = buildCachedCatalogue(snapshot.version, stored)
        break
      }
      checkedAtMs = Date.now()
    } catch (error) {
      logger.warn('the registry could not be read; the copy in memory serves', { error })
    }
    return cached
  }

  const refresh = () => {
    checking ??= loadNewest().finally(() => {
      checking = undefined
    })
    return checking
  }
  /** The newest version, of a look that begins now: one that runs may have begun before a sync ended. */
  async function loadPastCache(): Promise<CachedCatalogue> {
    await checking
    return refresh()
  }
  const loadCurrent = () => (Date.now() - checkedAtMs < freshMs ? Promise.resolve(cached) : refresh())
  /** An unknown id may be newer than the cached copy, so the newest version is checked too. Built-in entries need no copy. */
  const find = async (id: string) =>
    builtInsById.get(id) ?? (await loadCurrent()).entries.get(id) ?? (await refresh()).entries.get(id)

  return {
    search: async (filter: RegistryFilter, { fresh = false } = {}) =>
      (await (fresh ? loadPastCache() : loadCurrent())).search(filter),

    /** @throws EntryNotFound */
    async get(id: string): Promise<RegistryEntry> {
      const entry = await find(id)
      if (!entry) throw new EntryNotFound({ id })
      return entry
    },

    find,

    async status(): Promise<SyncStatus> {
      const now = Date.now()
      const [current, { snapshot, lastSync, running, excluded }] = await Promise.all([
        loadCurrent(),
        repository.read(now).catch((): SyncRecord => ({
          snapshot: undefined,
          lastSync: undefined,
          result: undefined,
          excluded: undefined,
          running: false,
          died: false,
        })),
      ])
      // the number of servers belongs to the sync that is named beside it, not to the copy of a second ago
      const isOld = snapshot && snapshot.version !== current.version
      const { entries, imitations } = isOld ? await refresh() : current
      return {
        isHealthy: isHealthy({ lastSync, servers: entries.size, nowMs: now }),
        lastSync: lastSync ?? null,
        totalServers: entries.size,
        running,
        excluded: { ...noneExcluded, ...excluded, imitation: imitations },
      }
    },
  }
}

export type Catalogue = ReturnType<typeof catalogue>

/** Whether the last sync is less than 48 hours old and found servers. */
export function isHealthy({
  lastSync,
  servers,
  nowMs,
}: {
  lastSync: string | undefined
  servers: number
  nowMs: number
}) {
  return lastSync !== undefined && nowMs - Date.parse(lastSync) < registryHealthyMs && servers > 0
}
