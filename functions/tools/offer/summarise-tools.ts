import type { ToolsAllowed } from '#shared/contracts/admin.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import { describeReconnectReason } from '#shared/reconnect-reason.ts'
import { healthStatus } from '#shared/token-status.ts'
import type { Connections } from '../../integrations/credentials/open-connections.ts'
import { toEntryId } from '../../integrations/store/connection.ts'
import { deriveTokenStatus } from '../../integrations/store/token-status.ts'
import { isConnectionAllowed } from '../../platform/group-limits.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import { listCapabilities } from '../../capabilities/catalogue.ts'
import { loadConnected } from '../calls/server-connections.ts'
import type { ServerTools } from './server-tools.ts'
import { isReconnectRequired, type ReconnectRequired } from '../../providers/reconnect-required.ts'
import { zodParameters } from '../calls/tool.ts'

type Summary = IntegrationTools['capabilities'][number]

interface ServerListing {
  tools: Summary[]
  /** why some of its tools are not offered */
  leftOut: readonly string[]
  /** why the user has to reconnect */
  reconnectProblem?: string
}

const buildReconnectListing = ({
  integration: { name },
  reason,
}: Pick<ReconnectRequired, 'integration' | 'reason'>): ServerListing => ({
  tools: [],
  leftOut: [],
  reconnectProblem: reason
    ? describeReconnectReason(name, reason).text
    : `${name} has to be connected again to be used.`,
})

const maxProblemCharacters = 300

function toSummary({
  tools,
  leftOut,
  reconnectProblem,
}: ServerListing): Pick<IntegrationTools, 'capabilities' | 'problem'> {
  if (reconnectProblem !== undefined) return { capabilities: [], problem: reconnectProblem }
  if (leftOut.length > 0)
    return {
      capabilities: tools,
      problem: `Not all of its tools: ${leftOut.join('; ')}`.slice(0, maxProblemCharacters),
    }
  return { capabilities: tools, problem: tools.length === 0 ? 'No tools yet' : null }
}

const listBuiltIn = (mcpId: string): Summary[] =>
  listCapabilities(toEntryId(mcpId)).map((one) => ({
    id: one.id,
    name: one.name,
    description: one.description,
    writes: one.writes,
    parameters: { ...zodParameters(one.parameters).schema },
    examples: [...one.examples],
  }))

/** Summarises what the assistant can do with each connection of a user, and how often it was used. */
export async function summariseTools(
  connections: Connections,
  servers: Pick<ServerTools, 'listTools'>,
  sub: string,
  /** what the user's groups allow; all if absent */
  toolsAllowed?: ToolsAllowed,
): Promise<IntegrationTools[]> {
  const { rows, customTools, credentials, servers: connected } = await loadConnected(connections, sub)
  const customIds = new Set(customTools.map(({ id }) => id))
  const serverIds = new Set(connected.map(({ integration }) => integration.mcpId))
  const isAllowed = (id: string) =>
    isConnectionAllowed(
      customIds.has(id) ? 'custom' : serverIds.has(id) ? 'remote' : 'built_in',
      toolsAllowed,
    )
  const listed = new Map<string, ServerListing | undefined>(
    await Promise.all(
      // nothing is sent to a server that the user may not use
      connected
        .filter(({ integration }) => isAllowed(integration.mcpId))
        .map(async (connection): Promise<[string, ServerListing | undefined]> => {
          const { integration, reconnectReason: reason } = connection
          if (reason) return [integration.mcpId, buildReconnectListing({ integration, reason })]
          try {
            const { tools: serverTools, leftOut } = await servers.listTools(connection)
            const tools = serverTools.map(({ name, title = name, description, writes, parameters }) => ({
              id: name,
              name: title,
              description,
              writes,
              parameters: { ...parameters.schema },
              examples: [],
            }))
            return [integration.mcpId, { tools, leftOut }]
          } catch (error) {
            if (isReconnectRequired(error)) return [integration.mcpId, buildReconnectListing(error)]
            logger.warn('the tools of a server could not be listed', { error })
            return [integration.mcpId, undefined]
          }
        }),
    ),
  )
  const summarise = (id: string) => {
    if (!isAllowed(id)) return { capabilities: [], problem: 'Your administrator does not allow it.' }
    if (!listed.has(id)) return toSummary({ tools: listBuiltIn(id), leftOut: [] })
    const server = listed.get(id)
    return server ? toSummary(server) : { capabilities: [], problem: 'Its server does not answer right now.' }
  }
  const now = new Date()
  return [
    ...rows.map((row) => ({
      id: row.mcp_id,
      name: row.mcp_name ?? row.mcp_id,
      provider: row.provider,
      status: row.status,
      health_status: listed.get(row.mcp_id)?.reconnectProblem
        ? 'attention'
        : healthStatus(deriveTokenStatus(row, credentials.get(row.mcp_id), now)),
      lastUsed: row.last_used_at,
      usage_count: row.usage_count,
      ...summarise(row.mcp_id),
    })),
    ...customTools.map(({ id, name }) => ({
      id,
      name,
      provider: 'Custom',
      status: 'connected' as const,
      health_status: 'healthy' as const,
      lastUsed: null,
      usage_count: 0,
      ...summarise(id),
    })),
  ]
}
