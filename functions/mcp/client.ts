import type { Client } from '@modelcontextprotocol/client'
import type { OutboundHttp } from '../platform/net/outbound-http.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { serverSessions, type ServerConnection } from './sessions.ts'
import { toolListRepository } from './tool-list-repository.ts'
import { toolLists } from './tool-lists.ts'

/**
 * The client of users' MCP servers: their lists of tools, and requests on open connections. It gets its credentials from the connection, and
 * stores nothing but lists.
 * @param http with a timeout that is long enough for tool calls
 */
export function mcpClient(http: Pick<OutboundHttp, 'fetch' | 'check'>, table: Table) {
  const sessions = serverSessions(http)
  const lists = toolLists(sessions, toolListRepository(table))
  return {
    listTools: (...args: Parameters<typeof lists.list>) => lists.list(...args),
    expectChanges: (connection: ServerConnection) => lists.expectChanges(connection),
    takeChanges: (sub: string) => lists.takeChanges(sub),
    /** As `use` of the sessions. @param writes the work may change something */
    use: <T>(
      connection: ServerConnection,
      signal: AbortSignal,
      work: (client: Client) => Promise<T>,
      { writes = false } = {},
    ): Promise<T> => sessions.use(connection, { ...lists.sessionOptions(connection), writes }, signal, work),
    /** @throws AddressForbidden for an address that may not be opened */
    checkAddress: http.check,
    close: () => sessions.close(),
  }
}

export type McpClient = ReturnType<typeof mcpClient>
