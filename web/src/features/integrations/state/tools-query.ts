import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Integration } from '#shared/contracts/integrations.ts'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import { callApi } from '../../../lib/call-api.ts'
import type { KnownConnections } from '../../../lib/known-connections.ts'
import { integrationsQuery, isConnected } from './integrations-query.ts'

/** Servers are asked for their tools, and one of them may be slow. */
const listTimeoutMs = 30_000
/** What a request may carry of each (CAP-10, CAP-12). */
const most = { tools: 200, names: 500 }

/** CAP-14: what the assistant can do through each of a user's connections and tool servers, and how often it has. */
export const toolsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['tools', userId],
    queryFn: async ({ signal }): Promise<IntegrationTools[]> =>
      (await callApi('tools.list', {}, { signal, timeoutMs: listTimeoutMs })).integrations,
    // each would ask all the servers
    refetchOnWindowFocus: false,
    retry: 1,
  })

/** DEC-098 */
export const countCapabilities = (tools: readonly IntegrationTools[]): number =>
  tools.reduce((sum, { capabilities }) => sum + capabilities.length, 0)

/**
 * CAP-10, CAP-12: what a message tells of the connections. A list narrows what the assistant may use (DEC-099), so it has to be whole:
 * @returns no list of tools where something connected is missing from it
 */
export function knownConnections(
  active: readonly Integration[],
  tools: readonly IntegrationTools[] | undefined,
): KnownConnections {
  const known = tools ?? []
  const whole =
    known.length <= most.tools && active.every(({ mcp_id }) => known.some(({ id }) => id === mcp_id))
  const names = known.flatMap(({ name, capabilities }) => capabilities.map((one) => `${name}: ${one.name}`))
  return {
    connectedTools: whole ? known.map(({ id, name }) => ({ mcp_id: id, mcp_name: name })) : [],
    integrationContext: {
      connectedCount: active.length,
      availableCapabilities: names.slice(0, most.names).map((name) => name.slice(0, 200)),
      integrationList: active.slice(0, most.names).map(({ mcp_name }) => mcp_name.slice(0, 200)),
    },
  }
}

/**
 * What a message that is sent now tells of a user's connections, from what the page has read.
 * @returns undefined while the connections are not known
 */
export function readConnections(queryClient: QueryClient, userId: string): KnownConnections | undefined {
  const rows = queryClient.getQueryData(integrationsQuery(userId).queryKey)
  const tools = queryClient.getQueryState(toolsQuery(userId).queryKey)
  // a list that is just being asked for anew may lack what was connected last
  const listed = tools?.fetchStatus === 'fetching' ? undefined : tools?.data
  return rows && knownConnections(rows.filter(isConnected), listed)
}

/** Whether the assistant can do something through an entry, as far as that is known before it is connected. */
export const offersTools = ({ tools }: Pick<RegistryEntry, 'tools'>): boolean => tools?.length !== 0
