import { sayRegistry } from '#shared/sentences/registry.ts'
import { wait } from '../platform/clock.ts'
import { toSyncErrors } from './errors.ts'
import { manualSyncContracts } from '#shared/contracts/registry.ts'
import type { SyncResult } from '#shared/contracts/registry.ts'
import { syncsPerHour } from '../platform/limits.ts'
import { apiFunction, type ValidRequest } from '../platform/http/api-function.ts'
import { requestGuards } from '../platform/http/request-guards.ts'
import { keepAliveJson } from '../platform/http/keep-alive-json.ts'
import { builtInProviders } from '../providers/built-in.ts'
import { openSyncDeps } from './open-sync-deps.ts'
import { syncRegistry } from './sync.ts'

/**
 * `force` reads everything again, `enhanced` the changes, `github` only those of GitHub; within a day of the last sync these two change nothing.
 * `refresh` returns the statistics of the last sync.
 */
type Kind = 'force' | 'enhanced' | 'github' | 'refresh'

const deps = openSyncDeps()
/** Without force the sources are asked at most once in this time. */
const freshMs = 24 * 60 * 60_000
/** Of the function's five minutes, this is left for the last page and the snapshot. */
const reservedMs = 60_000
const joinPollMs = 500

/** Waits for the running sync and returns its result, or a failure if it died or takes too long. */
async function awaitRunningSync(remainingMs: () => number): Promise<SyncResult> {
  while (remainingMs() > reservedMs) {
    const { running, died, result } = await deps.repository.read(Date.now())
    if (!running) return result && !died ? result : toFailedResult('no_result')
    await wait(joinPollMs)
  }
  return toFailedResult('running')
}

const toFailedResult = (reason: 'no_result' | 'running' | 'unknown'): SyncResult => ({
  success: false,
  stats: { total: builtInProviders.length, new: 0, updated: 0 },
  ...toSyncErrors([sayRegistry(`sync_failed.${reason}`)]),
})

/** Runs a requested sync, or waits for the one that is running. */
async function runSync(
  kind: Kind,
  { remainingMs, log }: Pick<ValidRequest<'registry.sync'>, 'remainingMs' | 'log'>,
): Promise<SyncResult> {
  try {
    const now = new Date()
    if (kind !== 'force') {
      const { running, lastSync, result } = await deps.repository.read(now.getTime())
      const stats = result?.stats ?? { total: builtInProviders.length, new: 0, updated: 0 }
      if (kind === 'refresh') return { success: true, stats, errors: [] }
      if (!running && lastSync !== undefined && now.getTime() - Date.parse(lastSync) < freshMs)
        return {
          success: true,
          stats: { total: stats.total, new: 0, updated: 0 },
          errors: [],
        }
    }
    const result = await syncRegistry(kind === 'github' ? { ...deps, registry: undefined } : deps, now, {
      force: kind === 'force',
      deadlineMs: now.getTime() + Math.max(0, remainingMs() - reservedMs),
    })
    return result ?? (await awaitRunningSync(remainingMs))
  } catch (error) {
    log.error('sync failed', { error })
    return toFailedResult('unknown')
  }
}

async function handleSync(
  kind: Kind,
  call: Pick<ValidRequest<'registry.sync'>, 'user' | 'remainingMs' | 'log'>,
) {
  await requestGuards().limits.countIn(call.user.sub, {
    // one for all buttons
    name: 'sync',
    max: syncsPerHour,
    windowSeconds: 3_600,
  })
  return keepAliveJson(runSync(kind, call))
}

export const handler = apiFunction('manualSync', manualSyncContracts, {
  'registry.sync': (call) => handleSync(call.body.enhanced ? 'enhanced' : 'github', call),
  'registry.refresh': (call) => handleSync(call.body.kind, call),
})
