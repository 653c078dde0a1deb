import type { Client } from '@modelcontextprotocol/client'
import { isVisibleTo } from '../../mcp/app-metadata.ts'
import { readAppResource } from '../../mcp/app-resource.ts'
import { buildParameters } from '../../mcp/schema.ts'
import { serverSessions, type ServerConnection } from '../../mcp/sessions.ts'
import { type StoredTool, toolListRepository } from '../../mcp/tool-list-repository.ts'
import { toolLists } from '../../mcp/tool-lists.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import type { OutboundHttp } from '../../platform/net/outbound-http.ts'
import { serverTasks } from './follow-task.ts'
import { serverCalls } from './server-call.ts'
import type { ToolParameters } from '../calls/tool.ts'
import type { ListedTool, ListOptions, ToolServer } from './server.ts'

/** The client of users' MCP servers. It gets its credentials from the connection, and stores nothing but lists. */
function openClient(http: Pick<OutboundHttp, 'fetch' | 'check'>, table: Table) {
  const sessions = serverSessions(http)
  const lists = toolLists(sessions, toolListRepository(table))
  return {
    listTools: (...args: Parameters<typeof lists.list>) => lists.list(...args),
    expectChanges: (connection: ServerConnection) => lists.expectChanges(connection),
    takeChanges: lists.takeChanges,
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

export type McpClient = ReturnType<typeof openClient>

/** Opens users' MCP servers. @param http with a timeout that is long enough for tool calls */
export function openRemoteServers(http: Pick<OutboundHttp, 'fetch' | 'check'>, table: Table) {
  const client = openClient(http, table)
  /** built once per list, not once per reply */
  const parameters = new WeakMap<StoredTool, ToolParameters>()

  function toListedTool(stored: StoredTool): ListedTool {
    const { name, title, description, schema, outputSchema, destructive, fingerprint, appUri } = stored
    const known = parameters.get(stored) ?? buildParameters(schema)
    parameters.set(stored, known)
    return {
      name,
      title,
      description,
      parameters: known,
      hints: { description, destructive },
      fingerprint,
      ...(appUri !== undefined && { appUri }),
      inputSchema: schema,
      ...(outputSchema && { outputSchema }),
    }
  }

  return {
    open(connection: ServerConnection): ToolServer {
      const list = async (caller: 'model' | 'app', options: ListOptions | undefined) => {
        const { entries, leftOut, instructions } = await client.listTools(connection, options)
        // tools for apps alone must not be in the model's list (SEP-1865)
        const tools = entries.filter((entry) => isVisibleTo(entry, caller)).map(toListedTool)
        return { tools, leftOut, instructions }
      }
      const tasks = serverTasks(client, connection)
      return {
        ...serverCalls(client, connection, tasks),
        listTools: (options) => list('model', options),
        tasks,
        apps: {
          listTools: async (options) => (await list('app', options)).tools,
          read: (uri, signal) =>
            client.use(connection, signal, (session) =>
              readAppResource(session, { name: connection.integration.name, uri, signal }),
            ),
        },
      }
    },
    takeChanges: client.takeChanges,
    close: client.close,
  }
}
