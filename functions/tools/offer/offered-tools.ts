import type { ToolsAllowed } from '#shared/contracts/admin.ts'
import type { DisabledTool } from '#shared/contracts/chat.ts'
import { isToolMissing } from '#shared/sentences/tool-lists.ts'
import type { AllowedToolRepository } from '../../integrations/store/allowed-tool-repository.ts'
import type { CustomToolRow } from '../../integrations/store/custom-tool-repository.ts'
import type { ConnectionRow } from '../../integrations/store/connection-repository.ts'
import { isConnectionAllowed } from '#shared/group-limits.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import { type Tool, fingerprintTool } from '../calls/tool.ts'
import { type ConnectionDeps, isUsable, loadConnections } from '../servers/load-connections.ts'
import { listTools } from '../servers/server.ts'

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
  /** nobody is there to look at a call: what the servers say of their tools is asked for now */
  mustBeCurrent?: boolean
}

/**
 * The tools of a user's connections and custom tools. Only the user's rows decide what is offered; the
 * request can only restrict it. It reads: a server that rejects its credentials is not listed, and the call of a tool finds that out again.
 */
export async function loadOfferedTools(
  {
    alwaysAllowedTools,
    ...deps
  }: ConnectionDeps & { alwaysAllowedTools: Pick<AllowedToolRepository, 'list'> },
  sub: string,
  { integrations, customTools }: ConnectionRows,
  {
    only = [],
    disabledTools = [],
    toolsAllowed = 'all',
    decidedAbout = [],
    mustBeCurrent = false,
  }: OfferOptions,
): Promise<Offer> {
  const isEnabled = (id: string, tool?: string) =>
    !disabledTools.some((one) => one.mcp_id === id && (one.tool === undefined || one.tool === tool))
  const isRequested = (id: string) => (only.length === 0 || only.includes(id)) && isEnabled(id)
  const [connections, alwaysAllowed] = await Promise.all([
    loadConnections(deps, sub, {
      rows: integrations.filter((row) => isUsable(row) && isRequested(row.mcp_id)),
      customTools: customTools.filter(({ id }) => isRequested(id)),
    }),
    alwaysAllowedTools.list(sub),
  ])
  // if a tool of the server is always allowed, its definition must be current before it runs without approval
  const alwaysAllowedIds = new Set(alwaysAllowed.map(({ mcp_id }) => mcp_id))
  const permitted = connections.filter(({ kind }) => isConnectionAllowed(kind, toolsAllowed))
  const listed = await Promise.all(
    permitted.map(async (connection) => {
      const { mcpId } = connection.integration
      const list = (isCurrent: boolean) =>
        listTools(connection, { mustBeCurrent: isCurrent }, (tool) => isEnabled(mcpId, tool))
      const runsUnasked = mustBeCurrent || alwaysAllowedIds.has(mcpId)
      try {
        if (runsUnasked || !decidedAbout.includes(mcpId)) return { connection, ...(await list(runsUnasked)) }
        // the call itself reports a server that does not answer
        return { connection, ...(await list(true).catch(() => list(false))) }
      } catch (error) {
        logger.warn('the tools of a server could not be listed', { error })
        return { connection, tools: undefined, leftOut: [] }
      }
    }),
  )
  const tools = new Map<string, Tool>()
  for (const tool of listed.flatMap((one) => one.tools ?? []))
    if (!tools.has(tool.name)) tools.set(tool.name, tool)
  const allowedFingerprints = new Set(alwaysAllowed.map(({ id }) => id))
  return {
    isAllowed: (tool) => allowedFingerprints.has(fingerprintTool(tool)),
    tools: [...tools.values()],
    missing: listed.flatMap(({ connection, tools: found, leftOut }) =>
      !found || leftOut.some(isToolMissing)
        ? [{ name: connection.integration.name, isPartial: found !== undefined }]
        : [],
    ),
  }
}
