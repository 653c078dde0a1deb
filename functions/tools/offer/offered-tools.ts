import type { ToolsAllowed } from '#shared/contracts/admin.ts'
import type { DisabledTool } from '#shared/contracts/chat.ts'
import { findProvider } from '../../providers/built-in.ts'
import type { AllowedToolRepository } from '../../integrations/store/allowed-tool-repository.ts'
import type { CustomToolRow } from '../../integrations/store/custom-tool-repository.ts'
import type { ConnectionRow } from '../../integrations/store/connection-repository.ts'
import { isConnectionAllowed, type ConnectionKind } from '../../platform/group-limits.ts'
import type { Connections } from '../../integrations/credentials/open-connections.ts'
import { toEntryId } from '../../integrations/store/connection.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import { listCapabilities } from '../../capabilities/catalogue.ts'
import { connectedApi } from '../calls/connected-api.ts'
import { isUsable, loadServerConnections } from '../calls/server-connections.ts'
import type { ServerTools } from './server-tools.ts'
import { buildToolName } from '../calls/tool-name.ts'
import { type Tool, createCapabilityTool, fingerprintTool } from '../calls/tool.ts'

/** The tools that a reply may use. */
export interface Offer {
  tools: readonly Tool[]
  /** servers that could not be reached, or only some of whose tools can be used */
  missing: readonly { name: string; isPartial: boolean }[]
  /** whether the user always allows a tool that writes */
  isAllowed: (tool: Tool) => boolean
}

/** The rows of a user's connections. */
export interface ConnectionRows {
  integrations: readonly ConnectionRow[]
  customTools: readonly CustomToolRow[]
}

export interface OfferOptions {
  /** restricts the offer to these connections; no restriction if absent or empty */
  only?: readonly string[]
  /** connections and tools that the user has turned off */
  disabledTools?: readonly DisabledTool[]
  /** what the user's groups allow; all if absent */
  toolsAllowed?: ToolsAllowed | undefined
  /** connections whose tools the user has decided about: what their servers say of them now is compared with what was shown */
  decidedAbout?: readonly string[]
}

/** The tools of one built-in integration. */
function listCapabilityTools(
  connections: Connections,
  sub: string,
  row: ConnectionRow,
  isEnabled: (id: string, tool: string) => boolean,
): Tool[] {
  const id = toEntryId(row.mcp_id)
  const provider = findProvider(id)
  const capabilities = listCapabilities(id)
  if (!provider || capabilities.length === 0) return []
  const integration = { mcpId: row.mcp_id, name: row.mcp_name ?? provider.name }
  const api = connectedApi(connections, { sub, row, provider })
  return capabilities
    .filter(({ id: tool }) => isEnabled(row.mcp_id, tool))
    .map((one) => ({
      ...createCapabilityTool(one, integration, api),
      name: buildToolName(row.mcp_id, one.id),
    }))
}

/**
 * The tools of a user's connections and custom tools. Only the user's rows decide what is offered; the
 * request can only restrict it. It reads: a server that rejects its credentials is not listed, and the call of a tool finds that out again.
 */
export async function loadOfferedTools(
  {
    connections,
    alwaysAllowedTools,
    servers,
  }: {
    connections: Connections
    alwaysAllowedTools: Pick<AllowedToolRepository, 'list'>
    servers: Pick<ServerTools, 'listTools'>
  },
  sub: string,
  { integrations, customTools }: ConnectionRows,
  { only = [], disabledTools = [], toolsAllowed = 'all', decidedAbout = [] }: OfferOptions,
): Promise<Offer> {
  const isEnabled = (id: string, tool?: string) =>
    !disabledTools.some((one) => one.mcp_id === id && (one.tool === undefined || one.tool === tool))
  const isRequested = (id: string) => (only.length === 0 || only.includes(id)) && isEnabled(id)
  const isKindPermitted = (kind: ConnectionKind) => isConnectionAllowed(kind, toolsAllowed)
  const connected = integrations.filter(
    (row) => toolsAllowed !== 'none' && isUsable(row) && isRequested(row.mcp_id),
  )
  const [connectedServers, alwaysAllowed] = await Promise.all([
    loadServerConnections(connections, sub, {
      rows: connected,
      customTools: isKindPermitted('custom') ? customTools.filter(({ id }) => isRequested(id)) : [],
    }),
    alwaysAllowedTools.list(sub),
  ])
  // if a tool of the server is always allowed, its definition must be current before it runs without approval
  const alwaysAllowedIds = new Set(alwaysAllowed.map(({ mcp_id }) => mcp_id))
  const listed = await Promise.all(
    (isKindPermitted('remote') ? connectedServers : []).map(async (connection) => {
      try {
        const { mcpId } = connection.integration
        if (alwaysAllowedIds.has(mcpId) || !decidedAbout.includes(mcpId))
          return {
            connection,
            ...(await servers.listTools(connection, { mustBeCurrent: alwaysAllowedIds.has(mcpId) })),
          }
        // the call itself reports a server that does not answer
        const current = servers.listTools(connection, { mustBeCurrent: true })
        return { connection, ...(await current.catch(() => servers.listTools(connection))) }
      } catch (error) {
        logger.warn('the tools of a server could not be listed', { error })
        return { connection, tools: undefined, leftOut: [] }
      }
    }),
  )
  const serverIds = new Set(connectedServers.map(({ integration }) => integration.mcpId))
  const tools = new Map<string, Tool>()
  for (const tool of [
    ...connected
      .filter(({ mcp_id }) => !serverIds.has(mcp_id))
      .flatMap((row) => listCapabilityTools(connections, sub, row, isEnabled)),
    ...listed.flatMap(({ connection: { integration }, tools: serverTools = [] }) =>
      serverTools.filter(({ name }) => isEnabled(integration.mcpId, name)),
    ),
  ])
    if (!tools.has(tool.name)) tools.set(tool.name, tool)
  const allowedFingerprints = new Set(alwaysAllowed.map(({ id }) => id))
  return {
    isAllowed: (tool) => allowedFingerprints.has(fingerprintTool(tool)),
    tools: [...tools.values()],
    missing: listed.flatMap(({ connection: { integration }, tools: serverTools, leftOut }) =>
      !serverTools || leftOut.length > 0
        ? [{ name: integration.name, isPartial: serverTools !== undefined }]
        : [],
    ),
  }
}
