import type { ToolsAllowed } from '#shared/contracts/admin.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import { describeReconnectReason } from '#shared/reconnect-reason.ts'
import type { Sentence } from '#shared/sentences/sentence.ts'
import { isToolMissing, sayToolList } from '#shared/sentences/tool-lists.ts'
import { healthStatus } from '#shared/token-status.ts'
import { deriveTokenStatus } from '../../integrations/store/token-status.ts'
import { type ConnectionKind, isConnectionAllowed } from '#shared/group-limits.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import { type ConnectionDeps, loadConnected } from '../servers/load-connections.ts'
import { type ToolConnection, type ListedTool, toTool } from '../servers/server.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { isReconnectRequired, type ReconnectRequired } from '../../providers/reconnect-required.ts'

type Summary = IntegrationTools['capabilities'][number]

interface Listing {
  tools: Summary[]
  /** why some of its tools are not offered */
  leftOut: readonly Sentence[]
  /** why the user has to reconnect */
  reconnectProblem?: Sentence
  /** why the tools could not be listed */
  failure?: Sentence
}

const empty: Listing = { tools: [], leftOut: [] }

const buildReconnectListing = ({
  integration: { name },
  reason,
}: Pick<ReconnectRequired, 'integration' | 'reason'>): Listing => ({
  ...empty,
  reconnectProblem: reason ? describeReconnectReason(name, reason) : sayToolList('tools_reconnect', { name }),
})

/** More would not fit onto a card. */
const maxReasons = 2

function sayLeftOut(leftOut: readonly Sentence[]): Sentence {
  const more = leftOut.length - maxReasons
  return sayToolList(leftOut.some(isToolMissing) ? 'not_all_tools' : 'perhaps_not_all_tools', {
    reasons: [
      ...leftOut.slice(0, maxReasons),
      ...(more > 0 ? [sayToolList('more_reasons', { count: more })] : []),
    ],
  })
}

type ListingSummary = Pick<IntegrationTools, 'capabilities' | 'problem' | 'code' | 'params'>

function summariseProblem({ text, code, params }: Sentence, capabilities: Summary[] = []): ListingSummary {
  return { capabilities, problem: text, code, ...(params && { params }) }
}

function summariseListing({ tools, leftOut, reconnectProblem, failure }: Listing): ListingSummary {
  const problem = reconnectProblem ?? failure
  if (problem) return summariseProblem(problem)
  if (leftOut.length > 0) return summariseProblem(sayLeftOut(leftOut), tools)
  return tools.length === 0
    ? summariseProblem(sayToolList('no_tools'))
    : { capabilities: tools, problem: null }
}

const toSummaryOfTool = (connection: ToolConnection, listed: ListedTool): Summary => {
  const tool = toTool(connection, listed)
  return {
    id: listed.id ?? tool.name,
    tool: tool.name,
    name: listed.title,
    description: connection.kind === 'built_in' ? listed.description : tool.description,
    writes: tool.writes,
    parameters: { ...listed.parameters.schema },
    examples: [...(listed.examples ?? [])],
  }
}

/** Lists the tools of a connection, or says why that failed, as far as it is known. */
async function list(connection: ToolConnection): Promise<Listing> {
  const { integration, reconnectReason: reason, server } = connection
  if (reason) return buildReconnectListing({ integration, reason })
  try {
    const { tools, leftOut } = await server.listTools()
    return { tools: tools.map((listed) => toSummaryOfTool(connection, listed)), leftOut }
  } catch (error) {
    if (isReconnectRequired(error)) return buildReconnectListing(error)
    logger.warn('the tools of a server could not be listed', { error })
    const known = error instanceof ProviderError ? error.sentences[0] : undefined
    return { ...empty, failure: known ?? sayToolList('tools_unreachable') }
  }
}

/** Summarises what the assistant can do with each connection of a user, and how often it was used. */
export async function summariseTools(
  deps: ConnectionDeps,
  sub: string,
  /** what the user's groups allow; all if absent */
  toolsAllowed?: ToolsAllowed,
): Promise<IntegrationTools[]> {
  const { rows, customTools, credentials, connections } = await loadConnected(deps, sub)
  const kinds = new Map(connections.map(({ integration, kind }) => [integration.mcpId, kind]))
  // nothing is sent to a server that the user may not use
  const permitted = connections.filter(({ kind }) => isConnectionAllowed(kind, toolsAllowed))
  const listed = new Map(
    await Promise.all(
      permitted.map(async (connection) => [connection.integration.mcpId, await list(connection)] as const),
    ),
  )
  /** @param kind of one that cannot be called */
  const summarise = (id: string, kind: ConnectionKind) => {
    if (!isConnectionAllowed(kinds.get(id) ?? kind, toolsAllowed))
      return summariseProblem(sayToolList('tools_not_allowed'))
    return summariseListing(listed.get(id) ?? empty)
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
      ...summarise(row.mcp_id, 'built_in'),
    })),
    ...customTools.map(({ id, name }) => ({
      id,
      name,
      provider: 'Custom',
      status: 'connected' as const,
      health_status: 'healthy' as const,
      lastUsed: null,
      usage_count: 0,
      ...summarise(id, 'custom'),
    })),
  ]
}
