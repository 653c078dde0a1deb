import { sayTool } from '#shared/sentences/tools.ts'
import { listTools } from './list-tools.ts'
import { freshMs, toToolList } from './listed-tools.ts'
import { raceSignal } from './connection.ts'
import { serversAskedAtOnce } from '../platform/limits.ts'
import { limitConcurrency } from '../platform/limit-concurrency.ts'
import { watchForFreeze } from '../platform/freeze-watch.ts'
import { waitLimitsMs } from '../platform/wait-limits.ts'
import { LruMap } from '../platform/lru-map.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { AccessUnavailable, type ServerSessions, type ServerConnection } from './sessions.ts'
import {
  buildListVersion,
  type ToolList,
  type StoredToolList,
  type ToolListRepository,
} from './tool-list-repository.ts'
import { ProviderError } from '../providers/provider-error.ts'
import { isReconnectRequired } from '../providers/reconnect-required.ts'

/** Timeout of fetching a list. */
const listMs = 15_000
/** All instances wait this long before they try a failed server again. */
const retryAfterMs = 30_000
/** An instance waits this long after a failure of the sign-in server, which says nothing about the server itself. */
const retryAccessAfterMs = 3_000
/** A list that is younger is not fetched again after a call. */
const changeMs = 5_000
const maxTools = 500
const maxCached = 500

interface CacheEntry {
  list?: ToolList
  failed?: { atMs: number; error: unknown; retryAfterMs: number }
  pending?: Promise<ToolList>
}

const isFresh = (list: ToolList) => Date.now() - list.listedAtMs < (list.freshMs ?? freshMs)

/**
 * The tool lists of users' servers, cached in memory and in the table. A list is fetched again after a minute, when the server reports a
 * change, and when the user reconnects. A slow server does not delay a reply.
 */
export function toolLists(sessions: ServerSessions, repository: Omit<ToolListRepository, 'findRejected'>) {
  /** users one of whose servers has changed its tools */
  const changedFor = new Set<string>()
  const cache = new LruMap<string, CacheEntry>(maxCached)
  const limit = limitConcurrency(serversAskedAtOnce)

  const buildCacheKey = ({ sub, integration, version, url }: ServerConnection) =>
    JSON.stringify([sub, integration.mcpId, version, url])

  function getCacheEntry(connection: ServerConnection): CacheEntry {
    const key = buildCacheKey(connection)
    const found = cache.get(key) ?? {}
    cache.set(key, found)
    return found
  }

  async function loadStored(connection: ServerConnection, entry: CacheEntry): Promise<ToolList | undefined> {
    if (entry.list) return entry.list
    const { list, failed } = await repository
      .find(connection.sub, connection.integration.mcpId)
      .catch((error: unknown): StoredToolList => {
        logger.warn('a list of tools could not be read', { error })
        return {}
      })
    const version = buildListVersion(connection)
    if (list?.version === version) entry.list ??= list
    if (failed?.version === version && !failed.needsReconnect)
      entry.failed ??= {
        atMs: failed.atMs,
        retryAfterMs,
        error: new ProviderError(
          sayTool('provider_no_answer.recently', { name: connection.integration.name }),
        ),
      }
    return entry.list
  }

  const markStale = (entry: CacheEntry) => {
    if (entry.list) entry.list = { ...entry.list, listedAtMs: 0 }
  }

  const toSessionOptions = (sub: string, entry: CacheEntry) => ({
    legacy: entry.list?.legacy,
    onToolsChanged: () => {
      changedFor.add(sub)
      markStale(entry)
    },
  })

  /** A request that outlasts its reply may be frozen with the function; it is repeated after the thaw. */
  async function fetchList(connection: ServerConnection, entry: CacheEntry): Promise<ToolList> {
    try {
      for (;;) {
        const freeze = watchForFreeze()
        try {
          return await askServer(connection, entry)
        } catch (error) {
          if (!isReconnectRequired(error) && freeze.wasFrozen()) continue
          await storeFailure(connection, entry, error)
          throw error
        } finally {
          freeze.stop()
        }
      }
    } finally {
      delete entry.pending
    }
  }

  async function askServer(connection: ServerConnection, entry: CacheEntry): Promise<ToolList> {
    const deadline = AbortSignal.timeout(listMs)
    const list = await sessions.use(
      connection,
      toSessionOptions(connection.sub, entry),
      deadline,
      async (client, legacy) => {
        const listed = await listTools(client, { maxTools, signal: deadline })
        return {
          version: buildListVersion(connection),
          ...toToolList(connection.url, listed, { legacy, instructions: client.getInstructions() }),
        }
      },
    )
    entry.list = list
    delete entry.failed
    await repository.put(connection.sub, connection.integration.mcpId, list).catch((error: unknown) => {
      logger.warn('a list of tools could not be stored', { error })
    })
    return list
  }

  async function storeFailure(
    connection: ServerConnection,
    entry: CacheEntry,
    error: unknown,
  ): Promise<void> {
    const atMs = Date.now()
    const isAboutAccess = error instanceof AccessUnavailable
    entry.failed = { atMs, error, retryAfterMs: isAboutAccess ? retryAccessAfterMs : retryAfterMs }
    if (isAboutAccess) return
    await repository
      .putFailure(connection.sub, connection.integration.mcpId, {
        version: buildListVersion(connection),
        atMs,
        ...(isReconnectRequired(error) && { needsReconnect: true }),
      })
      .catch((cause: unknown) => logger.warn('a failure of a server could not be stored', { error: cause }))
  }

  return {
    sessionOptions: (connection: ServerConnection) =>
      toSessionOptions(connection.sub, getCacheEntry(connection)),

    /** A call may have changed the tools of a server that says when it changes them: the next list is a new one. */
    expectChanges(connection: ServerConnection): void {
      const entry = getCacheEntry(connection)
      if (entry.list && Date.now() - entry.list.listedAtMs > changeMs) markStale(entry)
    },

    /** Whether a server of the user has changed its tools since this was asked last. */
    takeChanges: (sub: string): boolean => changedFor.delete(sub),

    /**
     * Loads the tools of a server.
     * With `mustBeCurrent`, an older list is accepted only while the user has to reconnect.
     * @throws ProviderError, ReconnectRequired, or a timeout
     */
    async list(connection: ServerConnection, { mustBeCurrent = false } = {}): Promise<ToolList> {
      const entry = getCacheEntry(connection)
      const known = await loadStored(connection, entry)
      if (connection.reconnectReason) {
        if (known) return known
        throw connection.reconnectError(undefined)
      }
      if (known && !mustBeCurrent && isFresh(known)) return known
      if (entry.failed && !entry.pending && Date.now() - entry.failed.atMs < entry.failed.retryAfterMs) {
        if (known && (!mustBeCurrent || isReconnectRequired(entry.failed.error))) return known
        if (!mustBeCurrent) throw entry.failed.error
      }
      entry.pending ??= limit(connection.sub, () => fetchList(connection, entry))
      entry.pending.catch(() => undefined)
      const timeout = AbortSignal.timeout(
        known && !mustBeCurrent ? waitLimitsMs.toolListAgain : waitLimitsMs.toolList,
      )
      try {
        return await raceSignal(entry.pending, timeout)
      } catch (error) {
        // the call reports that the user has to reconnect
        if (known && (!mustBeCurrent || isReconnectRequired(error))) return known
        throw error
      }
    },
  }
}
