import type { Sentence } from '#shared/sentences/sentence.ts'
import { sayTool } from '#shared/sentences/tools.ts'
import { taskLapsesAfterMs } from '#shared/limits.ts'
import type { ElicitedInput, FormContent } from '#shared/contracts/elicitation.ts'
import type { ReconnectReason } from '#shared/reconnect-reason.ts'
import { truncate } from '#shared/truncate.ts'
import type { CallHistory, PendingCall } from '../../conversations/store/run.ts'
import type { ServerTask } from '../../platform/server-task.ts'
import { describeTool, fingerprintTool, type Tool } from '../../tools/calls/tool.ts'
import type { InputRequest } from '../../tools/calls/unfinished-calls.ts'
import type { ActiveReply } from '../reply.ts'
import type { Permission } from './call-results.ts'
import type { PreparedCall } from './run-tool.ts'

/** Builds the stored request of a call that waits, with the arguments that will run. */
export const buildApprovalRequest = (
  { call, tool, input, history }: PreparedCall,
  kind: PendingCall['kind'],
  reconnect?: ReconnectReason,
): PendingCall => ({
  callId: call.id,
  kind,
  tool: call.name,
  title: tool?.title ?? call.name,
  ...(tool?.integration && { of: { ...tool.integration } }),
  ...(kind === 'approval' && tool && describeTool(tool)),
  ...(reconnect && { reconnect }),
  fingerprint: tool ? fingerprintTool(tool) : '',
  arguments: JSON.stringify(input),
  ...(history && { history }),
  askedAtMs: Date.now(),
})

/** How often a server may ask the user during one call. */
const maxInputRequests = 5
/** Stored length of a server's message. */
const maxMessageCharacters = 500

/** @returns why the server of a call may not ask the user once more */
export function findInputLimitProblem({ tool, history }: PreparedCall): Sentence | undefined {
  if ((history?.rounds ?? 0) < maxInputRequests) return undefined
  const name = tool?.integration?.name ?? 'The server'
  return sayTool('call_stopped.asked_often', { name, times: maxInputRequests })
}

/** The approval request of a run that waits for what a server asks for. */
export const toElicitationRequest = (
  call: PendingCall,
  { requests, requestState, task }: InputRequest,
): PendingCall => {
  const { inputResponses: _, requestState: __, ...history } = call.history ?? {}
  return {
    ...call,
    elicitations: requests,
    history: {
      ...history,
      rounds: (history.rounds ?? 0) + 1,
      ...(requestState !== undefined && { requestState }),
      ...(task && { task }),
    },
  }
}

/** The call's history with the user's response, which answers all requests of the server. Without a response they are cancelled. */
export function continueWithResponse({
  elicitations = [],
  response,
  history = {},
}: PendingCall): CallHistory {
  const { action, content = {} } = response ?? { action: 'cancel' as const }
  const contents = new Map<string, FormContent>(action === 'accept' ? Object.entries(content) : [])
  const responses = elicitations.map(({ key, mode }) => {
    const form = mode === 'form' ? contents.get(key) : undefined
    return [key, { action, ...(form && { content: form }) }] as const
  })
  const elicited = elicitations.map((request): ElicitedInput => {
    const form = request.mode === 'form' ? contents.get(request.key) : undefined
    return {
      message: truncate(request.message, maxMessageCharacters),
      action,
      ...(request.mode === 'url' && { host: request.host }),
      ...(form && { content: form }),
    }
  })
  return {
    ...history,
    inputResponses: Object.fromEntries(responses),
    elicited: [...(history.elicited ?? []), ...elicited],
  }
}

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

/** Why a call that was not denied may run. */
export function findPermission(
  { isAllowed }: Pick<ActiveReply, 'isAllowed'>,
  tool: Tool | undefined,
  { approvedAtMs }: CallHistory,
  args?: Record<string, unknown>,
): Exclude<Permission, 'denied'> {
  if (approvedAtMs !== undefined) return 'approved'
  if (!tool?.writes) return 'reading'
  return isAllowed(tool, args) ? 'always' : 'approved'
}
