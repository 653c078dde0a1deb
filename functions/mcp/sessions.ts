import type { Client } from '@modelcontextprotocol/client'
import { wait } from '../platform/clock.ts'
import {
  type Challenge,
  closeMcp,
  connectMcp,
  type McpConnection,
  McpNotConnected,
  isStateful,
  raceSignal,
} from './connection.ts'
import { findMissingScope, findLostSession, getHttpStatus } from './connection-errors.ts'
import { parseRetryAfter } from '#shared/retry-after.ts'
import type { ReconnectReason } from '#shared/reconnect-reason.ts'
import type { OutboundHttp } from '../platform/net/outbound-http.ts'
import { maxToolWaitMs } from '../platform/wait-limits.ts'
import { ProviderError } from '../providers/provider-error.ts'
import { toServerError } from './errors.ts'

const times = { probeMs: 3_000, timeoutMs: 8_000 }
/** Idle sessions are closed because they cost the server resources. */
const idleMs = 60_000
const maxOpen = 200
/** How long to wait for a server to end its sessions. */
const closingMs = 1_500

interface Session {
  connected: Promise<McpConnection>
  /** the headers of the newest credential */
  current: { headers: Record<string, string> }
  activeUses: number
  /** whether some work was done on it */
  hasWorked?: boolean
  /** whether the last work began on a session of the server */
  isStateful?: boolean
  usedAtMs: number
  /** no new work begins on it; it is closed once the running work has ended */
  isRetired?: boolean
}

/** The credentials could not be had this time: nothing was sent to the server. */
export class AccessUnavailable extends ProviderError {}

export interface SessionOptions {
  legacy: boolean | undefined
  onToolsChanged: () => void
  /** the work may change something, so it is repeated only if the server surely did not do it */
  writes?: boolean
}

/** Open connections to users' servers, reused between calls. */
export function serverSessions(http: Pick<OutboundHttp, 'fetch' | 'check'>) {
  const sessions = new Map<string, Session>()
  const closing = new Set<Promise<void>>()

  const close = (key: string, session: Session) => {
    if (sessions.get(key) === session) sessions.delete(key)
    const closed: Promise<void> = session.connected
      .then(closeMcp, () => undefined)
      .finally(() => closing.delete(closed))
    closing.add(closed)
  }

  /** The next work has a new session. Other work may still run on this one. */
  const retire = (key: string, session: Session) => {
    session.isRetired = true
    if (session.activeUses === 0) close(key, session)
    else if (sessions.get(key) === session) sessions.delete(key)
  }

  /** Waits for closing sessions, because the function is frozen after it responds. */
  const waitForClosing = () =>
    raceSignal(Promise.all(closing), AbortSignal.timeout(closingMs)).then(
      () => undefined,
      () => undefined,
    )

  function closeIdleSessions(): void {
    const now = Date.now()
    for (const [key, session] of sessions)
      if (session.activeUses === 0 && (now - session.usedAtMs > idleMs || sessions.size > maxOpen))
        close(key, session)
  }

  function getSession(
    key: string,
    url: string,
    headers: Record<string, string>,
    { legacy, onToolsChanged }: SessionOptions,
  ): Session {
    closeIdleSessions()
    const existing = sessions.get(key)
    if (existing) {
      existing.current.headers = headers
      return existing
    }
    const current = { headers }
    const connected = connectMcp(
      http,
      { url, headers: () => current.headers, ...(legacy !== undefined && { legacy }), onToolsChanged },
      times,
    )
    const session: Session = { connected, current, activeUses: 0, usedAtMs: Date.now() }
    connected.catch(() => close(key, session))
    sessions.set(key, session)
    return session
  }

  async function runOnSession<T>(
    key: string,
    session: Session,
    signal: AbortSignal,
    work: (client: Client, legacy: boolean) => Promise<T>,
  ): Promise<T> {
    session.activeUses += 1
    try {
      const connection = await raceSignal(session.connected, signal)
      session.isStateful = isStateful(connection)
      const result = await work(connection.client, connection.legacy)
      session.hasWorked = true
      return result
    } finally {
      session.activeUses -= 1
      session.usedAtMs = Date.now()
      if (session.isRetired) retire(key, session)
      setTimeout(closeIdleSessions, idleMs + 1_000).unref()
    }
  }

  return {
    /**
     * Runs work on an open connection. Retries once with refreshed credentials after a 401, and once on a new session if the server has
     * lost the old one, which a 401 may mean, too. A read waits once for as long as the server asks. A write that may have been done is
     * never repeated.
     * @throws ProviderError with a sentence for the model, ReconnectRequired, the reason of the signal
     */
    async use<T>(
      connection: ServerConnection,
      hints: SessionOptions,
      signal: AbortSignal,
      work: (client: Client, legacy: boolean) => Promise<T>,
    ): Promise<T> {
      const key = JSON.stringify([
        connection.sub,
        connection.integration.mcpId,
        connection.version,
        connection.url,
      ])
      let rejectedVersion: string | undefined
      let challenge: Challenge | undefined
      let hasReconnected = false
      let hasWaited = false
      try {
        for (;;) {
          const access = await connection.access(rejectedVersion, challenge).catch((cause: unknown) => {
            if (!(cause instanceof ProviderError)) throw cause
            throw new AccessUnavailable(cause.sentences, cause.status, { cause })
          })
          const session = getSession(key, access.url ?? connection.url, access.headers, hints)
          try {
            return await runOnSession(key, session, signal, work)
          } catch (error) {
            signal.throwIfAborted()
            const isOnOldSession = session.isStateful === true && session.hasWorked === true
            if (getHttpStatus(error) === 401 && isOnOldSession && !hasReconnected) {
              // several servers answer so when they know the session no more
              hasReconnected = true
              close(key, session)
              continue
            }
            if (getHttpStatus(error) === 401) {
              if (rejectedVersion !== undefined) throw connection.reconnectError(error)
              rejectedVersion = access.version
              challenge = (await findObservations(session))?.challenge
              continue
            }
            const lost =
              error instanceof McpNotConnected
                ? undefined
                : findLostSession(error, session.isStateful === true)
            if (lost && !hasReconnected) {
              hasReconnected = true
              close(key, session)
              if (lost.wasRefused || !hints.writes) continue
            }
            const observed = await findObservations(session)
            const waitMs = hints.writes || hasWaited ? undefined : findWaitMs(error, observed?.errorHeaders)
            if (waitMs !== undefined) {
              hasWaited = true
              await wait(waitMs, { signal }).catch(() => signal.throwIfAborted())
              continue
            }
            // it may be a forgotten session that is answered so, without a word about it
            if (session.isStateful === true && isFault(getHttpStatus(error), observed?.errorHeaders))
              retire(key, session)
            const missingScope = findMissingScope(error)
            if (missingScope !== undefined && connection.stepUpError)
              throw connection.stepUpError(missingScope, error)
            throw toServerError(connection.integration.name, error, observed?.errorHeaders)
          }
        }
      } finally {
        if (closing.size > 0) await waitForClosing()
      }
    },

    /** Ends all of them. */
    async close(): Promise<void> {
      for (const [key, session] of sessions) close(key, session)
      await waitForClosing()
    },
  }
}

