import { plural, t } from '@lingui/core/macro'
import type { Connection } from '#shared/contracts/integrations.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import { getStatusVariant } from '../state/connection-status.ts'
import type { StatusVariant } from '../../../components/ui/status-icon.tsx'
import { isConnected } from '../state/integrations-query.ts'
import { listCustomServers } from '../state/tools-query.ts'

/** How many connections have a badge of their own; the others are in a list. */
export const maxBadges = 3
/** How many connections and custom servers the tooltip names. */
export const maxTooltipLines = 5

/** The summary of a user's connections in the top bar. */
export interface ConnectionSummary {
  connections: readonly Connection[]
  customServers: readonly IntegrationTools[]
  activeText: string
  /** undefined until known */
  capabilitiesText: string | undefined
  /** the most severe status, shown on the chip on phones */
  worstStatus: StatusVariant
}

const severity: readonly StatusVariant[] = ['off', 'ok', 'warn', 'bad']

/** Summarises the connections. @param tools undefined until known */
export function summariseConnections(
  allConnections: readonly Connection[],
  tools: readonly IntegrationTools[] | undefined,
  now: Date,
): ConnectionSummary {
  const connections = allConnections.filter(isConnected)
  const customServers = listCustomServers(tools)
  // a connection may have ended since the tools were listed
  const listed = tools?.filter(({ id }) => connections.some(({ mcp_id }) => mcp_id === id))
  const capabilities = listed && countCapabilities([...listed, ...customServers])
  const worstStatus = connections
    .map((connection) => getStatusVariant(connection, now))
    .reduce<StatusVariant>((a, b) => (severity.indexOf(b) > severity.indexOf(a) ? b : a), 'off')
  return {
    connections,
    customServers,
    activeText: t`${{ count: connections.length + customServers.length }} Active`,
    capabilitiesText: capabilities === undefined ? undefined : formatCapabilities(capabilities),
    worstStatus,
  }
}

/**
 * The status of a connection in one word: “Active” or “Attention”.
 * @param options.requiresAttention whether the user has to do something although the service works, such as to renew an access that ends soon
 */
export const getShortStatusLabel = (
  health: Connection['health_status'],
  { requiresAttention = false }: { requiresAttention?: boolean } = {},
): string =>
  health === 'attention' || requiresAttention ? t`Attention` : t({ message: 'Active', context: 'connection' })

/** Such as '3 capabilities'; without a number if there are none. */
const formatCapabilities = (count: number): string =>
  count === 0 ? t`powerful capabilities` : plural({ count }, { one: '# capability', other: '# capabilities' })

/** The number of tools of all connections together. */
const countCapabilities = (tools: readonly IntegrationTools[]): number =>
  tools.reduce((sum, { capabilities }) => sum + capabilities.length, 0)
