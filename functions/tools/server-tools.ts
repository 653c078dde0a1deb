import type { ToolRow } from '../integrations/custom-tool-repository.ts'
import type { IntegrationRow } from '../integrations/integration-repository.ts'
import type { Connections } from './connections.ts'
import type { Table } from '../platform/table.ts'
import type { Tool } from './tool.ts'

/** A remote MCP server that a user has connected, or added as a custom tool. */
export interface ServerConnection {
  sub: string
  of: { mcpId: string; name: string }
  url: string
  /** headers that say who asks; @param refused the version of the credential that was just refused */
  access(refused?: string): Promise<{ version: string; headers: Record<string, string> }>
}

export interface ServerTools {
  /** @throws Error when the server cannot be asked */
  toolsOf(connection: ServerConnection): Promise<Tool[]>
}

/** The servers among a user's connections and custom tools. */
export async function serverConnections(
  _connections: Connections,
  _sub: string,
  _from: { rows: readonly IntegrationRow[]; custom: readonly ToolRow[] },
): Promise<ServerConnection[]> {
  return []
}

export function serverTools(_connections: Connections, _table: Table): ServerTools {
  return { toolsOf: async () => [] }
}
