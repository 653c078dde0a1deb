import { setTimeout as wait } from 'node:timers/promises'
import { isInputRequiredResult, ProtocolError } from '@modelcontextprotocol/client'
import type { OutboundHttp } from '../../platform/net/outbound-http.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import { areAppsEnabled, isVisibleTo } from '../../mcp/app-metadata.ts'
import { readAppResource, type AppResource } from '../../mcp/app-resource.ts'
import { toolLists } from '../../mcp/tool-lists.ts'
import { formatError, formatResult } from '../../mcp/result.ts'
import { collectRichContent } from '../../mcp/result-media.ts'
import { readToolResult, unwrapResult, type ToolResult } from '../../mcp/tool-result.ts'
import { buildParameters } from '../../mcp/schema.ts'
import { serverSessions, type ServerConnection } from '../../mcp/sessions.ts'
import { toolListRepository, type ListedTool } from '../../mcp/tool-list-repository.ts'
import { parseInputRequests } from '../../mcp/elicitation.ts'
import { readCreatedTask } from '../../mcp/tasks.ts'
import { serverTasks } from '../calls/follow-task.ts'
import { InputRequired, type CallContinuation } from '../calls/unfinished-calls.ts'
import { buildToolName } from '../calls/tool-name.ts'
import type { Tool, ToolParameters } from '../calls/tool.ts'
import { ProviderError } from '../../providers/errors.ts'
import { mayBeDone } from '../../providers/may-be-done.ts'

/** Timeout of a tool call. */
const callMs = 60_000
/** Servers may ask for another attempt without asking the user (`requestState` alone); the delays before each. */
const retryDelaysMs = [250, 1_000, 2_000, 4_000]

export interface ServerTools {
  /**
   * Lists the tools of a server, by default from the cache.
   * @returns the tools, and why others are left out
   * @throws Error if the server cannot be reached
   */
  listTools(
    connection: ServerConnection,
    options?: { mustBeCurrent?: boolean },
  ): Promise<{ tools: Tool[]; leftOut: string[] }>
  /**
   * The tools that apps of a server may call, by the server's own names.
   * @throws Error if the server cannot be reached
   */
  listAppTools(
    connection: ServerConnection,
    options?: { mustBeCurrent?: boolean },
  ): Promise<Map<string, Tool>>
  /** Reads an app of a server. @throws ProviderError, ReconnectRequired, the reason of the signal */
  readApp(connection: ServerConnection, uri: string, signal: AbortSignal): Promise<AppResource>
  /** Closes all connections to servers. */
  close(): Promise<void>
}

/** Error messages of servers for a tool that does not exist. */
const unknownTool = /not found|unknown tool|no such tool|does not exist/i

