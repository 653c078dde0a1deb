import { sayRegistry } from '#shared/sentences/registry.ts'
import type { Sentence } from '#shared/sentences/sentence.ts'
import { type ExclusionReason, noneExcluded } from '#shared/registry-exclusions.ts'
import { McpRegistryFailed } from './errors.ts'
import type { EntryIndex } from './entry-index.ts'
import { toMcpRegistryEntry, toMcpRegistryId, toServerName } from './mcp-registry-entry.ts'
import type { McpRegistry } from './mcp-registry.ts'
import type { StoredEntry } from './stored-entry.ts'
import type { SyncState } from './sync-repository.ts'

/** Time between checkpoints. Each writes the whole snapshot, so a fast walk has none. */
const checkpointMs = 20_000
/** More pages mean that the registry's cursors loop. */
const maxPages = 2_000
/** Clocks differ, so the changes of the last minutes are fetched twice. */
const overlapMs = 300_000

export type WalkState = Pick<SyncState, 'cursor' | 'since' | 'walkStarted'>

interface WalkOutcome {
  walk: WalkState
  errors: Sentence[]
  /** the registry did not send a usable page */
  failed: boolean
  /** another sync took over the lease */
  lost: boolean
  /** number of entries that are not listed, by reason */
  excluded: Record<ExclusionReason, number>
}

/**
 * Reads the MCP Registry page by page: all of it the first time, later only the changes. An interrupted walk resumes at its last whole page.
 * @param options.deadlineMs when the walk stops; the next sync resumes it
 * @param options.checkpoint called every 20 s; returning false ends the walk because another sync took over
 */
export async function syncMcpRegistry(
  registry: McpRegistry,
  index: EntryIndex,
  options: {
    walk: WalkState
    force: boolean
    now: Date
    deadlineMs: number
    mayBeCalled: (url: string) => boolean
    checkpoint: (walk: WalkState) => Promise<boolean>
  },
): Promise<WalkOutcome> {
  const { now, force, deadlineMs, mayBeCalled, checkpoint } = options
  const isResumed = options.walk.cursor !== undefined && !force
  let walk: WalkState = isResumed
    ? options.walk
    : { since: force ? undefined : options.walk.since, walkStarted: now.toISOString(), cursor: undefined }
  const seen = new Set<string>()
  let unreadable = 0
  const excluded = { ...noneExcluded }
  let checkpointAtMs = Date.now()
  try {
    for (let pages = 1; pages <= maxPages; pages += 1) {
      const page = await registry.page({ cursor: walk.cursor, since: walk.since })
      unreadable += page.unreadable
      for (const published of page.servers) {
        const id = toMcpRegistryId(published.server.name)
        if (isTaken(index.get(id), published.server.name)) {
          excluded.invalid_name += 1
          continue
        }
        const entry = toMcpRegistryEntry(published, mayBeCalled)
        if (entry && 'id' in entry) {
          seen.add(id)
          index.put(entry)
          continue
        }
        if (entry) excluded[entry.excluded] += 1
        if (!seen.has(id)) index.remove(id)
      }
      if (page.nextCursor === undefined || page.nextCursor === walk.cursor) {
        // after an uninterrupted walk through everything, entries that it did not see are gone
        if (!isResumed && walk.since === undefined && seen.size > 0)
          for (const { id, config } of index.all())
            if (config.source === 'mcp-registry' && !seen.has(id)) index.remove(id)
        const since = new Date(Date.parse(walk.walkStarted ?? now.toISOString()) - overlapMs).toISOString()
        return {
          walk: { since, cursor: undefined, walkStarted: undefined },
          errors: sayUnreadable(unreadable),
          failed: false,
          lost: false,
          excluded,
        }
      }
      walk = { ...walk, cursor: page.nextCursor }
      if (Date.now() >= deadlineMs) break
      if (Date.now() - checkpointAtMs < checkpointMs) continue
      if (!(await checkpoint(walk))) return { walk, errors: [], failed: false, lost: true, excluded }
      checkpointAtMs = Date.now()
    }
    return {
      walk,
      errors: [sayRegistry('sync_part.unfinished'), ...sayUnreadable(unreadable)],
      failed: false,
      lost: false,
      excluded,
    }
  } catch (error) {
    if (!(error instanceof McpRegistryFailed)) throw error
    // a rejected cursor is dropped, or every sync would fail on it
    const nextWalk =
      isResumed && error.status !== undefined && error.status >= 400 && error.status < 500
        ? { since: walk.since, cursor: undefined, walkStarted: undefined }
        : walk
    return { walk: nextWalk, errors: [error.sentence], failed: true, lost: false, excluded }
  }
}

/** Whether an id is that of another name: its hash is short, so that names can be made to have one that exists. The entry that has it stays. */
const isTaken = (entry: StoredEntry | undefined, name: string): boolean =>
  entry?.config.server_name !== undefined && entry.config.server_name !== toServerName(name)

const sayUnreadable = (count: number) => (count > 0 ? [sayRegistry('sync_part.unreadable', { count })] : [])
