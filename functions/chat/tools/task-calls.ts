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
export const cancelledTaskText =
  'The user cancelled this task before it was finished. Parts of it may have been done.'
export const stoppedCallText = 'Stopped before it was finished. It may have been done.'
export const lapsedTaskText =
  'The task was given up: its result was not fetched for 30 days. It may have been done.'
export const expiredTaskText =
  'The task was given up: its server did not respond while it had the result. It may have been done.'
export const unfinishedTaskText =
  'The server needs longer than this reply can wait, so the task was cancelled. In a chat of the page it can be waited for.'
export const lostTaskText =
  'The task cannot be asked for any more, because its connection is gone. The call may have been done.'
