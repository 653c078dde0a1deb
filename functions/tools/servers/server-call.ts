import type { Sentence } from '#shared/sentences/sentence.ts'
import { sayTool } from '#shared/sentences/tools.ts'
import { isInputRequiredResult, ProtocolError } from '@modelcontextprotocol/client'
import { findProtocolError } from '../../mcp/connection-errors.ts'
import { parseInputRequests } from '../../mcp/elicitation.ts'
import { isRecord } from '../../mcp/is-record.ts'
import { collectRichContent } from '../../mcp/result-media.ts'
import { formatError, formatResult } from '../../mcp/result.ts'
import type { ServerConnection } from '../../mcp/sessions.ts'
import { readCreatedTask } from '../../mcp/tasks.ts'
import { readToolResult, unwrapResult, type ToolResult } from '../../mcp/tool-result.ts'
import { wait } from '../../platform/clock.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { mayBeDone } from '../../providers/may-be-done.ts'
import { isReconnectRequired } from '../../providers/reconnect-required.ts'
import type { McpClient } from './remote.ts'
import type { CallOptions, ListedTool, ToolServer } from './server.ts'
import type { serverTasks } from './follow-task.ts'
import { InputRequired, type CallContinuation } from '../calls/unfinished-calls.ts'

/** Timeout of a tool call. */
const callMs = 60_000
/** Servers may ask for another attempt without asking the user (`requestState` alone); the delays before each. */
const retryDelaysMs = [250, 1_000, 2_000, 4_000]

/** Error messages of servers for a tool that does not exist. */
const unknownTool = /not found|unknown tool|no such tool|does not exist/i

/** @returns the error of a failed call; a special one if the server no longer has the tool */
async function toCallError(
  client: Pick<McpClient, 'listTools'>,
  connection: ServerConnection,
  { name }: ListedTool,
  said: Sentence | readonly Sentence[],
): Promise<Error> {
  const known = new ProviderError(said)
  if (!unknownTool.test(known.message)) return known
  const current = await client.listTools(connection, { mustBeCurrent: true }).catch(() => undefined)
  if (!current || current.entries.some((entry) => entry.name === name)) return known
  const [problem] = known.sentences
  return new ProviderError(
    sayTool('server_tool_gone', { name: connection.integration.name, problem: problem ?? known.message }),
  )
}

/** Code of the revision 2025-11-25, which has no other way to ask during a call. */
const pagesRequiredCode = -32_042

/**
 * The pages that the user has to open before a call is made (2025-11-25, "URL Elicitation Required Error"), as the requests of a later revision.
 * @returns undefined for any other error
 */
function readRequiredPages(error: unknown): Record<string, object> | undefined {
  const refusal = findProtocolError(error)
  if (refusal?.code !== pagesRequiredCode || !isRecord(refusal.data)) return undefined
  const { elicitations } = refusal.data
  const pages = Array.isArray(elicitations) ? elicitations.filter(isRecord) : []
  if (pages.length === 0) return undefined
  const entries = pages.map((page, index): [string, object] => {
    const params = { message: refusal.message, ...page, mode: 'url' }
    const { elicitationId: id } = page
    return [typeof id === 'string' ? id : String(index), { method: 'elicitation/create', params }]
  })
  return Object.fromEntries(entries)
}

/** Whether the user has declined something: then the server is not asked to ask again. */
const hasDeclined = ({ inputResponses = {} }: CallContinuation) =>
  Object.values(inputResponses).some(({ action }) => action !== 'accept')

type Continued = CallOptions & { continuation: CallContinuation }

/**
 * How the tools of a server are called.
 * @param options.delaysMs before each further attempt that a server asks for
 */
export function serverCalls(
  client: McpClient,
  connection: ServerConnection,
  tasks: ReturnType<typeof serverTasks>,
  { delaysMs = retryDelaysMs }: { delaysMs?: readonly number[] } = {},
): Pick<ToolServer, 'callTool' | 'timeoutMs'> {
  const { integration, url } = connection
  const send = (
    entry: ListedTool,
    input: Record<string, unknown>,
    { signal, writes, continuation: { requestState, inputResponses = {} }, onProgress }: Continued,
  ) =>
    client.use(
      connection,
      signal,
      async (session) => {
        // earlier revisions know no answers: the call is only made again
        const hasAnswers = Object.keys(inputResponses).length > 0 && session.getProtocolEra() === 'modern'
        const result = await session.callTool(
          {
            name: entry.name,
            arguments: input,
            ...(hasAnswers && { inputResponses }),
            ...(requestState !== undefined && { requestState }),
          },
          {
            signal,
            timeout: callMs,
            // up to the reply's own time, which ends the signal
            resetTimeoutOnProgress: true,
            onprogress: () => onProgress?.(),
            allowInputRequired: true,
            // without the output schema: a result that violates it is still useful, and is given with a note
            toolDefinition: { name: entry.name, inputSchema: { ...entry.inputSchema, type: 'object' } },
          },
        )
        // its notification may be lost or late
        if (session.getServerCapabilities()?.tools?.listChanged) client.expectChanges(connection)
        return result
      },
      { writes },
    )

  /** Makes the call, again where its server only needs more attempts. @returns its result, after the task that it became */
  async function completeCall(
    entry: ListedTool,
    input: Record<string, unknown>,
    options: Continued,
  ): Promise<ToolResult> {
    const { signal } = options
    for (let next = options.continuation, attempt = 1; ; attempt += 1) {
      const continuation = next
      const result = await send(entry, input, { ...options, continuation }).catch((error: unknown) => {
        const pages = hasDeclined(continuation) ? undefined : readRequiredPages(error)
        if (!pages) throw error
        throw new InputRequired(
          parseInputRequests(integration.name, { inputRequests: pages }, client.checkAddress),
        )
      })
      if (!isInputRequiredResult(result)) {
        const task = readCreatedTask({ name: integration.name, url }, result)
        return task ? tasks.follow(task, signal) : readToolResult(unwrapResult(result))
      }
      const request = parseInputRequests(integration.name, result, client.checkAddress)
      if (request.requests.length > 0) throw new InputRequired(request)
      const delayMs = delaysMs[attempt - 1]
      if (delayMs === undefined)
        throw new ProviderError(sayTool('server_unfinished', { name: integration.name, attempts: attempt }))
      await wait(delayMs, { signal })
      next = { requestState: request.requestState }
    }
  }

  return {
    timeoutMs: callMs,
    async callTool(entry, input, { continuation = {}, ...options }) {
      const { signal, writes, rich } = options
      try {
        const { task } = continuation
        const result = await (task
          ? tasks.follow(task, signal, continuation)
          : completeCall(entry, input, { ...options, continuation }))
        if (result.isError)
          throw await toCallError(
            client,
            connection,
            entry,
            sayTool('tool_failed', { message: formatError(result) }),
          )
        if (rich) collectRichContent(result, entry.title, rich, entry.outputSchema)
        return formatResult(result)
      } catch (error) {
        if (isReconnectRequired(error)) await error.remember()
        if (!(error instanceof ProviderError)) throw error
        if (error.isOutcomeUnknown && writes)
          throw new ProviderError([...error.sentences, mayBeDone], error.status, { cause: error })
        if (error.cause instanceof ProtocolError)
          throw await toCallError(client, connection, entry, error.sentences)
        throw error
      }
    },
  }
}