/**
 * Whether a status says that a request failed, other than by a refusal of its permissions. A server that names the time of the next request
 * is asked too often, and a new session would ask it more.
 */
const isFault = (status: number | undefined, headers: Headers | undefined) =>
  status !== undefined &&
  status >= 400 &&
  status !== 403 &&
  !(status === 429 && parseRetryAfter(headers?.get('retry-after')) !== undefined)

/** How long a server that is asked too often, or has to rest, asks to wait; undefined if that is too long, or it does not say. */
function findWaitMs(error: unknown, headers: Headers | undefined): number | undefined {
  const seconds = [429, 503].includes(getHttpStatus(error) ?? 0)
    ? parseRetryAfter(headers?.get('retry-after'))
    : undefined
  return seconds !== undefined && seconds * 1_000 <= maxToolWaitMs ? seconds * 1_000 : undefined
}

/** What the connection has observed, also if it failed. */
const findObservations = ({ connected }: Session) =>
  connected.then(
    ({ observed }) => observed,
    (error: unknown) => (error instanceof McpNotConnected ? error.observed : undefined),
  )

export type ServerSessions = ReturnType<typeof serverSessions>

/** A remote MCP server that a user has connected, or added as a custom tool. */
export interface ServerConnection {
  sub: string
  integration: { readonly mcpId: string; readonly name: string; readonly namespace?: string }
  url: string
  /** why nothing is sent until the user connects again; `access` then always throws */
  reconnectReason?: ReconnectReason | undefined
  /** identifies the connection, not its tokens; changes when the user reconnects */
  version: string
  /** prefix of its tools' names */
  namePrefix: string
  /** fingerprints of the tools that it listed as read-only when the user connected it */
  readOnlyTools: ReadonlySet<string>
  /**
   * Loads the authentication headers; and the address, if it contains a secret that the one of the connection lacks.
   * @param rejectedVersion the version of the credentials that were just rejected
   * @param challenge what the server said about the sign-in when it rejected them
   * @throws ReconnectRequired, ProviderError
   */
  access(
    rejectedVersion?: string,
    challenge?: Challenge,
  ): Promise<{ version: string; headers: Record<string, string>; url?: string }>
  /** the error to throw if a request lacks scopes; absent where there is no sign-in */
  stepUpError?(missingScope: string, cause: unknown): Error
  /** the error to throw if even refreshed credentials are rejected */
  reconnectError(cause: unknown): Error
}
