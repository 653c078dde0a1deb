import { fingerprintTool, listedTools, type ServerTool } from './list-tools.ts'
import { until } from './connection.ts'
import { serversAskedAtOnce } from '#shared/limits.ts'
import { inTurn } from './limit-concurrency.ts'
import { watchForFreeze } from '../platform/freeze-watch.ts'
import { LruMap } from '../platform/lru-map.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { plainLine, cleanText } from '../platform/untrusted-text.ts'
import { checkable, cleanSchema, SchemaUnusable } from './schema.ts'
import type { ServerSessions, ServerConnection } from './sessions.ts'
import type { ListedTool, ServerList, StoredList, ToolListRepository } from './tool-list-repository.ts'
import { ProviderError, isGrantGone } from '../providers/errors.ts'

/** A list is as good as new for so long. */
const freshMs = 60_000
/** A reply waits for a server that never told its tools, and for one whose last list is there. */
const patienceMs = { first: 2_500, again: 800 }
/** The list comes, or it does not. */
const listMs = 10_000
/** A server that did not answer is let alone for so long, by all instances of the functions. */
const restMs = 30_000
const maxTools = 500
const maxDescription = 2_000
const maxHeld = 500

interface Memory {
  list?: ServerList
  failed?: { atMs: number; error: unknown }
  asking?: Promise<ServerList>
}

/** @throws SchemaUnusable */
function entryOf(url: string, tool: ServerTool): ListedTool {
  const { name, title, description, inputSchema, annotations } = tool
  return {
    name,
    title: plainLine(title ?? annotations?.title ?? name, 100) || name.slice(0, 100),
    description: cleanText(description, maxDescription),
    schema: cleanSchema(inputSchema),
    destructive: annotations?.destructiveHint === true,
    fingerprint: fingerprintTool(url, tool),
  }
}

function cleaned(url: string, { tools, more }: Awaited<ReturnType<typeof listedTools>>) {
  const entries: ListedTool[] = []
  const leftOut: string[] = more ? [`it has more than ${tools.length} tools`] : []
  for (const tool of tools)
    try {
      entries.push(entryOf(url, tool))
    } catch (error) {
      if (!(error instanceof SchemaUnusable)) throw error
      leftOut.push(`${plainLine(tool.name, 60)} cannot be used: ${error.message}`)
    }
  const works = checkable(entries.map(({ schema }) => schema))
  for (const { name } of entries.filter((_, at) => !works[at]))
    leftOut.push(`${plainLine(name, 60)} cannot be used: its parameters cannot be checked`)
  return { entries: entries.filter((_, at) => works[at]), leftOut }
}

/**
 * What users' servers can do: in memory, in the table for the other functions, and asked anew when that is a minute old, when the
 * server says that it changed, or when the person connects anew. A server that is slow does not hold a reply up.
 */
export function serverLists(sessions: ServerSessions, rows: ToolListRepository) {
  const memory = new LruMap<string, Memory>(maxHeld)
  const askInTurn = inTurn(serversAskedAtOnce)

  const versionOf = ({ version, url }: ServerConnection) => `${version} ${url}`
  const keyOf = ({ sub, of, version, url }: ServerConnection) => JSON.stringify([sub, of.mcpId, version, url])

  function held(connection: ServerConnection): Memory {
    const key = keyOf(connection)
    const found = memory.get(key) ?? {}
    memory.set(key, found)
    return found
  }

  async function stored(connection: ServerConnection, about: Memory): Promise<ServerList | undefined> {
    if (about.list) return about.list
    const { list, failed } = await rows
      .find(connection.sub, connection.of.mcpId)
      .catch((error: unknown): StoredList => {
        logger.warn('a list of tools could not be read', { error })
        return {}
      })
    const version = versionOf(connection)
    if (list?.version === version) about.list ??= list
    if (failed?.version === version)
      about.failed ??= {
        atMs: failed.atMs,
        error: new ProviderError(`${connection.of.name} did not answer a moment ago.`),
      }
    return about.list
  }

  const hintsOf = (about: Memory) => ({
    legacy: about.list?.legacy,
    onToolsChanged: () => {
      if (about.list) about.list = { ...about.list, listedAtMs: 0 }
    },
  })

  /** A list that goes on behind the patience of its reply may be frozen with the function: then it is asked for again at the thaw. */
  async function fetched(connection: ServerConnection, about: Memory): Promise<ServerList> {
    try {
      for (;;) {
        const freeze = watchForFreeze()
        try {
          return await askServer(connection, about)
        } catch (error) {
          if (!isGrantGone(error) && freeze.wasFrozen()) continue
          await storeFailure(connection, about, error)
          throw error
        } finally {
          freeze.stop()
        }
      }
    } finally {
      delete about.asking
    }
  }

  async function askServer(connection: ServerConnection, about: Memory): Promise<ServerList> {
    const deadline = AbortSignal.timeout(listMs)
    const list = await sessions.use(connection, hintsOf(about), deadline, async (client, legacy) => ({
      version: versionOf(connection),
      listedAtMs: Date.now(),
      legacy,
      ...cleaned(connection.url, await listedTools(client, { maxTools, signal: deadline })),
    }))
    about.list = list
    delete about.failed
    await rows.put(connection.sub, connection.of.mcpId, list).catch((error: unknown) => {
      logger.warn('a list of tools could not be kept', { error })
    })
    return list
  }

  async function storeFailure(connection: ServerConnection, about: Memory, error: unknown): Promise<void> {
    const atMs = Date.now()
    about.failed = { atMs, error }
    if (isGrantGone(error)) return
    await rows
      .putFailure(connection.sub, connection.of.mcpId, { version: versionOf(connection), atMs })
      .catch((cause: unknown) => logger.warn('a failure of a server could not be kept', { error: cause }))
  }

  return {
    hintsOf: (connection: ServerConnection) => hintsOf(held(connection)),

    /**
     * The tools of a server, as it tells them now or told them last.
     * @param now what it told before will not do
     * @throws ProviderError, GrantGone, or the time that is up
     */
    async list(connection: ServerConnection, { now = false } = {}): Promise<ServerList> {
      const about = held(connection)
      const before = await stored(connection, about)
      if (connection.reconnect) {
        if (before) return before
        throw connection.gone(undefined)
      }
      if (before && !now && Date.now() - before.listedAtMs < freshMs) return before
      if (about.failed && !about.asking && Date.now() - about.failed.atMs < restMs) {
        if (before && (!now || isGrantGone(about.failed.error))) return before
        if (!now) throw about.failed.error
      }
      about.asking ??= askInTurn(connection.sub, () => fetched(connection, about))
      about.asking.catch(() => undefined)
      const patience = AbortSignal.timeout(before && !now ? patienceMs.again : patienceMs.first)
      try {
        return await until(about.asking, patience)
      } catch (error) {
        // the call will say that the person has to connect again, and the person will be asked
        if (before && (!now || isGrantGone(error))) return before
        throw error
      }
    },
  }
}
