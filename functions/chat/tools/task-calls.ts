import { sayTool } from '#shared/sentences/tools.ts'
import { taskLapsesAfterMs } from '#shared/limits.ts'
import type { PendingCall } from '../../conversations/store/run.ts'
import type { ServerTask } from '../../platform/server-task.ts'
import type { Tool } from '../../tools/calls/tool.ts'

/** The request with which a run waits for the server of a call that has become a task. */
export const toTaskRequest = (call: PendingCall, task: ServerTask): PendingCall => {
  // the user's answers have been sent
  const { inputResponses: _, requestState: __, ...history } = call.history ?? {}
  return { ...call, history: { ...history, task } }
}

/** The request of a task that could not be fetched: without its decision, so the page asks again. */
export function waitAgain(request: PendingCall, task: ServerTask): PendingCall {
  const {
    decision: _,
    decidedAtMs: __,
    response: ___,
    elicitations: ____,
    reconnect: _____,
    ...call
  } = request
  return toTaskRequest({ ...call, kind: 'task', askedAtMs: Date.now() }, task)
}

/**
 * The tool that follows the task of a call. The tool itself may be gone: all tools of a connection reach its tasks.
 * @param named the tool of the call's name, which another connection may have by now
 */
export function findTaskTool(
  tools: readonly Tool[],
  { of, tool: name, title }: PendingCall,
  named: Tool | undefined,
): Tool | undefined {
  if (!of || named?.integration?.mcpId === of.mcpId) return named
  const other = tools.find(({ integration, tasks }) => tasks && integration?.mcpId === of.mcpId)
  if (!other) return undefined
  // recorded under its own name; whether it wrote is not known any more
  const { appUri: _, ...others } = other
  return { ...others, name, title: title || name, writes: true }
}

/** Whether a task was given up: nobody asked for it in time. */
export const hasTaskLapsed = ({ kind, history }: PendingCall, atMs: number) =>
  kind === 'task' && atMs - (history?.task?.createdAtMs ?? atMs) > taskLapsesAfterMs

/** Whether the server of a waiting call has its arguments: it works on the call, or has asked for input. */
export const wasSent = ({ history = {} }: PendingCall): boolean =>
  history.task !== undefined || (history.rounds ?? 0) > 0

/** Errors of calls, for the model. */
export const cancelledTask = sayTool('call_stopped.task_cancelled')
export const stoppedCall = sayTool('call_stopped.unfinished')
export const lapsedTask = sayTool('call_stopped.task_lapsed')
export const expiredTask = sayTool('call_stopped.task_expired')
export const unfinishedTask = sayTool('call_stopped.task_too_long')
export const lostTask = sayTool('call_stopped.task_lost')
