import type { ToolsAllowed } from '#shared/contracts/admin.ts'
import { isConnectionAllowed } from '../platform/group-limits.ts'
import type { ApiCall } from '../platform/http/api-function.ts'
import type { ConversationStores } from '../conversations/conversation-stores.ts'
import { RunNotFound } from '../runs/errors.ts'
import { toTaskView, type PendingCall, type Run } from '../runs/run.ts'
import type { TaskControl } from '../tools/follow-task.ts'
import type { ConnectedRows } from '../tools/offered-tools.ts'
import type { ToolProvider } from '../tools/tool-box.ts'

interface TaskDeps {
  toolBox: Pick<ToolProvider, 'listConnected' | 'loadTools'>
  /** what the user's groups allow; all if absent */
  toolsAllowed?: ToolsAllowed | undefined
}

/** How long a check may take; a server that is slower is asked again later. */
const checkMs = 8_000

/** Whether a connection exists and is allowed, though its server may not respond. Only servers have tasks. */
export const hasConnection = (
  { integrations, custom }: ConnectedRows,
  mcpId: string,
  toolsAllowed: ToolsAllowed | undefined,
): boolean =>
  (isConnectionAllowed('remote', toolsAllowed) &&
    integrations.some((row) => row.mcp_id === mcpId && row.status === 'connected')) ||
  (isConnectionAllowed('custom', toolsAllowed) && custom.some(({ id }) => id === mcpId))

/** Loads what reaches the server of a call. @returns whether it is connected, and its tasks if its tools can be listed */
async function loadTasks(
  { toolBox, toolsAllowed }: TaskDeps,
  sub: string,
  { of }: PendingCall,
): Promise<{ isConnected: boolean; tasks?: TaskControl }> {
  const connected = await toolBox.listConnected(sub)
  const mcpId = of?.mcpId
  // one that is not allowed any more is as good as disconnected, so that the reply goes on
  const isConnected = mcpId !== undefined && hasConnection(connected, mcpId, toolsAllowed)
  if (!isConnected) return { isConnected: false }
  const { tools } = await toolBox.loadTools(sub, connected, { only: [mcpId], toolsAllowed })
  // the tool itself may be gone: all tools of a connection reach its tasks
  const tasks = tools.find(({ owner, tasks }) => tasks && owner?.mcpId === mcpId)?.tasks
  return { isConnected, ...(tasks && { tasks }) }
}

/**
 * Asks the server of a waiting call once how far it is. Writes nothing: the reply goes on with `runs.answer`, and asks itself again.
 * @throws RunNotFound when the run does not wait for this task
 */
export async function checkTask(
  { user, params, body }: ApiCall<'runs.checkTask'>,
  { stores, ...deps }: TaskDeps & { stores: Pick<ConversationStores, 'runs'> },
) {
  const run = await stores.runs.find(user.sub, params.sessionId)
  const request = run?.pending.find(({ callId }) => callId === body.callId)
  const task = request?.kind === 'task' ? request.history?.task : undefined
  if (run?.status !== 'waiting' || run.runId !== body.runId || !request || !task || request.decision)
    throw new RunNotFound(`run ${body.runId} does not wait for a task ${body.callId}`)
  const { isConnected, tasks } = await loadTasks(deps, user.sub, request)
  const checked = await tasks?.check(task, AbortSignal.timeout(checkMs))
  // without its connection the call ends with an error, for the model
  return { is_ready: checked?.isReady ?? !isConnected, task: toTaskView(checked?.task ?? task) }
}

/** Asks the servers of a run that waits no longer to end its tasks. Never throws: a server may end them by itself. */
export async function cancelTasks(
  deps: TaskDeps,
  { sub, pending }: Pick<Run, 'sub' | 'pending'>,
): Promise<void> {
  const cancel = async (request: PendingCall) => {
    const { task } = request.history ?? {}
    if (!task || request.kind === 'approval') return
    const { tasks } = await loadTasks(deps, sub, request)
    await tasks?.cancel(task)
  }
  await Promise.all(pending.map((request) => cancel(request).catch(() => undefined)))
}
