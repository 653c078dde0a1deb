import {
  Client,
  type ClientCapabilities,
  extractWWWAuthenticateParams,
  InsufficientScopeError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { declareApps } from './app-metadata.ts'
import { AddressForbidden, OutboundFailed, type OutboundHttp } from '../platform/net/outbound-http.ts'
import { allowTasks, tasksExtension } from './task-transport.ts'

/** What a server that refuses a request with 401 or 403 says about the sign-in (`WWW-Authenticate`); empty if it says nothing. */
export interface Challenge {
  resourceMetadataUrl?: URL
  scope?: string
}

/** What the SDK's client does not report; recorded by the fetch function that it uses. */
interface TransportObservations {
  challenge?: Challenge
  failure?: AddressForbidden | OutboundFailed
  /** headers of the last error response */
  errorHeaders?: Headers
}

export interface McpConnection {
  client: Client
  observed: TransportObservations
  /** uses the handshake of revisions before 2026-07-28; stored, so that the next connection does not try both */
  legacy: boolean
}

export interface McpServer {
  url: string
  /** credentials, evaluated for each request because tokens may change during a connection */
  headers: () => Record<string, string>
  /** what the last connection found, see `McpConnection` */
  legacy?: boolean
  onToolsChanged?: () => void
}

/** The handshake failed; `observed` holds the challenge or the transport error. */
export class McpNotConnected extends Error {
  readonly observed: TransportObservations

  constructor(observed: TransportObservations, cause: unknown) {
    super('the connection to the MCP server failed', { cause })
    this.observed = observed
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
  const observed: TransportObservations = {}
  const address = new URL(server.url)
  const fetch = createObservedFetch(http, server.headers, observed)
  const deadline = AbortSignal.timeout(timeoutMs)
  const createTransport = () => new StreamableHTTPClientTransport(address, { fetch, reconnectionOptions })
  const connect = (transport: Transport, legacy: boolean) =>
    performHandshake(transport, server, { legacy, deadline })
  try {
    let client: Client
    try {
      client = await connect(createTransport(), server.legacy === true)
    } catch (error) {
      if (observed.challenge || deadline.aborted) throw error
      if (suggestsSseTransport(error))
        client = await connect(new SSEClientTransport(address, { fetch }), true)
      // an older server may fail on an unknown request
      else if (!server.legacy && isServerError(error)) client = await connect(createTransport(), true)
      else throw error
    }
    return { client, observed, legacy: client.getProtocolEra() !== 'modern' }
  } catch (error) {
    throw new McpNotConnected(observed, error)
  }
}

const reconnectionOptions = {
  maxRetries: 2,
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 5_000,
  reconnectionDelayGrowFactor: 2,
}

/** The HTTP status that an error of the client is about. */
export function getHttpStatus(error: unknown): number | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof InsufficientScopeError) return 403
    if (cause instanceof SdkHttpError && cause.status !== undefined) return cause.status
  }
  return undefined
}

/** @returns the scopes that a server wants besides the granted ones (`insufficient_scope`); undefined for other errors */
export function findMissingScope(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof InsufficientScopeError) return cause.requiredScope ?? ''
  return undefined
}

/** Servers with the older transport respond like this to a POST at the URL of their stream. */
const suggestsSseTransport = (error: unknown) => [400, 404, 405].includes(getHttpStatus(error) ?? 0)
const isServerError = (error: unknown) => (getHttpStatus(error) ?? 0) >= 500

function createObservedFetch(
  http: Pick<OutboundHttp, 'fetch'>,
  headers: McpServer['headers'],
  observed: TransportObservations,
) {
  return async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const requestHeaders = new Headers(headers())
    // transport headers take precedence over the user's credentials
    for (const [name, value] of new Headers(init.headers)) requestHeaders.set(name, value)
    try {
      const response = await http.fetch(input, { ...init, headers: requestHeaders })
      if (response.status >= 400) observed.errorHeaders = response.headers
      if (response.status === 401 || response.status === 403) {
        const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response)
        observed.challenge ??= {
          ...(resourceMetadataUrl && { resourceMetadataUrl }),
          ...(scope && { scope }),
        }
      }
      return response
    } catch (error) {
      if (error instanceof AddressForbidden || error instanceof OutboundFailed) observed.failure ??= error
      throw error
    }
  }
}

async function performHandshake(
  transport: Transport,
  { onToolsChanged }: McpServer,
  { legacy, deadline }: { legacy: boolean; deadline: AbortSignal },
): Promise<Client> {
  const client = new Client(
    { name: 'juno-assistant', version: process.env['PRODUCT_VERSION'] ?? '0' },
    {
      versionNegotiation: { mode: legacy ? 'legacy' : 'auto' },
      capabilities: {
        elicitation: { form: {}, url: {} },
        extensions: { ...declareApps(), [tasksExtension]: {} },
      },
      // the user answers when the function has long ended: each call reads its own `input_required`
      inputRequired: { autoFulfill: false },
    },
  )
  hideCapabilities(transport)
  allowTasks(transport)
  if (onToolsChanged) client.setNotificationHandler('notifications/tools/list_changed', onToolsChanged)
  try {
    // the older transport waits for its first event before the client's timeout starts
    await raceSignal(client.connect(transport, { signal: deadline }), deadline)
    if (onToolsChanged) subscribe(client)
    return client
  } catch (error) {
    await client.close().catch(() => undefined)
    throw error
  }
}

/**
 * Subscribes to changes of the tools; servers of earlier revisions report them without being asked. Not awaited: the connection
 * is useful even if the server rejects the subscription or never responds to it.
 */
function subscribe(client: Client): void {
  if (client.getProtocolEra() === 'modern' && client.getServerCapabilities()?.tools?.listChanged)
    client.listen({ toolsListChanged: true }).catch(() => undefined)
}

/**
 * Before 2026-07-28 a server asks during a call and waits on its open connection, and tasks are different. No function waits for a user,
 * so the handshake of these revisions declares neither, and a server that asks anyway gets the error that the method does not exist.
 */
function hideCapabilities(transport: Transport): void {
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    if (!('method' in message) || message.method !== 'initialize') return send(message, options)
    const { elicitation: _, ...declared } = (message.params?.['capabilities'] ?? {}) as ClientCapabilities
    const { [tasksExtension]: __, ...extensions } = declared.extensions ?? {}
    const capabilities = { ...declared, extensions }
    return send({ ...message, params: { ...message.params, capabilities } }, options)
  }
}

/** Races a promise against a signal. @throws the signal's reason if it aborts first */
export async function raceSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // it may reject after the race is over
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

/** Ends the session at the server and closes the connection. Never throws. */
export async function closeMcp({ client }: Pick<McpConnection, 'client'>): Promise<void> {
  const { transport } = client
  const ended =
    transport instanceof StreamableHTTPClientTransport ? transport.terminateSession() : Promise.resolve()
  await raceSignal(ended, AbortSignal.timeout(closeMs)).catch(() => undefined)
  await client.close().catch(() => undefined)
}

const closeMs = 1_000

/** Whether the server no longer knows the session, or the connection is closed. */
export const isSessionLost = (error: unknown) =>
  getHttpStatus(error) === 404 || (error instanceof SdkError && error.code === SdkErrorCode.NotConnected)
