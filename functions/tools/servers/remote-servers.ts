import type { ServerConnection } from '../../mcp/sessions.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import type { OutboundHttp } from '../../platform/net/outbound-http.ts'
import type { openRemoteServers } from './remote.ts'
import type { ToolServer } from './server.ts'

/** Users' remote MCP servers, whose client is loaded with the first of them. */
export interface RemoteServers {
  readonly open: (connection: ServerConnection) => Promise<ToolServer>
  /** Whether a server of the user has changed its tools since this was asked last. */
  readonly takeChanges: (sub: string) => Promise<boolean>
  /** Closes all connections to servers. */
  readonly close: () => Promise<void>
}

/** @param http with a timeout that is long enough for tool calls */
export function remoteServers(http: Pick<OutboundHttp, 'fetch' | 'check'>, table: Table): RemoteServers {
  let opening: Promise<ReturnType<typeof openRemoteServers>> | undefined
  const load = async () => {
    const code = await import('./remote.ts')
    return code.openRemoteServers(http, table)
  }
  return {
    open: async (connection) => (await (opening ??= load())).open(connection),
    takeChanges: async (sub) => (await opening)?.takeChanges(sub) ?? false,
    close: async () => (await opening)?.close(),
  }
}
