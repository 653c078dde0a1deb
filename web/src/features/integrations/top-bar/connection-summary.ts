import type { Integration } from '#shared/contracts/integrations.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import { getStatusVariant, requiresAttention } from '../state/connection-status.ts'
import type { StatusVariant } from '../components/status-icon.tsx'
import { countCapabilities } from '../state/tools-query.ts'
import * as texts from './texts.ts'

export const maxBadges = 3
export const maxTooltipLines = 5

/** The summary of a user's connections in the top bar. */
export interface ConnectionSummary {
  connections: readonly Integration[]
  activeText: string
  /** undefined until known */
  capabilitiesText: string | undefined
  /** the most severe status, shown on the chip on phones */
  worstStatus: StatusVariant
}

const severity: readonly StatusVariant[] = ['off', 'ok', 'warn', 'bad']

/** Summarizes the connections. @param tools undefined until known */
export function summarizeConnections(
  integrations: readonly Integration[],
  tools: readonly IntegrationTools[] | undefined,
  now: Date,
): ConnectionSummary {
  const connections = integrations.filter(({ status }) => status === 'connected')
  // custom servers are not counted
  const capabilities =
    tools && countCapabilities(tools.filter(({ id }) => connections.some((row) => row.mcp_id === id)))
  const worstStatus = connections
    .map((row) => getStatusVariant(row, now))
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
export function getShortStatusLabel(row: Integration, now: Date): string {
  return row.health_status === 'attention' || requiresAttention(row, now) ? texts.attention : texts.active
}
