import { ProtocolError } from '@modelcontextprotocol/client'
import type { OutboundHttp } from '../platform/net/outbound-http.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { serverLists } from '../mcp/tool-lists.ts'
import { formatError, formatResult } from '../mcp/result.ts'
import { buildParameters } from '../mcp/schema.ts'
import { serverSessions, type ServerConnection } from '../mcp/sessions.ts'
import { toolListRepository, type ListedTool } from '../mcp/tool-list-repository.ts'
import { toolName } from './tool-name.ts'
import type { Tool, ToolParameters } from './tool.ts'
import { ProviderError } from '../providers/errors.ts'

/** Servers may think; a reply does not wait for ever. */
const callMs = 60_000

export interface ServerTools {
  /**
   * What a server can do.
   * @param now as it is at this moment, and not as it was told a while ago
   * @returns the tools, and in words which of them are left out
   * @throws Error when the server cannot be asked
   */
  listTools(
    connection: ServerConnection,
    options?: { mustBeCurrent?: boolean },
  ): Promise<{ tools: Tool[]; leftOut: string[] }>
  /** Ends all connections to servers. */
  close(): Promise<void>
}

/** The words of servers for a tool that they do not have. */
const unknownTool = /not found|unknown tool|no such tool|does not exist/i

/** The tools of users' remote MCP servers, as tools for the model. @param http the way out, with time for long calls */
export function serverTools(http: Pick<OutboundHttp, 'fetch' | 'check'>, table: Table): ServerTools {
  const sessions = serverSessions(http)
  const lists = serverLists(sessions, toolListRepository(table))
  /** made once per list, not once per reply */
  const parameters = new WeakMap<ListedTool, ToolParameters>()

  /** @returns what became of a call of a tool that the server may have taken away meanwhile */
  async function toCallError(
    connection: ServerConnection,
    { name }: ListedTool,
    problem: string,
  ): Promise<Error> {
    if (!unknownTool.test(problem)) return new ProviderError(problem)
    const current = await lists.list(connection, { mustBeCurrent: true }).catch(() => undefined)
    if (!current || current.entries.some((entry) => entry.name === name)) return new ProviderError(problem)
    return new ProviderError(`${connection.owner.name} does not have this tool any more: ${problem}`)
  }

  function call(connection: ServerConnection, entry: ListedTool): Tool['run'] {
    return async (input, signal) => {
      let result
      try {
        result = await sessions.use(connection, lists.sessionHints(connection), signal, (client) =>
          client.callTool(
            { name: entry.name, arguments: input },
            {
              signal,
              timeout: callMs,
              // without the schema of its result, which the server may get wrong: what it answered is worth more
              toolDefinition: { name: entry.name, inputSchema: { ...entry.schema, type: 'object' } },
            },
          ),
        )
      } catch (error) {
        if (error instanceof ProviderError && error.cause instanceof ProtocolError)
          throw await toCallError(connection, entry, error.message)
        throw error
      }
      if (result.isError) throw await toCallError(connection, entry, formatError(result))
      return formatResult(result)
    }
  }

  function getParameters(entry: ListedTool): ToolParameters {
    const made = parameters.get(entry) ?? buildParameters(entry.schema)
    parameters.set(entry, made)
    return made
  }

  function toTool(connection: ServerConnection, entry: ListedTool): Tool {
    const { owner, namePrefix, readOnlyTools } = connection
    // a server may change later, or bring tools that the user has not seen: only what was there at the connection runs unasked
    const writes = !readOnlyTools.has(entry.fingerprint)
    return {
      name: toolName(namePrefix, entry.name),
      title: entry.title,
      description: `${owner.name}: ${entry.description || entry.title}`,
      serverHints: { description: entry.description, destructive: entry.destructive },
      parameters: getParameters(entry),
      writes,
      activity: writes ? 'other' : 'research',
      owner,
      definition: entry.fingerprint,
      reconnect: connection.reconnect,
      timeoutMs: callMs,
      run: call(connection, entry),
    }
  }

  return {
    async listTools(connection, options) {
      const { entries, leftOut } = await lists.list(connection, options)
      return { tools: entries.map((entry) => toTool(connection, entry)), leftOut }
    },
    close: () => sessions.close(),
  }
}
