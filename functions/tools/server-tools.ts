import { ProtocolError } from '@modelcontextprotocol/client'
import type { OutboundHttp } from '../platform/net/outbound-http.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { serverLists } from '../mcp/tool-lists.ts'
import { problemOf, resultOf } from '../mcp/result.ts'
import { serverParameters } from '../mcp/schema.ts'
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
  toolsOf(
    connection: ServerConnection,
    options?: { now?: boolean },
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
  async function failed(connection: ServerConnection, { name }: ListedTool, problem: string): Promise<Error> {
    if (!unknownTool.test(problem)) return new ProviderError(problem)
    const now = await lists.list(connection, { now: true }).catch(() => undefined)
    if (!now || now.entries.some((entry) => entry.name === name)) return new ProviderError(problem)
    return new ProviderError(`${connection.of.name} does not have this tool any more: ${problem}`)
  }

  function call(connection: ServerConnection, entry: ListedTool): Tool['run'] {
    return async (input, signal) => {
      let result
      try {
        result = await sessions.use(connection, lists.hintsOf(connection), signal, (client) =>
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
          throw await failed(connection, entry, error.message)
        throw error
      }
      if (result.isError) throw await failed(connection, entry, problemOf(result))
      return resultOf(result)
    }
  }

  function parametersOf(entry: ListedTool): ToolParameters {
    const made = parameters.get(entry) ?? serverParameters(entry.schema)
    parameters.set(entry, made)
    return made
  }

  function toolOf(connection: ServerConnection, entry: ListedTool): Tool {
    const { of, owner, readOnlyTools } = connection
    // a server may change later, or bring tools that the user has not seen: only what was there at the connection runs unasked
    const writes = !readOnlyTools.has(entry.fingerprint)
    return {
      name: toolName(owner, entry.name),
      title: entry.title,
      description: `${of.name}: ${entry.description || entry.title}`,
      serverHints: { description: entry.description, destructive: entry.destructive },
      parameters: parametersOf(entry),
      writes,
      activity: writes ? 'other' : 'research',
      of,
      definition: entry.fingerprint,
      reconnect: connection.reconnect,
      timeoutMs: callMs,
      run: call(connection, entry),
    }
  }

  return {
    async toolsOf(connection, options) {
      const { entries, leftOut } = await lists.list(connection, options)
      return { tools: entries.map((entry) => toolOf(connection, entry)), leftOut }
    },
    close: () => sessions.close(),
  }
}
