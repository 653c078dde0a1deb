import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { AddressForbidden, OutboundFailed, type OutboundHttp } from '../platform/outbound-http.ts'
import { plainLine } from '../registry/text.ts'
import { McpServerFailed } from './errors.ts'

const timeoutMs = 10_000
const maxTools = 200

export interface ProbedServer {
  server: string
  tools: { name: string; description: string }[]
}

/**
 * Asks a remote MCP server for its tools, through the outbound guard.
 * @returns 'unauthorized' when the server demands other credentials
 * @throws AddressForbidden, OutboundFailed, McpServerFailed
 */
export async function probeServer(
  http: Pick<OutboundHttp, 'fetch' | 'check'>,
  url: string,
  headers: Record<string, string>,
): Promise<ProbedServer | 'unauthorized'> {
  http.check(url)
  let unauthorized = false
  let failure: unknown
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    // what went wrong on the way is kept here: the client tells it in its own words
    fetch: async (input, init) => {
      try {
        const response = await http.fetch(input, init)
        if (response.status === 401 || response.status === 403) unauthorized = true
        return response
      } catch (error) {
        failure ??= error
        throw error
      }
    },
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 1,
    },
  })
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
  } catch (error) {
    if (unauthorized) return 'unauthorized'
    if (failure instanceof AddressForbidden || failure instanceof OutboundFailed) throw failure
    throw new McpServerFailed(new URL(url).host, { cause: error })
  } finally {
    await client.close().catch(() => undefined)
  }
}
