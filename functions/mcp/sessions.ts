import type { Client } from '@modelcontextprotocol/client'
import {
  closeMcp,
  connectMcp,
  isSessionLost,
  type McpConnection,
  McpNotConnected,
  statusOf,
  until,
} from './connection.ts'
import type { ReconnectReason } from '#shared/reconnect-reason.ts'
import type { OutboundHttp } from '../platform/net/outbound-http.ts'
import { serverErrorOf } from './errors.ts'

const connectMs = 8_000
/** A session that nobody uses ends: servers hold something for each. */
const idleMs = 60_000
const maxOpen = 200
/** A server that does not take the end of its session holds nobody up for longer. */
const closingMs = 1_500

interface Session {
  connected: Promise<McpConnection>
  /** the headers of the newest credential */
  sent: { headers: Record<string, string> }
  using: number
  usedAtMs: number
}

export interface SessionHints {
  legacy: boolean | undefined
  onToolsChanged: () => void
}

/** Connections to users' servers that are open: a server is greeted once, and not for each call. */
export function serverSessions(http: Pick<OutboundHttp, 'fetch' | 'check'>) {
  const open = new Map<string, Session>()
  const closing = new Set<Promise<void>>()

  const close = (key: string, session: Session) => {
    if (open.get(key) === session) open.delete(key)
    const closed: Promise<void> = session.connected
      .then(closeMcp, () => undefined)
      .finally(() => closing.delete(closed))
    closing.add(closed)
  }

  /** What is not told to a server before the function answers may never be: it is frozen then. */
  const awaitClosed = () =>
    until(Promise.all(closing), AbortSignal.timeout(closingMs)).then(
      () => undefined,
      () => undefined,
    )

  function sweep(): void {
    const now = Date.now()
    for (const [key, session] of open)
      if (session.using === 0 && (now - session.usedAtMs > idleMs || open.size > maxOpen)) close(key, session)
  }

  function sessionOf(
    key: string,
    { url }: ServerConnection,
    headers: Record<string, string>,
    { legacy, onToolsChanged }: SessionHints,
  ): Session {
    sweep()
    const held = open.get(key)
    if (held) {
      held.sent.headers = headers
      return held
    }
    const sent = { headers }
    const connected = connectMcp(
      http,
      { url, headers: () => sent.headers, ...(legacy !== undefined && { legacy }), onToolsChanged },
      { timeoutMs: connectMs },
    )
    const session: Session = { connected, sent, using: 0, usedAtMs: Date.now() }
    connected.catch(() => close(key, session))
    open.set(key, session)
    return session
  }

  async function attempt<T>(
    session: Session,
    signal: AbortSignal,
    work: (client: Client, legacy: boolean) => Promise<T>,
  ): Promise<T> {
    session.using += 1
    try {
      const { client, legacy } = await until(session.connected, signal)
      return await work(client, legacy)
    } finally {
      session.using -= 1
      session.usedAtMs = Date.now()
      setTimeout(sweep, idleMs + 1_000).unref()
    }
  }

  return {
    /**
     * Does something with an open connection; once more with renewed credentials where these were refused, and on a new one where
     * the server has forgotten the old. Nothing that may have been done is done again.
     * @throws ProviderError with a sentence for the model, GrantGone, the reason of the signal
     */
    async use<T>(
      connection: ServerConnection,
      hints: SessionHints,
      signal: AbortSignal,
      work: (client: Client, legacy: boolean) => Promise<T>,
    ): Promise<T> {
      const key = JSON.stringify([connection.sub, connection.of.mcpId, connection.version, connection.url])
      let refused: string | undefined
      let isSecond = false
      try {
        for (;;) {
          const allowed = await connection.access(refused)
          const session = sessionOf(key, connection, allowed.headers, hints)
          try {
            return await attempt(session, signal, work)
          } catch (error) {
            signal.throwIfAborted()
            if (statusOf(error) === 401) {
              if (refused !== undefined) throw connection.gone(error)
              refused = allowed.version
              continue
            }
            if (isSessionLost(error) && !(error instanceof McpNotConnected) && !isSecond) {
              isSecond = true
              close(key, session)
              continue
            }
            const { seen } = await session.connected.catch((cause: unknown) => cause as { seen?: undefined })
            throw serverErrorOf(connection.of.name, error, seen?.refusal)
          }
        }
      } finally {
        if (closing.size > 0) await awaitClosed()
      }
    },

    /** Ends all of them. */
    async close(): Promise<void> {
      for (const [key, session] of open) close(key, session)
      await awaitClosed()
    },
  }
}

export type ServerSessions = ReturnType<typeof serverSessions>

/** A remote MCP server that a user has connected, or added as a custom tool. */
export interface ServerConnection {
  sub: string
  of: { readonly mcpId: string; readonly name: string; readonly namespace?: string }
  url: string
  /** why nothing is sent until the user connects again; `access` then always throws */
  reconnect?: ReconnectReason | undefined
  /** of what was connected, not of its tokens: another one when the person connects anew */
  version: string
  /** the names of its tools begin with it */
  owner: string
  /** fingerprints of the tools that it listed as read-only when the user connected it */
  readOnlyTools: ReadonlySet<string>
  /**
   * Headers that say who asks.
   * @param refused the version of the credential that was just refused
   * @throws GrantGone, ProviderError
   */
  access(refused?: string): Promise<{ version: string; headers: Record<string, string> }>
  /** what it means that even a renewed credential is refused */
  gone(cause: unknown): Error
}
