import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Connection } from '#shared/contracts/integrations.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import { truncate } from '#shared/truncate.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import type { KnownConnections } from '../../../lib/conversations/known-connections.ts'
import { integrationsQuery, isConnected, providerTimeoutMs } from './integrations-query.ts'

/** The limits of a chat request. */
const maxTools = 200
const maxNames = 500
const maxNameCharacters = 200

/** The provider that the service names for servers of the user. */
const customProvider = 'Custom'

/** The tools of each connection and tool server, with their usage. */
export const toolsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['tools', userId],
    queryFn: async ({ signal }): Promise<IntegrationTools[]> =>
      (await callApi('tools.list', {}, { signal, timeoutMs: providerTimeoutMs })).integrations,
    // each fetch makes the service ask all servers
    refetchOnWindowFocus: false,
    retry: 1,
  })

/** The servers that the user has added, which are no connections. */
export const listCustomServers = (tools: readonly IntegrationTools[] = []): readonly IntegrationTools[] =>
  tools.filter(({ provider }) => provider === customProvider)

/**
 * How many connections and custom servers the user has.
 * @returns undefined until it is known whether there are any: the tools of a slow server are listed late
 */
export function countConnected(
  connections: readonly Connection[] | undefined,
  tools: readonly IntegrationTools[] | undefined,
): number | undefined {
  if (!connections) return undefined
  const count = connections.filter(isConnected).length + listCustomServers(tools).length
  return count > 0 || tools ? count : undefined
}

const limitNames = (names: readonly string[]): string[] =>
  names.slice(0, maxNames).map((name) => truncate(name, maxNameCharacters))

/**
 * The connections that a message carries. The list restricts the tools that the assistant may use, so it
 * must be complete.
 * @returns an empty list of tools if a connected integration is missing from it, or if it is too long for a request
 */
export function toKnownConnections(
  connections: readonly Connection[],
  tools: readonly IntegrationTools[] = [],
): KnownConnections {
  const isComplete =
    tools.length <= maxTools && connections.every(({ mcp_id }) => tools.some(({ id }) => id === mcp_id))
  return {
    connectedTools: isComplete ? tools.map(({ id, name }) => ({ mcp_id: id, mcp_name: name })) : [],
    integrationContext: {
      connectedCount: connections.length,
      availableCapabilities: limitNames(
        tools.flatMap(({ name, capabilities }) => capabilities.map((tool) => `${name}: ${tool.name}`)),
      ),
      integrationList: limitNames(connections.map(({ mcp_name }) => mcp_name)),
    },
  }
}

/**
 * The connections for a message sent now, from the cache.
 * @returns undefined until the connections are known
 */
export function readConnections(queryClient: QueryClient, userId: string): KnownConnections | undefined {
  const connections = queryClient.getQueryData(integrationsQuery(userId).queryKey)
  const tools = queryClient.getQueryState(toolsQuery(userId).queryKey)
  // a list that is being refetched may lack the latest connection
  const listedTools = tools?.fetchStatus === 'fetching' ? undefined : tools?.data
  return connections && toKnownConnections(connections.filter(isConnected), listedTools)
}
