import type { Connection } from '#shared/contracts/integrations.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import { getStatusVariant, requiresAttention } from '../state/connection-status.ts'
import type { StatusVariant } from '../components/status-icon.tsx'
import { countCapabilities } from '../state/tools-query.ts'
import * as texts from './texts.ts'

export const maxBadges = 3
export const maxTooltipLines = 5

/** The summary of a user's connections in the top bar. */
export interface ConnectionSummary {
  connections: readonly Connection[]
  activeText: string
  /** undefined until known */
  capabilitiesText: string | undefined
  /** the most severe status, shown on the chip on phones */
  worstStatus: StatusVariant
}

const severity: readonly StatusVariant[] = ['off', 'ok', 'warn', 'bad']

/** Summarizes the connections. @param tools undefined until known */
export function summarizeConnections(
  allConnections: readonly Connection[],
  tools: readonly IntegrationTools[] | undefined,
  now: Date,
): ConnectionSummary {
  const connections = allConnections.filter(({ status }) => status === 'connected')
  // custom servers are not counted
  const capabilities =
    tools &&
    countCapabilities(tools.filter(({ id }) => connections.some((connection) => connection.mcp_id === id)))
  const worstStatus = connections
    .map((connection) => getStatusVariant(connection, now))
    .reduce<StatusVariant>((a, b) => (severity.indexOf(b) > severity.indexOf(a) ? b : a), 'off')
  return {
    connections,
    activeText: texts.activeCount(connections.length),
    capabilitiesText:
      capabilities === 0
        ? texts.powerful
        : capabilities === undefined
          ? undefined
          : texts.capabilityCount(capabilities),
    worstStatus,
  }
}

/** The status of a connection in one word: “Active” or “Attention”. */
export function getShortStatusLabel(connection: Connection, now: Date): string {
  return connection.health_status === 'attention' || requiresAttention(connection, now)
    ? texts.attention
    : texts.active
}
