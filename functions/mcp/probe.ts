import { logger } from '../platform/telemetry/logger.ts'
import type { OutboundHttp } from '../platform/net/outbound-http.ts'
import { plainLine } from '../platform/untrusted-text.ts'
import { type Challenge, closeMcp, connectMcp, type McpConnection, McpNotConnected } from './connection.ts'
import { fingerprintServerTool, isReadOnly, listTools, type ServerTool } from './list-tools.ts'
import { toToolList } from './listed-tools.ts'
import { McpServerFailed } from './errors.ts'
import type { ToolList } from './tool-list-repository.ts'

/** The function has 30 s; a sign-in is discovered after a probe. */
const times = { probeMs: 4_000, timeoutMs: 10_000 }
const maxShownTools = 200
const maxTools = 500

export interface ProbedServer {
  /** its name in its own words, as its tools are; see `describeServer` */
  server: string | undefined
  tools: readonly ServerTool[]
  /** fingerprints of the tools that are read-only and stay within their server */
  readOnlyTools: string[]
  /** all of its tools, as they are stored */
  list: Omit<ToolList, 'version'>
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
    connection = await connectMcp(http, { url, headers: () => headers }, times)
    const listed = await listTools(connection.client, {
      maxTools,
      signal: AbortSignal.timeout(times.timeoutMs),
    })
    const { tools } = listed
    return {
      list: toToolList(url, listed, {
        legacy: connection.legacy,
        instructions: connection.client.getInstructions(),
      }),
      server: connection.client.getServerVersion()?.name,
      tools,
      readOnlyTools: tools.filter(isReadOnly).flatMap((tool) => fingerprintReadOnly(url, tool)),
    }
  } catch (error) {
    const observed = error instanceof McpNotConnected ? error.observed : connection?.observed
    if (!observed) throw error
    if (observed.challenge) return { challenge: observed.challenge }
    if (observed.failure) throw observed.failure
    throw new McpServerFailed(error, observed)
  } finally {
    if (connection) await closeMcp(connection)
  }
}

/** What a user is shown of a server. */
export const describeServer = ({ server = '', tools }: Pick<ProbedServer, 'server' | 'tools'>) => ({
  server: plainLine(server, 100),
  tools: tools.slice(0, maxShownTools).map(({ name, description = '' }) => ({
    name: plainLine(name, 128),
    description: plainLine(description, 500),
  })),
})

/** A definition that is nested too deeply for the engine identifies nothing: its tool is never offered. */
function fingerprintReadOnly(url: string, tool: ServerTool): string[] {
  try {
    return [fingerprintServerTool(url, tool.definition)]
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return []
  }
}

/**
 * Checks the credentials of a connection that is being made: one that does not answer has refused nothing.
 * @returns what the server shows at this moment (its read-only tools may run without approval from then on), `refused` if it demands other
 * credentials, undefined if it does not answer, so that all of its tools ask
 */
export async function checkServer(
  http: Pick<OutboundHttp, 'fetch' | 'check'>,
  url: string,
  headers: Record<string, string>,
): Promise<ProbedServer | 'refused' | undefined> {
  try {
    const result = await probeServer(http, url, headers)
    return 'challenge' in result ? 'refused' : result
  } catch (error) {
    logger.warn('the tools of a server that is being connected could not be listed', { error })
    return undefined
  }
}
