import type { OutboundHttp } from '../platform/outbound-http.ts'
import { plainLine } from '../registry/text.ts'
import { McpServerFailed } from './errors.ts'
import {
  type Challenge,
  closeMcp,
  connectMcp,
  type McpConnection,
  McpNotConnected,
} from './mcp-connection.ts'
import { listedTools } from './mcp-tools.ts'

const timeoutMs = 10_000
const maxTools = 200

export interface ProbedServer {
  server: string
  tools: { name: string; description: string }[]
}

/**
 * Asks a remote MCP server for its tools, through the outbound guard.
 * @returns a challenge when the server demands other credentials
 * @throws AddressForbidden, OutboundFailed, McpServerFailed
 */
export async function probeServer(
  http: Pick<OutboundHttp, 'fetch' | 'check'>,
  url: string,
  headers: Record<string, string>,
): Promise<ProbedServer | { challenge: Challenge }> {
  let connection: McpConnection | undefined
  try {
    connection = await connectMcp(http, { url, headers: () => headers }, { timeoutMs })
    const { tools } = await listedTools(connection.client, {
      maxTools,
      signal: AbortSignal.timeout(timeoutMs),
    })
    return {
      server: plainLine(connection.client.getServerVersion()?.name ?? '', 100),
      tools: tools.map(({ name, description = '' }) => ({
        name: plainLine(name, 128),
        description: plainLine(description, 500),
      })),
    }
  } catch (error) {
    const seen = error instanceof McpNotConnected ? error.seen : connection?.seen
    if (!seen) throw error
    if (seen.challenge) return { challenge: seen.challenge }
    if (seen.failure) throw seen.failure
    throw new McpServerFailed(new URL(url).host, { cause: error })
  } finally {
    if (connection) await closeMcp(connection)
  }
}
