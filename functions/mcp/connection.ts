import {
  Client,
  extractWWWAuthenticateParams,
  InsufficientScopeError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { AddressForbidden, OutboundFailed, type OutboundHttp } from '../platform/net/outbound-http.ts'

/** What a server says when it wants other credentials: where to get them, as far as it tells. */
export interface Challenge {
  resourceMetadataUrl?: URL
  scope?: string
}

/** What the client does not tell: kept by the way out that it uses. */
interface Seen {
  challenge?: Challenge
  failure?: AddressForbidden | OutboundFailed
  /** headers of the last answer that was a refusal */
  refusal?: Headers
}

export interface McpConnection {
  client: Client
  seen: Seen
  /** it is spoken to by the handshake of before 2026-07-28: known, the next connection need not try both */
  legacy: boolean
}

export interface McpServer {
  url: string
  /** who asks, for each request anew: tokens change while a connection lasts */
  headers: () => Record<string, string>
  /** what was found the last time */
  legacy?: boolean
  onToolsChanged?: () => void
}

/** A server did not say hello; `seen` tells what else it said. */
export class McpNotConnected extends Error {
  readonly seen: Seen

  constructor(seen: Seen, cause: unknown) {
    super('the MCP server was not connected', { cause })
    this.seen = seen
  }
}

/**
 * Connects to a remote MCP server through the outbound guard: streamable HTTP in the newest revision that both speak, else the
 * older transport, SSE.
 * @throws McpNotConnected, AddressForbidden for an address that may not be called
 */
export async function connectMcp(
  http: Pick<OutboundHttp, 'fetch' | 'check'>,
  server: McpServer,
  { timeoutMs }: { timeoutMs: number },
): Promise<McpConnection> {
  http.check(server.url)
  const seen: Seen = {}
  const address = new URL(server.url)
  const fetch = watched(http, server.headers, seen)
  const deadline = AbortSignal.timeout(timeoutMs)
  const streamable = () => new StreamableHTTPClientTransport(address, { fetch, reconnectionOptions })
  const begin = (transport: Transport, legacy: boolean) => greet(transport, server, { legacy, deadline })
  try {
    let client: Client
    try {
      client = await begin(streamable(), server.legacy === true)
    } catch (error) {
      if (seen.challenge || deadline.aborted) throw error
      if (speaksOlder(error)) client = await begin(new SSEClientTransport(address, { fetch }), true)
      // a server of before may fail on a question that it does not know
      else if (!server.legacy && isFault(error)) client = await begin(streamable(), true)
      else throw error
    }
    return { client, seen, legacy: client.getProtocolEra() !== 'modern' }
  } catch (error) {
    throw new McpNotConnected(seen, error)
  }
}

const reconnectionOptions = {
  maxRetries: 2,
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 5_000,
  reconnectionDelayGrowFactor: 2,
}

/** The HTTP status that an error of the client is about. */
export function statusOf(error: unknown): number | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof InsufficientScopeError) return 403
    if (cause instanceof SdkHttpError && cause.status !== undefined) return cause.status
  }
  return undefined
}

/** What servers of the older transport answer to a POST at the address of their stream. */
const speaksOlder = (error: unknown) => [400, 404, 405].includes(statusOf(error) ?? 0)
const isFault = (error: unknown) => (statusOf(error) ?? 0) >= 500

function watched(http: Pick<OutboundHttp, 'fetch'>, headers: McpServer['headers'], seen: Seen) {
  return async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const sent = new Headers(headers())
    // what belongs to the transport goes before what a user typed
    for (const [name, value] of new Headers(init.headers)) sent.set(name, value)
    try {
      const response = await http.fetch(input, { ...init, headers: sent })
      if (response.status >= 400) seen.refusal = response.headers
      if (response.status === 401 || response.status === 403) {
        const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response)
        seen.challenge ??= { ...(resourceMetadataUrl && { resourceMetadataUrl }), ...(scope && { scope }) }
      }
      return response
    } catch (error) {
      if (error instanceof AddressForbidden || error instanceof OutboundFailed) seen.failure ??= error
      throw error
    }
  }
}

async function greet(
  transport: Transport,
  { onToolsChanged }: McpServer,
  { legacy, deadline }: { legacy: boolean; deadline: AbortSignal },
): Promise<Client> {
  const client = new Client(
    { name: 'juno-assistant', version: '1' },
    {
      versionNegotiation: { mode: legacy ? 'legacy' : 'auto' },
      ...(onToolsChanged && {
        listChanged: { tools: { autoRefresh: false, onChanged: () => onToolsChanged() } },
      }),
    },
  )
  try {
    // the older transport waits for its first event before any time-out of the client begins
    await until(client.connect(transport, { signal: deadline }), deadline)
    return client
  } catch (error) {
    await client.close().catch(() => undefined)
    throw error
  }
}

/** A promise, or the reason of a signal that comes first. */
export async function until<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // its end may come when nobody waits any more
  work.catch(() => undefined)
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason as Error)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Tells the server that its session is over, and closes the connection; never throws. */
export async function closeMcp({ client }: Pick<McpConnection, 'client'>): Promise<void> {
  const { transport } = client
  const told =
    transport instanceof StreamableHTTPClientTransport ? transport.terminateSession() : Promise.resolve()
  await until(told, AbortSignal.timeout(closeMs)).catch(() => undefined)
  await client.close().catch(() => undefined)
}

const closeMs = 1_000

/** The session is over: the server has forgotten it, or the connection is closed. */
export const isSessionLost = (error: unknown) =>
  statusOf(error) === 404 || (error instanceof SdkError && error.code === SdkErrorCode.NotConnected)
