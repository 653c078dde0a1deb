import type { ServerConnection } from '../../functions/mcp/sessions.ts'
import type { Table } from '../../functions/platform/dynamodb/table.ts'
import type { OutboundHttp } from '../../functions/platform/net/outbound-http.ts'
import { ReconnectRequired } from '../../functions/providers/reconnect-required.ts'
import { openRemote } from '../../functions/tools/servers/load-connections.ts'
import { remoteServers } from '../../functions/tools/servers/remote-servers.ts'
import { type ListOptions, listTools } from '../../functions/tools/servers/server.ts'

/** The connection of a user to a server without authorization. */
export function aServerConnection(url: string, changes: Partial<ServerConnection> = {}): ServerConnection {
  const { integration = { mcpId: crypto.randomUUID(), name: 'Odd' } } = changes
  return {
    sub: 'ann',
    integration,
    url,
    version: 'one',
    namePrefix: 'odd',
    readOnlyTools: new Set(),
    access: () => Promise.resolve({ version: 'open', headers: {} }),
    reconnectError: (cause) => new ReconnectRequired(integration, { cause }),
    ...changes,
  }
}

/** Remote servers, whose tools are listed as for the model. */
export function openMcpServers(http: Pick<OutboundHttp, 'fetch' | 'check'>, table: Table) {
  const servers = remoteServers(http, table)
  return {
    ...servers,
    listTools: async (connection: ServerConnection, options?: ListOptions) =>
      listTools(await openRemote(servers, 'remote', connection), options),
  }
}

export type OpenedServers = ReturnType<typeof openMcpServers>
