import type { ToolsAllowed } from '#shared/contracts/admin.ts'
import { toCodes } from '#shared/sentences/to-sentence.ts'
import { isConnectionAllowed } from '#shared/group-limits.ts'
import type { ValidRequest } from '../platform/http/api-function.ts'
import type { ConversationStores } from '../conversations/store/conversation-stores.ts'
import { RunNotFound } from '../conversations/store/errors.ts'
import { toTaskView, type PendingCall, type Run } from '../conversations/store/run.ts'
import type { ConnectionRows, Offer } from '../tools/offer/offered-tools.ts'
import { isTaskOver } from '../tools/calls/unfinished-calls.ts'
import type { ToolProvider } from '../tools/tool-provider.ts'
import type { Tool } from '../tools/calls/tool.ts'
import { parseArguments } from './tools/run-tool.ts'
import { isApprovedFor } from './tools/scheduled-writes.ts'
import { findPermission, findTaskTool, stoppedCall, wasSent } from './tools/pending-calls.ts'

interface TaskDeps {
  toolProvider: Pick<ToolProvider, 'listConnected' | 'loadTools'>
  /** what the user's groups allow; all if absent */
  toolsAllowed?: ToolsAllowed | undefined
}

/** How long a check may take; a server that is slower is asked again later. */
const checkTimeoutMs = 8_000

/** Whether a connection exists and is allowed, though its server may not respond. Only servers have tasks. */
export const hasConnection = (
  { integrations, customTools }: ConnectionRows,
  mcpId: string,
  toolsAllowed: ToolsAllowed | undefined,
): boolean =>
  (isConnectionAllowed('remote', toolsAllowed) &&
    integrations.some((row) => row.mcp_id === mcpId && row.status === 'connected')) ||
  (isConnectionAllowed('custom', toolsAllowed) && customTools.some(({ id }) => id === mcpId))

interface LoadedTool {
  tool: Tool | undefined
  isAllowed: Offer['isAllowed']
}

const noTool: LoadedTool = { tool: undefined, isAllowed: () => false }

/** Loads what reaches the server of a call. @returns whether it is connected, and a tool of it if its tools can be listed */
async function loadTaskTool(
  { toolProvider, toolsAllowed }: TaskDeps,
  sub: string,
  request: PendingCall,
): Promise<LoadedTool & { isConnected: boolean }> {
  const connected = await toolProvider.listConnected(sub)
  const mcpId = request.of?.mcpId
  // one that is no longer allowed counts as disconnected, so that the reply continues
  const isConnected = mcpId !== undefined && hasConnection(connected, mcpId, toolsAllowed)
  if (!isConnected) return { ...noTool, isConnected }
  const { tools, isAllowed } = await toolProvider.loadTools(sub, connected, { only: [mcpId], toolsAllowed })
  const named = tools.find(({ name }) => name === request.tool)
  return { isConnected, tool: findTaskTool(tools, request, named), isAllowed }
}

/**
 * Asks the server of a waiting call once how far it is. Writes nothing: `runs.answer` continues the reply, which asks again.
 * @throws RunNotFound when the run does not wait for this task
 */
export async function checkTask(
  { user, params, body }: ValidRequest<'runs.checkTask'>,
  { stores, ...deps }: TaskDeps & { stores: Pick<ConversationStores, 'runs'> },
) {
  const run = await stores.runs.find(user.sub, params.sessionId)
  const request = run?.pending.find(({ callId }) => callId === body.callId)
  const task = request?.kind === 'task' ? request.history?.task : undefined
  if (run?.status !== 'waiting' || run.runId !== body.runId || !request || !task || request.decision)
    throw new RunNotFound(`run ${body.runId} does not wait for a task ${body.callId}`)
  const { isConnected, tool } = await loadTaskTool(deps, user.sub, request)
  const checked = await tool?.tasks?.check(task, AbortSignal.timeout(checkTimeoutMs))
  // the reply continues without the result if its connection is gone or its time is over
  const isReady = checked?.isReady ?? (!isConnected || isTaskOver(task, Date.now()))
  return { is_ready: isReady, task: toTaskView(checked?.task ?? task) }
}

/**
 * Records the calls of a run that waits no longer, as far as their servers were sent them, and asks the servers to end their tasks.
 * Never throws: a server may end them by itself.
 */
export async function endPendingCalls(
  deps: TaskDeps & { toolProvider: Pick<ToolProvider, 'record'> },
  { sub, pending, isSaved, schedule }: Pick<Run, 'sub' | 'pending' | 'isSaved' | 'schedule'>,
): Promise<void> {
  const end = async (request: PendingCall) => {
    const { history = {}, tool: name, title, of: integration } = request
    // a call is recorded though nothing reaches its server
    const { tool, isAllowed } = await loadTaskTool(deps, sub, request).catch(() => noTool)
    const record = {
      tool: {
        name,
        title: title || name,
        ...(integration && { integration: { mcpId: integration.mcpId, name: integration.name } }),
      },
      input: parseArguments(request.arguments) ?? {},
      success: false,
      error: stoppedCall.text,
      codes: toCodes([stoppedCall]),
      resultSize: 0,
      permission: findPermission(
        { isAllowed: schedule ? (one) => isApprovedFor(schedule, one) : isAllowed },
        tool,
        history,
      ),
    }
    await Promise.all([
      history.task && tool?.tasks?.cancel(history.task),
      deps.toolProvider.record(sub, record, isSaved),
    ])
  }
  await Promise.all(pending.filter(wasSent).map((request) => end(request).catch(() => undefined)))
}
