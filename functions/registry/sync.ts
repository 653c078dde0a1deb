import { sayRegistry } from '#shared/sentences/registry.ts'
import { toSyncErrors } from './errors.ts'
import { randomUUID } from 'node:crypto'
import type { SyncResult } from '#shared/contracts/registry.ts'
import { noneExcluded } from '#shared/registry-exclusions.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { measure } from '../platform/telemetry/metrics.ts'
import { builtInProviders } from '../providers/built-in.ts'
import { createEntryIndex } from './entry-index.ts'
import { nameEntries } from './entry-names.ts'
import type { GitHub } from './github.ts'
import type { McpRegistry } from './mcp-registry.ts'
import type { SnapshotStore } from './snapshot.ts'
import { syncGitHub } from './sync-github.ts'
import { syncMcpRegistry } from './sync-mcp-registry.ts'
import type { SyncState, SyncRepository } from './sync-repository.ts'

/** Longer than a sync can take between two checkpoints, so that a lease expires only if its sync died. */
const leaseSeconds = 240

export interface SyncDeps {
  github: GitHub
  /** undefined to sync GitHub only */
  registry: McpRegistry | undefined
  repository: SyncRepository
  snapshots: SnapshotStore
  /** whether a server with this URL may be listed */
  mayBeCalled: (url: string) => boolean
}

export interface SyncOptions {
  /** reads everything again */
  force: boolean
  /** when the walk through the MCP Registry stops; the next sync resumes it */
  deadlineMs: number
}

/**
 * Updates the catalogue and records the result. Entries of a source that fails stay as they are; the sync succeeds if one source responded.
 * @returns undefined if another sync is running or took over, which records its own result
 */
export async function syncRegistry(
  deps: SyncDeps,
  now: Date,
  { force, deadlineMs }: SyncOptions,
): Promise<SyncResult | undefined> {
  const { github, registry, repository, snapshots, mayBeCalled } = deps
  const owner = randomUUID()
  const seconds = () => Math.floor(Date.now() / 1_000)
  const nowSeconds = Math.floor(now.getTime() / 1_000)
  const initialState = await repository.take(owner, { nowSeconds, untilSeconds: nowSeconds + leaseSeconds })
  if (!initialState) return undefined
  let state: SyncState = initialState
  // the state that a failure restores; the rows of older ones may be gone
  let recorded = state
  try {
    const stored = state.snapshot && (await snapshots.read(state.snapshot.version, state.snapshot.chunks))
    // without the entries of the snapshot, revisions and cursors are useless
    if (!stored) state = { names: {}, previous: state.previous }
    /** Removes the expiry of the chunks once the record names them; if that fails, the next sync does it. */
    const makeSnapshotPermanent = async () => {
      const { snapshot } = state
      if (!snapshot || snapshot.kept) return
      try {
        await snapshots.keep(snapshot.version, snapshot.chunks)
        state = { ...state, snapshot: { ...snapshot, kept: true } }
      } catch (error) {
        logger.warn('a snapshot could not be made permanent', { error })
      }
    }
    if (stored) await makeSnapshotPermanent()
    const index = createEntryIndex(stored ?? [])
    let publishedChanges = 0

    const publish = async () => {
      const { new: added, updated, removed } = index.counts()
      if (added + updated + removed === publishedChanges && state.snapshot) return
      publishedChanges = added + updated + removed
      const version = randomUUID()
      const { chunks } = await snapshots.write(version, index.all())
      if (state.previous) await snapshots.remove(state.previous.version, state.previous.chunks)
      state = { ...state, snapshot: { version, chunks }, previous: state.snapshot }
    }

    const saveCheckpoint = async () => {
      const hasLease = await repository.checkpoint(owner, state, seconds() + leaseSeconds)
      if (hasLease) recorded = state
      return hasLease
    }

    const fromGitHub = await syncGitHub(github, index, {
      known: { revisions: state.names, etag: state.etag },
      force,
      now,
    })
    state = { ...state, names: fromGitHub.revisions, etag: fromGitHub.etag }
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
          const hasLease = await saveCheckpoint()
          if (hasLease) await makeSnapshotPermanent()
          return hasLease
        },
      }))
    if (fromRegistry) state = { ...state, ...fromRegistry.walk, excluded: fromRegistry.excluded }
    await publish()
    // recorded as permanent with the result, so that the next sync does not write its chunks once more
    if (state.snapshot && !state.snapshot.kept && (await saveCheckpoint())) await makeSnapshotPermanent()
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
      ...toSyncErrors(
        [
          ...fromGitHub.errors,
          ...(fromRegistry?.errors ?? []),
          ...(newImitations > 0 ? [sayRegistry('sync_part.imitations', { count: newImitations })] : []),
        ].slice(0, 20),
      ),
    }
    if (!(await repository.finish(owner, state, result, now))) return undefined
    measure({ FailedSyncs: result.success ? 0 : 1 })
    return result
  } catch (error) {
    measure({ FailedSyncs: 1 })
    const stats = { total: builtInProviders.length, new: 0, updated: 0 }
    await repository
      .finish(
        owner,
        recorded,
        { success: false, stats, ...toSyncErrors([sayRegistry('sync_failed.unknown')]) },
        now,
      )
      // the lease expires; the first failure is what operators have to see
      .catch((cause: unknown) => logger.error('the failed sync was not recorded', { error: cause }))
    throw error
  }
}
