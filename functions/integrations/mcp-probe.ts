import {
  Client,
  extractWWWAuthenticateParams,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { AddressForbidden, OutboundFailed, type OutboundHttp } from '../platform/outbound-http.ts'
import { plainLine } from '../registry/text.ts'
import { McpServerFailed } from './errors.ts'

const timeoutMs = 10_000
const maxTools = 200

export interface ProbedServer {
  server: string
  tools: { name: string; description: string }[]
}

/** What a server says when it wants other credentials: where to get them, as far as it tells. */
export interface Challenge {
  resourceMetadataUrl?: URL
  scope?: string
}

/** What the client does not tell apart: kept by the way out that it uses. */
interface Seen {
  challenge?: Challenge
  failure?: AddressForbidden | OutboundFailed
}

/**
 * Asks a remote MCP server for its tools, through the outbound guard. One that knows only the older transport, SSE, is asked by that.
 * @returns a challenge when the server demands other credentials
 * @throws AddressForbidden, OutboundFailed, McpServerFailed
 */
export async function probeServer(
  http: Pick<OutboundHttp, 'fetch' | 'check'>,
  url: string,
  headers: Record<string, string>,
): Promise<ProbedServer | { challenge: Challenge }> {
  http.check(url)
  const seen: Seen = {}
  const address = new URL(url)
  const fetch = watched(http, seen)
  const requestInit = { headers }
  try {
    try {
      return await listTools(
        new StreamableHTTPClientTransport(address, { requestInit, fetch, reconnectionOptions: noRetries }),
      )
    } catch (error) {
      if (seen.challenge || !speaksOlder(error)) throw error
      return await listTools(new SSEClientTransport(address, { requestInit, fetch }))
    }
  } catch (error) {
    if (seen.challenge) return { challenge: seen.challenge }
    if (seen.failure) throw seen.failure
    throw new McpServerFailed(address.host, { cause: error })
  }
}

const noRetries = {
  maxRetries: 0,
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 1_000,
  reconnectionDelayGrowFactor: 1,
}

/** What servers of the older transport answer to a POST at the address of their stream. */
const speaksOlder = (error: unknown) =>
  error instanceof SdkHttpError && error.status !== undefined && [400, 404, 405].includes(error.status)

function watched(http: Pick<OutboundHttp, 'fetch'>, seen: Seen) {
  return async (input: string | URL, init?: RequestInit): Promise<Response> => {
    try {
      const response = await http.fetch(input, init)
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

async function listTools(transport: Transport): Promise<ProbedServer> {
  const client = new Client({ name: 'juno-assistant', version: '1' })
  try {
    await client.connect(transport, { timeout: timeoutMs })
    const { tools } = await client.listTools(undefined, { timeout: timeoutMs })
    return {
      server: plainLine(client.getServerVersion()?.name ?? '', 100),
      tools: tools.slice(0, maxTools).map(({ name, description = '' }) => ({
        name: plainLine(name, 128),
        description: plainLine(description, 500),
      })),
    }
  } finally {
    await client.close().catch(() => undefined)
  }
}
