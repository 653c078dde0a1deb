import { randomUUID } from 'node:crypto'
import type { SyncResult } from '#shared/contracts/registry.ts'
import { noneExcluded } from '#shared/registry-exclusions.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { measure } from '../platform/telemetry/metrics.ts'
import { builtInProviders } from '../providers/built-in.ts'
import { entryIndex } from './entry-index.ts'
import { nameEntries } from './entry-names.ts'
import type { GitHub } from './github.ts'
import type { McpRegistry } from './mcp-registry.ts'
import type { SnapshotStore } from './snapshot.ts'
import { syncGitHub } from './sync-github.ts'
import { syncMcpRegistry } from './sync-mcp-registry.ts'
import type { SyncState, SyncRepository } from './sync-repository.ts'

/** Longer than whatever a sync waits for between two checkpoints, so that a lease runs out only when its sync is dead. */
const leaseSeconds = 240
/** Snapshots before 2 lack entries whose title another one had first. */
const snapshotFormat = 2

export interface SyncSources {
  github: GitHub
  /** left out where only the code host is asked */
  registry: McpRegistry | undefined
  record: SyncRepository
  snapshots: SnapshotStore
  /** which addresses of remote servers may be listed at all */
  mayBeCalled: (url: string) => boolean
}

export interface SyncOptions {
  /** asks for everything again, whatever is known */
  force: boolean
  /** the walk through the MCP Registry ends there and goes on the next time */
  deadlineMs: number
}

/**
 * REG-25: brings the catalogue up to date and records the outcome. What a source does not give stays as it is (DEC-068); the sync
 * succeeds as long as one source answered.
 * @returns undefined when another sync is at work, which then records its own outcome
 */
export async function syncRegistry(
  sources: SyncSources,
  now: Date,
  { force, deadlineMs }: SyncOptions,
): Promise<SyncResult | undefined> {
  const { github, registry, record, snapshots, mayBeCalled } = sources
  const owner = randomUUID()
  const seconds = () => Math.floor(Date.now() / 1_000)
  const nowSeconds = Math.floor(now.getTime() / 1_000)
  const initialState = await record.take(owner, { nowSeconds, untilSeconds: nowSeconds + leaseSeconds })
  if (!initialState) return undefined
  let state: SyncState = initialState
  // what a failure goes back to: the rows of an earlier one may be gone
  let recorded = state
  try {
    const stored = state.snapshot && (await snapshots.read(state.snapshot.version, state.snapshot.chunks))
    // without its entries, what the record knows of them is worth nothing
    if (!stored) state = { names: {}, previous: state.previous }
    if (state.format !== snapshotFormat)
      state = {
        ...state,
        format: snapshotFormat,
        cursor: undefined,
        since: undefined,
        walkStarted: undefined,
      }
    /** Chunks get their end taken once the record names them; where that fails, the next sync makes up for it. */
    const makeSnapshotPermanent = async () => {
      const { snapshot } = state
      if (!snapshot || snapshot.kept) return
      try {
        await snapshots.keep(snapshot.version, snapshot.chunks)
        state = { ...state, snapshot: { ...snapshot, kept: true } }
      } catch (error) {
        logger.warn('a snapshot could not be kept this time', { error })
      }
    }
    if (stored) await makeSnapshotPermanent()
    const index = entryIndex(stored ?? [])
    let published = 0

    const publish = async () => {
      const { new: added, updated, removed } = index.counts()
      if (added + updated + removed === published && state.snapshot) return
      published = added + updated + removed
      const version = randomUUID()
      const { chunks } = await snapshots.write(version, index.all())
      if (state.previous) await snapshots.remove(state.previous.version, state.previous.chunks)
      state = { ...state, snapshot: { version, chunks }, previous: state.snapshot }
    }

    const fromGitHub = await syncGitHub(github, index, { known: state, force, now })
    state = { ...state, names: fromGitHub.names, etag: fromGitHub.etag }
    const fromRegistry =
      registry &&
      (await syncMcpRegistry(registry, index, {
        walk: state,
        force,
        now,
        deadlineMs,
        mayBeCalled,
        async checkpoint(walk) {
          state = { ...state, ...walk }
          await publish()
          const hasLease = await record.checkpoint(owner, state, seconds() + leaseSeconds)
          if (hasLease) {
            recorded = state
            await makeSnapshotPermanent()
          }
          return hasLease
        },
      }))
    if (fromRegistry) state = { ...state, ...fromRegistry.walk, excluded: fromRegistry.excluded }
    await publish()
    const { new: added, updated } = index.counts()
    const { listed, imitations } = nameEntries(index.all())
    const excluded = { ...noneExcluded, ...fromRegistry?.excluded, imitation: imitations.length }
    for (const [code, count] of Object.entries(excluded))
      if (count > 0) logger.info('entries are not listed', { code, count })
    const storedIds = new Set(stored?.map(({ id }) => id))
    const newImitations = imitations.filter(({ id }) => !storedIds.has(id)).length
    const result: SyncResult = {
      success: !(fromGitHub.failed && (fromRegistry?.failed ?? true)),
      stats: { total: listed.length + builtInProviders.length, new: added, updated },
      errors: [
        ...fromGitHub.errors,
        ...(fromRegistry?.errors ?? []),
        ...(newImitations > 0
          ? [
              `${newImitations} entries are not listed: their name is, or looks like, a built-in integration’s`,
            ]
          : []),
      ].slice(0, 20),
    }
    if (await record.finish(owner, state, result, now)) await makeSnapshotPermanent()
    measure({ FailedSyncs: result.success ? 0 : 1 })
    return result
  } catch (error) {
    measure({ FailedSyncs: 1 })
    const stats = { total: builtInProviders.length, new: 0, updated: 0 }
    await record.finish(owner, recorded, { success: false, stats, errors: ['The sync failed'] }, now)
    throw error
  }
}
