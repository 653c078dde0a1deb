import {
  Client,
  type ClientCapabilities,
  extractWWWAuthenticateParams,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from '@modelcontextprotocol/client'
import { declareApps } from './app-metadata.ts'
import type { AppError } from '../platform/errors.ts'
import { AddressForbidden, OutboundFailed, type OutboundHttp } from '../platform/net/outbound-http.ts'
import { getMediaType, maxResumptions, responseReader, UnexpectedAnswer } from './read-responses.ts'
import { allowTasks, tasksExtension } from './task-transport.ts'
import { describeRefusal, findProtocolError, getHttpStatus } from './connection-errors.ts'

/** What a server that refuses a request with 401 or 403 says about the sign-in (`WWW-Authenticate`); empty if it says nothing. */
export interface Challenge {
  resourceMetadataUrl?: URL
  scope?: string
}

/** What the SDK's client does not report; recorded by the fetch function that it uses. */
export interface TransportObservations {
  challenge?: Challenge
  failure?: AppError
  /** headers of the last error response */
  errorHeaders?: Headers
  /** the last response that was an error or no message of the protocol */
  answer?: Pick<UnexpectedAnswer, 'status' | 'type' | 'text'>
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

/** The time of a handshake: for the probe of the newest revision, and for the older handshake after it. */
export interface HandshakeTimes {
  probeMs: number
  timeoutMs: number
}

/**
 * Connects to a remote MCP server through the outbound guard: streamable HTTP in the newest revision that both speak, else the
 * older transport, SSE. Whatever the probe of the newest revision is answered, unless the server demands a sign-in, the handshake of the
 * earlier revisions follows with its own time: older servers answer an unknown method in every way.
 * @throws McpNotConnected, AddressForbidden for an address that may not be called
 */
export async function connectMcp(
  http: Pick<OutboundHttp, 'fetch' | 'check'>,
  server: McpServer,
  { probeMs, timeoutMs }: HandshakeTimes,
): Promise<McpConnection> {
  http.check(server.url)
  const observed: TransportObservations = {}
  const address = new URL(server.url)
  const fetch = createObservedFetch(http, server.headers, observed)
  const streamFetch = createObservedFetch(http, server.headers, observed, { answersOnStream: true })
  const createTransport = () => new StreamableHTTPClientTransport(address, { fetch, reconnectionOptions })
  const isFinal = () => observed.challenge !== undefined || observed.failure instanceof AddressForbidden
  try {
    if (server.legacy !== true) {
      try {
        const options = {
          version: newestVersion,
          deadline: AbortSignal.timeout(server.legacy === false ? timeoutMs : probeMs),
        }
        return { client: await performHandshake(createTransport(), server, options), observed, legacy: false }
      } catch (error) {
        // older servers answer an unknown method in every way, also with a refusal that says nothing of a sign-in
        const saysNothing =
          server.legacy === undefined && observed.challenge && Object.keys(observed.challenge).length === 0
        if (isFinal() && !saysNothing) throw error
        if (saysNothing) delete observed.challenge
        forgetAnswer(observed)
      }
    }
    const deadline = AbortSignal.timeout(timeoutMs)
    const client = await connectLegacy(server, {
      createTransport,
      isFinal,
      deadline,
      address,
      fetch: streamFetch,
      observed,
    })
    return { client, observed, legacy: true }
  } catch (error) {
    throw new McpNotConnected(observed, error)
  }
}

/** Performs the handshake of the revisions before 2026-07-28, in the newest that the server accepts. */
async function connectLegacy(
  server: McpServer,
  {
    createTransport,
    isFinal,
    deadline,
    address,
    fetch,
    observed,
  }: {
    createTransport: () => Transport
    isFinal: () => boolean
    deadline: AbortSignal
    address: URL
    fetch: ReturnType<typeof createObservedFetch>
    observed: TransportObservations
  },
): Promise<Client> {
  let refusal: unknown
  let candidates: readonly string[] = legacyVersions
  for (;;) {
    const [version] = candidates
    if (version === undefined) break
    try {
      return await performHandshake(createTransport(), server, { version, deadline })
    } catch (error) {
      refusal ??= error
      if (isFinal() || deadline.aborted) throw error
      const olderVersions = findOlderVersions(error, candidates)
      if (!olderVersions) break
      candidates = olderVersions
    }
  }
  if (!suggestsSseTransport(refusal)) throw refusal
  const { answer } = observed
  try {
    return await performHandshake(new SSEClientTransport(address, { fetch }), server, {
      version: legacyVersions[0],
      deadline,
    })
  } catch (error) {
    if (isFinal() || answer === undefined) throw error
    // what it said about the handshake says more than its answer to the older transport
    observed.answer = answer
    throw refusal
  }
}

const newestVersion = '2026-07-28'
/** Revisions with the handshake, newest first. A server that does not know one should offer its own, but several refuse it. */
const legacyVersions = SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version < newestVersion)

/**
 * The revisions to try after a handshake was refused: those that the refusal names, else all that are older.
 * @returns undefined if it was not the server's refusal of this very request
 */
function findOlderVersions(error: unknown, [, ...older]: readonly string[]): readonly string[] | undefined {
  const status = getHttpStatus(error)
  const isRefusal =
    findProtocolError(error) !== undefined || (status !== undefined && [400, 406, 422].includes(status))
  if (!isRefusal) return undefined
  const named: string[] = describeRefusal(error).match(/\b20\d{2}-\d{2}-\d{2}\b/g) ?? []
  const offered = older.filter((version) => named.includes(version))
  return offered.length > 0 ? offered : older
}

/** The probe's answer says nothing about the handshake that follows it. */
function forgetAnswer(observed: TransportObservations): void {
  delete observed.answer
  delete observed.failure
  delete observed.errorHeaders
}

const reconnectionOptions = {
  maxRetries: maxResumptions,
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 5_000,
  reconnectionDelayGrowFactor: 2,
}

/** Servers with the older transport respond like this to a POST at the URL of their stream. */
const suggestsSseTransport = (error: unknown) => [400, 404, 405].includes(getHttpStatus(error) ?? 0)

function createObservedFetch(
  http: Pick<OutboundHttp, 'fetch'>,
  headers: McpServer['headers'],
  observed: TransportObservations,
  { answersOnStream = false } = {},
) {
  const responses = responseReader({ answersOnStream })
  return async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const requestHeaders = new Headers(headers())
    // transport headers take precedence over the user's credentials
    for (const [name, value] of new Headers(init.headers)) requestHeaders.set(name, value)
    try {
      const response = await http.fetch(input, { ...init, headers: requestHeaders, keepMethod: true })
      if (response.status >= 400) observed.errorHeaders = response.headers
      if (response.status === 401 || response.status === 403) {
        const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response)
        observed.challenge ??= {
          ...(resourceMetadataUrl && { resourceMetadataUrl }),
          ...(scope && { scope }),
        }
      }
      if (response.status >= 400)
        observed.answer = { status: response.status, type: getMediaType(response), text: '' }
      const lastEventId = requestHeaders.get('last-event-id')
      if (!response.ok) return responses.giveUp(lastEventId, response.status === 405) ?? response
      return await responses.read(
        typeof init.body === 'string' ? init.body : undefined,
        response,
        lastEventId,
      )
    } catch (error) {
      if (error instanceof AddressForbidden || error instanceof OutboundFailed) observed.failure ??= error
      if (error instanceof UnexpectedAnswer) observed.answer = error
      const ended = responses.giveUp(requestHeaders.get('last-event-id'), false)
      if (ended) return ended
      throw error
    }
  }
}

async function performHandshake(
  transport: Transport,
  { onToolsChanged }: McpServer,
  { version, deadline }: { version: string | undefined; deadline: AbortSignal },
): Promise<Client> {
  const client = new Client(
    { name: 'juno-assistant', version: process.env['PRODUCT_VERSION'] ?? '0' },
    {
      ...(version === newestVersion
        ? { versionNegotiation: { mode: { pin: newestVersion } } }
        : {
            versionNegotiation: { mode: 'legacy' as const },
            // the first is offered; the server may choose any of them
            supportedProtocolVersions: [...(version === undefined ? [] : [version]), ...legacyVersions],
          }),
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

/** Whether a connection has a session at its server, which the server may forget. */
export function isStateful({ client: { transport } }: Pick<McpConnection, 'client'>): boolean {
  // the older transport has its session in the address that it posts to
  return !(transport instanceof StreamableHTTPClientTransport) || transport.sessionId !== undefined
}