/** Tools of users' remote MCP servers for the model. @param http with a timeout that is long enough for tool calls */
export function serverTools(http: Pick<OutboundHttp, 'fetch' | 'check'>, table: Table): ServerTools {
  const sessions = serverSessions(http)
  const lists = toolLists(sessions, toolListRepository(table))
  /** built once per list, not once per reply */
  const parameters = new WeakMap<ListedTool, ToolParameters>()

  /** @returns the error of a failed call; a special one if the server no longer has the tool */
  async function toCallError(
    connection: ServerConnection,
    { name }: ListedTool,
    problem: string,
  ): Promise<Error> {
    if (!unknownTool.test(problem)) return new ProviderError(problem)
    const current = await lists.list(connection, { mustBeCurrent: true }).catch(() => undefined)
    if (!current || current.entries.some((entry) => entry.name === name)) return new ProviderError(problem)
    return new ProviderError(`${connection.integration.name} does not have this tool any more: ${problem}`)
  }

  function createRun(
    connection: ServerConnection,
    entry: ListedTool,
    { tasks, writes }: { tasks: ReturnType<typeof serverTasks>; writes: boolean },
  ): Tool['run'] {
    const sessionOptions = () => ({ ...lists.sessionOptions(connection), writes })
    const send = (
      input: Record<string, unknown>,
      { requestState, inputResponses = {} }: Partial<CallContinuation>,
      signal: AbortSignal,
    ) =>
      sessions.use(connection, sessionOptions(), signal, (client) =>
        client.callTool(
          {
            name: entry.name,
            arguments: input,
            ...(Object.keys(inputResponses).length > 0 && { inputResponses }),
            ...(requestState !== undefined && { requestState }),
          },
          {
            signal,
            timeout: callMs,
            allowInputRequired: true,
            // without the output schema: a result that violates it is still useful
            toolDefinition: { name: entry.name, inputSchema: { ...entry.schema, type: 'object' } },
          },
        ),
      )

    /** Makes the call, again where its server only needs more attempts. @returns its result, after the task that it became */
    async function completeCall(
      input: Record<string, unknown>,
      continuation: CallContinuation,
      signal: AbortSignal,
    ): Promise<ToolResult> {
      for (let next = continuation, attempt = 0; ; attempt += 1) {
        const result = await send(input, next, signal)
        if (!isInputRequiredResult(result)) {
          const task = readCreatedTask({ name: connection.integration.name, url: connection.url }, result)
          return task ? tasks.follow(task, signal) : readToolResult(unwrapResult(result))
        }
        const request = parseInputRequests(connection.integration.name, result, http.check)
        if (request.requests.length > 0) throw new InputRequired(request)
        const delayMs = retryDelaysMs[attempt]
        if (delayMs === undefined)
          throw new ProviderError(
            `${connection.integration.name} did not complete the call after ${attempt} attempts.`,
          )
        await wait(delayMs, undefined, { signal })
        next = { requestState: request.requestState }
      }
    }

    return async (input, signal, continuation = {}, rich) => {
      try {
        const { task } = continuation
        const result = await (task
          ? tasks.follow(task, signal, continuation)
          : completeCall(input, continuation, signal))
        if (result.isError) throw await toCallError(connection, entry, formatError(result))
        if (rich) collectRichContent(result, entry.title, rich)
        return formatResult(result)
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error
        if (error.isOutcomeUnknown && writes)
          throw new ProviderError(`${error.message} ${mayBeDone}`, error.status, { cause: error })
        if (error.cause instanceof ProtocolError) throw await toCallError(connection, entry, error.message)
        throw error
      }
    }
  }

  function getParameters(entry: ListedTool): ToolParameters {
    const toolParameters = parameters.get(entry) ?? buildParameters(entry.schema)
    parameters.set(entry, toolParameters)
    return toolParameters
  }

  function toTool(connection: ServerConnection, entry: ListedTool): Tool {
    const { integration, namePrefix, readOnlyTools } = connection
    // a server may change or add tools later: only those that were read-only when the user connected run without approval
    const writes = !readOnlyTools.has(entry.fingerprint)
    const tasks = serverTasks(
      connection,
      (signal, request) => sessions.use(connection, lists.sessionOptions(connection), signal, request),
      http.check,
    )
    return {
      name: buildToolName(namePrefix, entry.name),
      title: entry.title,
      description: `${integration.name}: ${entry.description || entry.title}`,
      serverHints: { description: entry.description, destructive: entry.destructive },
      parameters: getParameters(entry),
      writes,
      activity: writes ? 'other' : 'research',
      integration,
      ...(entry.appUri !== undefined && areAppsEnabled() && { appUri: entry.appUri }),
      definitionFingerprint: entry.fingerprint,
      reconnectReason: connection.reconnectReason,
      timeoutMs: callMs,
      run: createRun(connection, entry, { tasks, writes }),
      tasks,
    }
  }

  return {
    async listTools(connection, options) {
      const { entries, leftOut } = await lists.list(connection, options)
      // tools for apps alone must not be in the model's list (SEP-1865)
      const tools = entries.filter((entry) => isVisibleTo(entry, 'model'))
      return { tools: tools.map((entry) => toTool(connection, entry)), leftOut }
    },
    async listAppTools(connection, options) {
      const { entries } = await lists.list(connection, options)
      const callable = entries.filter((entry) => isVisibleTo(entry, 'app'))
      return new Map(callable.map((entry) => [entry.name, toTool(connection, entry)]))
    },
    readApp: (connection, uri, signal) =>
      sessions.use(connection, lists.sessionOptions(connection), signal, (client) =>
        readAppResource(client, { name: connection.integration.name, uri, signal }),
      ),
    close: () => sessions.close(),
  }
}
